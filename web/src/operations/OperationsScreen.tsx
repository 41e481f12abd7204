// What operators see of the running system: queues, runs, failures, mail, schedules and processes; and what they do about them.
import { Button } from 'primereact/button';
import { Tag } from 'primereact/tag';
import type { ReactNode } from 'react';
import { at } from '../api/address';
import { api } from '../api/client';
import type { Reply, Schema } from '../schema';
import { useApi } from '../api/hooks';
import { EMPTY, formatBytes, formatDate, formatDateTime, formatNumber } from '../format';
import { t } from '../messages';
import { QueryFault } from '../reports/QueryFault';
import { useConfirm } from '../ui/confirm';
import { Page } from '../ui/Page';
import { Panel } from '../ui/Panel';
import { EmptyState, Loading, LoadFailed } from '../ui/states';
import { useToast } from '../ui/toast';
import { duration } from './duration';
import style from './operations.module.css';

const text = t.operations;
const REFRESH_MS = 5_000;
const STATUS = { ok: 'success', degraded: 'warning', down: 'danger' } as const;

/** Asks, does it, says how it went, and reads everything anew. */
type Act = (what: {
  question: string;
  verb: string;
  danger?: boolean;
  call: () => Promise<void>;
  done: string;
  failed: string;
}) => Promise<void>;

export default function OperationsScreen() {
  const { data, error, mutate } = useApi('/api/operations', { refreshInterval: REFRESH_MS });
  const confirm = useConfirm();
  const toast = useToast();
  const act: Act = async ({ question, verb, danger = false, call, done, failed }) => {
    if (!(await confirm({ message: question, accept: verb, danger }))) return;
    toast.clear();
    try {
      await call();
      toast.success(done);
    } catch (failure) {
      toast.failure(failed, failure);
    }
    await mutate();
  };
  return (
    <Page title={text.title} lead={text.lead}>
      {data ? (
        <div className={style.sheets}>
          {error ? <LoadFailed title={text.loadFailed} error={error} retry={() => void mutate()} /> : null}
          <System system={data.sistem} processes={data.procesi} server={data.serverPoste} backup={data.kopija ?? null} />
          <Queues queues={data.redovi} />
          <Running runs={data.izvrsavanja} act={act} />
          <Failures runs={data.neuspeli} causes={data.uzroci} act={act} />
          <div className={style.pair}>
            <Mail mail={data.posta} server={data.serverPoste} />
            <Fires fires={data.zakazivanja} />
          </div>
          <Processes processes={data.procesi} act={act} />
        </div>
      ) : error ? (
        <LoadFailed title={text.loadFailed} error={error} retry={() => void mutate()} />
      ) : (
        <Loading lines={10} />
      )}
    </Page>
  );
}

type Process = Reply<'Operations'>['procesi'][number];
type MailServer = Reply<'Operations'>['serverPoste'];

/** The ids of one kind differ at their ends. */
const nameOf = ({ id, vrsta, masina }: Process) => [text.process[vrsta], masina, id.slice(-6)].filter(Boolean).join(' ');

const downSince = ({ neRadiOd, neRadiSekundi }: MailServer) => text.mailDown(formatDateTime(neRadiOd), duration(neRadiSekundi ?? 0));

type Backup = NonNullable<Reply<'Operations'>['kopija']>;

/** A night without a backup is told at the head; younger ones are a fact. */
const OLD_BACKUP_SECONDS = 36 * 3600;

const isOld = (backup: Backup | null) => backup === null || backup.staraSekundi > OLD_BACKUP_SECONDS;

type SystemProps = { system: Reply<'Operations'>['sistem']; processes: Process[]; server: MailServer; backup: Backup | null };

function System({ system, processes, server, backup }: SystemProps) {
  const { zdravlje, skladiste } = system;
  const told = (part: keyof typeof text.fault) => {
    if (part === 'store' && skladiste) return text.store[skladiste];
    if (part === 'mail' && server.neRadiOd) return `${text.mailServer} ${downSince(server)}`;
    return text.fault[part];
  };
  // Whose place another has taken on its machine is missed by nobody.
  const gone = processes.filter(({ ziv, zamenjen }) => !ziv && !zamenjen);
  const parts = Object.keys(text.fault) as (keyof typeof text.fault)[];
  const faults = parts.filter((part) => !zdravlje[part].ok);
  return (
    <Panel title={text.system}>
      <ul className={style.causes}>
        <li>
          <Tag severity={STATUS[zdravlje.status]} value={text.status[zdravlje.status]} />
        </li>
        {faults.map((part) => (
          <li key={part}>
            <Tag severity="warning" value={told(part)} />
          </li>
        ))}
        {isOld(backup) && (
          <li>
            <Tag severity="warning" value={backup ? text.oldBackup(duration(backup.staraSekundi)) : text.noBackup} />
          </li>
        )}
        {backup && backup.nedostaje > 0 && (
          <li>
            <Tag severity="warning" value={text.backupLacks(backup.nedostaje)} />
          </li>
        )}
        {system.podloga
          .filter((code) => code in text.ground)
          .map((code) => (
            <li key={code}>
              <Tag severity="warning" value={text.ground[code as keyof typeof text.ground]} />
            </li>
          ))}
        {gone.map((process) => (
          <li key={process.id}>
            <Tag severity="danger" value={text.gone(nameOf(process), duration(process.cutiSekundi))} />
          </li>
        ))}
      </ul>
      <dl className={`${style.facts} ${style.short}`}>
        <Fact name={text.ownVersion}>{system.verzija}</Fact>
        <Fact name={text.database}>{system.baza}</Fact>
        <Fact name={text.migration}>{system.migracija ?? EMPTY}</Fact>
        <Fact name={text.zones}>{system.zone}</Fact>
        <Fact name={text.backup}>{backup ? `${formatDateTime(backup.snimljenoOd)}, ${formatBytes(backup.bajtova)}` : EMPTY}</Fact>
        {system.uvidiUArhiviPre && <Fact name={text.looks}>{text.looksArchived(formatDate(system.uvidiUArhiviPre))}</Fact>}
      </dl>
    </Panel>
  );
}

function Queues({ queues }: { queues: Reply<'Operations'>['redovi'] }) {
  return (
    <Panel title={text.queues}>
      <ul className={style.tiles}>
        {queues.map(({ vrsta, ceka, izvrsavaSe, najstarijeSekundi }) => (
          <li key={vrsta} className={style.tile}>
            <span>{text.kind[vrsta]}</span>
            <strong>
              {formatNumber(ceka)} <small>{text.waiting}</small>
            </strong>
            <Meta>
              <span>{najstarijeSekundi === null ? text.nothingWaits : text.oldest(duration(najstarijeSekundi))}</span>
              <span>{text.underWay(izvrsavaSe)}</span>
            </Meta>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function Running({ runs, act }: { runs: Reply<'Operations'>['izvrsavanja']; act: Act }) {
  return (
    <Panel title={text.running}>
      {runs.length === 0 && <EmptyState icon="pi-check-circle" title={text.nothingRuns} />}
      <ul className={style.rows}>
        {runs.map((run) => {
          const name = run.izvestaj ?? text.print;
          return (
            <li key={run.id}>
              <div className={style.what}>
                <span className={style.name}>
                  {name} {run.otkazivanje && <Tag severity="warning" value={text.stopping} />}
                </span>
                <Meta>
                  <span>{text.kind[run.red]}</span>
                  {run.radnik && <span>{run.radnik}</span>}
                  {run.faza && <span>{text.stage[run.faza]}</span>}
                  {run.redova !== null && <span>{text.rows(formatNumber(run.redova))}</span>}
                  <span>{text.since(duration(run.sekundi))}</span>
                  {run.pokusaj > 1 && <span>{text.attempt(run.pokusaj)}</span>}
                  {run.masina && <span>{run.masina}</span>}
                </Meta>
              </div>
              <Button
                label={text.cancel}
                aria-label={text.cancelOne(name)}
                icon="pi pi-times"
                severity="danger"
                outlined
                disabled={run.otkazivanje}
                onClick={() =>
                  void act({
                    question: text.cancelQuestion(name),
                    verb: text.cancel,
                    danger: true,
                    call: () => api.post(at('/api/operations/runs/{id}/cancel', { id: run.id })),
                    done: text.cancelled,
                    failed: text.cancelFailed,
                  })
                }
              />
            </li>
          );
        })}
      </ul>
    </Panel>
  );
}

function Failures({ runs, causes, act }: { runs: Reply<'Operations'>['neuspeli']; causes: Reply<'Operations'>['uzroci']; act: Act }) {
  const cause = (code: Schema<'FailureCode'> | null) => (code === null ? text.unknownCause : text.cause[code]);
  return (
    <Panel title={text.failures}>
      {causes.length === 0 && <EmptyState icon="pi-check-circle" title={text.noFailures} />}
      {causes.length > 0 && (
        <ul className={style.causes}>
          {causes.map(({ sifra, broj }) => (
            <li key={sifra ?? ''}>
              <Tag severity={sifra === 'poison' ? 'danger' : 'warning'} value={`${cause(sifra)}: ${String(broj)}`} />
            </li>
          ))}
        </ul>
      )}
      <ul className={style.rows}>
        {runs.map((run) => {
          const name = run.izvestaj ?? text.print;
          return (
            <li key={run.id}>
              <div className={style.what}>
                <span className={style.name}>
                  {name} <Tag severity={run.sifra === 'poison' ? 'danger' : 'warning'} value={cause(run.sifra)} />
                </span>
                {run.poruka && <p className={style.message}>{run.poruka}</p>}
                <QueryFault fault={run.upit ?? undefined} report={run.izvestajID ?? undefined} />
                <Meta>
                  <span>{formatDateTime(run.zavrsen)}</span>
                  <span>{text.kind[run.red]}</span>
                  {run.radnik && <span>{run.radnik}</span>}
                  <span>{text.attempts(run.pokusaja)}</span>
                </Meta>
              </div>
              <Button
                label={text.retry}
                aria-label={text.retryOne(name)}
                icon="pi pi-replay"
                outlined
                onClick={() =>
                  void act({
                    question: text.retryQuestion(name),
                    verb: text.retry,
                    call: () => api.post(at('/api/operations/runs/{id}/retry', { id: run.id })),
                    done: text.retried,
                    failed: text.retryFailed,
                  })
                }
              />
            </li>
          );
        })}
      </ul>
    </Panel>
  );
}

function Mail({ mail, server }: { mail: Reply<'Operations'>['posta']; server: MailServer }) {
  const classes = Object.entries(text.mailClass) as [keyof typeof text.mailClass, string][];
  return (
    <Panel title={text.mail}>
      <dl className={style.facts}>
        <Fact name={text.mailServer}>
          {server.radi ? <Tag severity="success" value={text.mailUp} /> : <Tag severity="danger" value={downSince(server)} />}
        </Fact>
        <Fact name={text.mailAnswer}>{server.odgovor ?? EMPTY}</Fact>
        <Fact name={text.mailAnswered}>{server.odgovorio ? formatDateTime(server.odgovorio) : EMPTY}</Fact>
        <Fact name={text.mailChecked}>{formatDateTime(server.provereno)}</Fact>
        {classes.map(([key, name]) => (
          <Fact key={key} name={name}>
            {formatNumber(mail[key])}
          </Fact>
        ))}
      </dl>
      <p className={style.help}>{text.mailHelp}</p>
    </Panel>
  );
}

function Fires({ fires }: { fires: Reply<'Operations'>['zakazivanja'] }) {
  return (
    <Panel title={text.fires}>
      <dl className={style.facts}>
        <Fact name={text.nextFire}>{fires.sledece ? formatDateTime(fires.sledece) : EMPTY}</Fact>
        <Fact name={text.lastFire}>{fires.poslednje ? formatDateTime(fires.poslednje) : EMPTY}</Fact>
        <Fact name={text.lag}>{fires.kasniSekundi >= 1 ? duration(fires.kasniSekundi) : text.noLag}</Fact>
        <Fact name={text.paused}>{formatNumber(fires.pauzirano)}</Fact>
      </dl>
    </Panel>
  );
}

function Processes({ processes, act }: { processes: Process[]; act: Act }) {
  return (
    <Panel title={text.processes}>
      <ul className={style.rows}>
        {processes.map((process) => (
          <ProcessRow key={process.id} process={process} act={act} />
        ))}
      </ul>
    </Panel>
  );
}

function ProcessRow({ process, act }: { process: Process; act: Act }) {
  const name = nameOf(process);
  const engine = process.vrsta === 'report-engine' && process.ziv;
  return (
    <li>
      <div className={style.what}>
        <span className={style.name}>
          {name} <State process={process} />
          {process.ziv && process.redis === false && <Tag severity="warning" value={text.noRedis} />}
        </span>
        <Meta>
          <span>{text.version(process.verzija)}</span>
          <span>{text.startedAt(formatDateTime(process.od))}</span>
          {!process.ziv && <span>{text.silent(duration(process.cutiSekundi))}</span>}
          {process.mesta !== null && <span>{text.slots(process.zauzeto ?? 0, process.mesta)}</span>}
          {process.skladisteSlobodno !== null && <span>{text.free(formatBytes(process.skladisteSlobodno))}</span>}
          {process.kopijaKasni !== null && <span>{text.replica(duration(process.kopijaKasni))}</span>}
          {process.pulovi.length > 0 && (
            <span>
              {text.pools}: {process.pulovi.map(({ naziv, zauzeto, najvise }) => text.pool(naziv, zauzeto, najvise)).join(', ')}
            </span>
          )}
        </Meta>
      </div>
      {engine && (
        <Button
          label={process.praznjenje ? text.resume : text.drain}
          aria-label={process.praznjenje ? text.resumeOne(name) : text.drainOne(name)}
          icon={process.praznjenje ? 'pi pi-play' : 'pi pi-pause'}
          outlined
          onClick={() =>
            void act({
              question: process.praznjenje ? text.resumeQuestion(name) : text.drainQuestion(name),
              verb: process.praznjenje ? text.resume : text.drain,
              call: () => api.post(at(`/api/operations/engines/{id}/${process.praznjenje ? 'resume' : 'drain'}`, { id: process.id })),
              done: process.praznjenje ? text.resumed : text.drained,
              failed: text.engineFailed,
            })
          }
        />
      )}
    </li>
  );
}

function State({ process }: { process: Process }) {
  if (!process.ziv) return <Tag severity="danger" value={text.dead} />;
  if (process.praznjenje && process.odmara === 'drained' && process.zauzeto === 0) return <Tag severity="info" value={text.emptied} />;
  if (process.praznjenje) return <Tag severity="warning" value={text.rests.drained} />;
  if (process.odmara) return <Tag severity="danger" value={text.rests[process.odmara]} />;
  return <Tag severity="success" value={text.works} />;
}

const Meta = ({ children }: { children: ReactNode }) => <div className={style.meta}>{children}</div>;

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </>
);
