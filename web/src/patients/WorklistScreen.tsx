// "Moja lista": one field over all registers, and the worker's own patients by why they are of concern, each with its count.
import { Button } from 'primereact/button';
import { InputText } from 'primereact/inputtext';
import { useEffect, useId, useRef, useState, type SyntheticEvent } from 'react';
import { Link } from 'react-router';
import { api, messageOf } from '../api/client';
import { useApi } from '../api/hooks';
import { EMPTY, formatDate, formatNumber } from '../format';
import { t } from '../messages';
import { rememberRegister } from '../places';
import type { Reply } from '../schema';
import { Field } from '../ui/Field';
import { FoldingPanel } from '../ui/FoldingPanel';
import { GuideButton } from '../ui/GuideButton';
import { Page } from '../ui/Page';
import { Panel } from '../ui/Panel';
import { EmptyState, Loading, LoadFailed } from '../ui/states';
import style from './worklist.module.css';

const text = t.patients.worklist;
const GROUPS = ['danas', 'nesnimljeno', 'moji', 'nedavni'] as const;

export default function WorklistScreen() {
  const { data, error, mutate } = useApi('/api/worklist');
  return (
    <Page title={text.title} lead={text.lead} actions={<GuideButton page="worklist" />}>
      <Lookup />
      {error && !data ? (
        <Panel>
          <LoadFailed title={text.failed} error={error} retry={() => void mutate()} />
        </Panel>
      ) : !data ? (
        <Panel>
          <Loading lines={8} />
        </Panel>
      ) : (
        <div className={style.groups}>
          {GROUPS.map((group) => (
            <Group key={group} title={text.groups[group]} group={data[group]} />
          ))}
        </div>
      )}
    </Page>
  );
}

function Group({ title, group: { broj, pacijenti } }: { title: string; group: Reply<'PatientGroup'> }) {
  return (
    <FoldingPanel title={`${title}: ${formatNumber(broj)}`} flush>
      {pacijenti.length === 0 ? (
        <p className={style.none}>{text.none}</p>
      ) : (
        <ul className={style.list} aria-label={title}>
          {pacijenti.map(({ pacijentID, imePrezime, datumRodjenja, dan }) => (
            <li key={pacijentID}>
              <Link to={`/pacijenti/${pacijentID}`}>{imePrezime}</Link>
              <small>{text.born(formatDate(datumRodjenja))}</small>
              <small className={style.day}>{formatDate(dan)}</small>
            </li>
          ))}
        </ul>
      )}
      {broj > pacijenti.length && <p className={style.none}>{text.first(pacijenti.length)}</p>}
    </FoldingPanel>
  );
}

/** What is typed stays on the screen: it stands in no address. */
function Lookup() {
  const id = useId();
  const [typed, setTyped] = useState('');
  const [answer, setAnswer] = useState<Reply<'LookupAnswer'> | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const found = useRef<HTMLUListElement>(null);
  useEffect(() => {
    if (window.matchMedia('(pointer: fine)').matches) input.current?.focus();
  }, []);
  // The keyboard goes on at the first who was found.
  useEffect(() => {
    if (answer) found.current?.querySelector('a')?.focus();
  }, [answer]);

  async function submit(event: SyntheticEvent) {
    event.preventDefault();
    setBusy(true);
    setProblem(null);
    try {
      setAnswer(await api.post('/api/patient-lookups', { tekst: typed }));
    } catch (error) {
      setAnswer(null);
      setProblem(messageOf(error));
      input.current?.focus();
    }
    setBusy(false);
  }

  return (
    <Panel>
      <form id={id} onSubmit={(event) => void submit(event)} className={style.lookup} role="search" aria-label={text.lookup} noValidate>
        <Field label={text.lookup} error={problem} help={text.lookupHelp}>
          {({ invalid, ...control }) => (
            <InputText
              {...control}
              ref={input}
              className={invalid ? 'p-invalid' : undefined}
              value={typed}
              autoComplete="off"
              onChange={({ target }) => setTyped(target.value)}
            />
          )}
        </Field>
        <Button type="submit" label={t.common.search} icon="pi pi-search" loading={busy} />
      </form>
      {answer &&
        (answer.pacijenti.length === 0 ? (
          <EmptyState icon="pi-search" title={text.nobody} help={text.nobodyHelp} />
        ) : (
          <>
            <ul ref={found} className={style.list} aria-label={text.found(answer.pacijenti.length)}>
              {answer.pacijenti.map((patient) => (
                <FoundPatient key={patient.pacijentID} patient={patient} />
              ))}
            </ul>
            {answer.skraceno && <p className={style.none}>{text.more}</p>}
          </>
        ))}
    </Panel>
  );
}

function FoundPatient({ patient }: { patient: Reply<'KnownPatient'> }) {
  const { pacijentID, imePrezime, jmbg, lbo, brojKartona, datumRodjenja, registri } = patient;
  const only = registri.length === 1 ? registri[0] : undefined;
  return (
    <li>
      <Link to={`/pacijenti/${pacijentID}`} onClick={() => only && rememberRegister(only.id)}>
        {imePrezime}
      </Link>
      <small>{text.born(formatDate(datumRodjenja))}</small>
      <small>{[jmbg && `JMBG ${jmbg}`, lbo && `LBO ${lbo}`, brojKartona].filter(Boolean).join(' · ') || EMPTY}</small>
      <small className={style.day}>{registri.map(({ naziv }) => naziv).join(', ')}</small>
    </li>
  );
}
