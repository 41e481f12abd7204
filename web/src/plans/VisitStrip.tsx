// The visits of a patient's plan on her page: what is open now, what was done, and the way to the right form of the right day.
import { Button } from 'primereact/button';
import { Message } from 'primereact/message';
import { Tag } from 'primereact/tag';
import { useState } from 'react';
import { Link } from 'react-router';
import { at } from '../api/address';
import { api } from '../api/client';
import { useApi } from '../api/hooks';
import { printed } from '../api/prints';
import { formatDate } from '../format';
import { t } from '../messages';
import { entryPath, newEntryPath } from '../places';
import type { Reply, Schema } from '../schema';
import { today } from '../today';
import { GuideButton } from '../ui/GuideButton';
import { Panel } from '../ui/Panel';
import { Loading, LoadFailed } from '../ui/states';
import { openTab, showPdf } from '../ui/pdfTab';
import { useToast } from '../ui/toast';
import { useDeed } from '../ui/useDeed';
import { CancelDialog } from './CancelDialog';
import { LinkDialog } from './LinkDialog';
import { PlanDialog } from './PlanDialog';
import style from './plans.module.css';

const text = t.plans.strip;
type Visit = Reply<'PlannedVisit'>;

/** Visits that stand there before somebody asks for all of them. */
const SHOWN = 6;

const SEVERITY = {
  buduca: 'secondary',
  ispunjena: 'success',
  vanProzora: 'warning',
  otvorena: 'info',
  kasni: 'danger',
  propustena: 'danger',
  otkazana: 'secondary',
} as const satisfies Readonly<Record<Schema<'VisitState'>, string>>;

/** The visits around today: the last that is over, and those after it. */
function around(visits: readonly Visit[]): readonly Visit[] {
  const next = visits.findIndex(({ stanje }) => stanje === 'otvorena' || stanje === 'kasni' || stanje === 'buduca');
  const from = Math.max(0, next === -1 ? visits.length - SHOWN : Math.min(next - 2, visits.length - SHOWN));
  return visits.slice(from, from + SHOWN);
}

export function VisitStrip({ patient, register }: { patient: number; register: number }) {
  const { data, error, mutate } = useApi(at('/api/patients/{id}/visit-plan', { id: patient, registarID: register }));
  const [all, setAll] = useState(false);
  const [changing, setChanging] = useState(false);
  const reload = () => void mutate();
  if (error && !data) {
    return (
      <Panel title={text.title}>
        <LoadFailed title={text.failed} error={error} retry={reload} />
      </Panel>
    );
  }
  // As high as what comes, which would push the entries away from under the pointer.
  if (!data) return <Loading lines={9} />;
  const { plan, planovi, posete, izmena } = data;
  // A register without plans has no strip.
  if (!plan && planovi.length === 0) return null;
  const shown = all ? posete : around(posete);
  return (
    <Panel
      title={text.title}
      actions={
        <>
          <GuideButton page="visitPlan" />
          {izmena && (
            <Button label={plan ? text.change : text.assign} size="small" outlined severity="secondary" onClick={() => setChanging(true)} />
          )}
        </>
      }
    >
      <div className={style.strip}>
        {plan ? (
          <p className={style.about}>
            <span>
              {text.about(plan.naziv, formatDate(plan.ukljucenje))}
              {plan.ukljucenjeRucno && ` (${text.moved})`}
            </span>
            <DatesButton visits={posete} />
          </p>
        ) : (
          <p className={style.about}>{text.none}</p>
        )}
        {plan?.prekinut && <Message severity="info" text={text.ended} />}
        <ol className={style.visits} aria-label={text.title}>
          {shown.map((visit) => (
            <VisitCard key={visit.id} visit={visit} patient={patient} register={register} mayChange={izmena} reload={reload} />
          ))}
        </ol>
        {posete.length > SHOWN && (
          <div>
            <Button label={all ? text.less : text.more} text size="small" onClick={() => setAll(!all)} />
          </div>
        )}
      </div>
      {changing && (
        <PlanDialog
          patient={patient}
          register={register}
          plan={plan}
          choices={planovi}
          onClose={() => setChanging(false)}
          onSaved={() => {
            setChanging(false);
            reload();
          }}
        />
      )}
    </Panel>
  );
}

/** A print is asked for by an entry of the patient that the worker may read. */
function DatesButton({ visits }: { visits: readonly Visit[] }) {
  const toast = useToast();
  const [printing, setPrinting] = useState(false);
  const entry = visits.find(({ unosID }) => unosID !== null)?.unosID;
  if (entry === undefined || entry === null) return null;

  async function print(unosID: number) {
    const tab = openTab(t.entries.printing);
    setPrinting(true);
    try {
      const pdf = await printed({ unosID, termini: true }, () => !tab?.closed);
      if (pdf) showPdf(tab, pdf);
    } catch (error) {
      tab?.close();
      toast.failure(t.entries.printFailed, error);
    } finally {
      setPrinting(false);
    }
  }

  return <Button label={text.print} icon="pi pi-print" size="small" text loading={printing} onClick={() => void print(entry)} />;
}

interface CardProps {
  visit: Visit;
  patient: number;
  register: number;
  mayChange: boolean;
  reload: () => void;
}

const nameOf = ({ naziv, ponavljaSe, red }: Visit) => (ponavljaSe ? text.turn(naziv, red) : naziv);

function VisitCard({ visit, patient, register, mayChange, reload }: CardProps) {
  const [asked, setAsked] = useState<'link' | 'cancel' | null>(null);
  const { busy, act } = useDeed(reload);
  const { id, stanje, cilj, prozorOd, prozorDo, unosID, danUnosa, razlog, pomeranja } = visit;
  const isDone = stanje === 'ispunjena' || stanje === 'vanProzora';
  const isAwaited = stanje === 'otvorena' || stanje === 'kasni';
  const done = () => {
    setAsked(null);
    reload();
  };
  const name = nameOf(visit);
  return (
    <li data-state={stanje}>
      <p className={style.head}>
        <span>{name}</span>
        <Tag value={t.plans.states[stanje]} severity={SEVERITY[stanje]} />
      </p>
      <p>{formatDate(cilj)}</p>
      <p className={style.small}>{text.window(formatDate(prozorOd), formatDate(prozorDo))}</p>
      {danUnosa && <p className={style.small}>{text.done(formatDate(danUnosa))}</p>}
      {razlog && <p className={style.small}>{razlog}</p>}
      {pomeranja.length > 0 && <p className={style.small}>{text.earlier(pomeranja.map(({ cilj }) => formatDate(cilj)).join(', '))}</p>}
      <div className={style.actions}>
        {visit.formulari.map((form) =>
          form.unosID !== null ? (
            <Link key={form.tsaID} to={entryPath(form.unosID)}>
              {text.open(form.naziv)}
            </Link>
          ) : (
            mayChange &&
            (isDone || isAwaited) && (
              <Link key={form.tsaID} to={newEntryPath(form.tsaID, patient, isDone ? danUnosa : today())}>
                {text.begin(form.naziv)}
              </Link>
            )
          ),
        )}
        {visit.formulari.length === 0 && unosID !== null && <Link to={entryPath(unosID)}>{t.common.open}</Link>}
      </div>
      {mayChange && (
        <div className={style.actions}>
          {stanje !== 'otkazana' && (
            <Button
              label={text.link}
              aria-label={`${text.link}: ${name}`}
              text
              size="small"
              disabled={busy}
              onClick={() => setAsked('link')}
            />
          )}
          {isDone && (
            <Button
              label={text.unlink}
              aria-label={`${text.unlink}: ${name}`}
              text
              size="small"
              disabled={busy}
              onClick={() => void act(() => api.post(at('/api/planned-visits/{id}/unlink', { id })), text.actionsFailed)}
            />
          )}
          {!isDone && stanje !== 'otkazana' && (
            <Button
              label={text.cancel}
              aria-label={`${text.cancel}: ${name}`}
              text
              size="small"
              disabled={busy}
              onClick={() => setAsked('cancel')}
            />
          )}
          {stanje === 'otkazana' && razlog && (
            <Button
              label={text.restore}
              aria-label={`${text.restore}: ${name}`}
              text
              size="small"
              disabled={busy}
              onClick={() => void act(() => api.post(at('/api/planned-visits/{id}/restore', { id })), text.actionsFailed)}
            />
          )}
        </div>
      )}
      {asked === 'link' && <LinkDialog visit={id} patient={patient} register={register} onClose={() => setAsked(null)} onDone={done} />}
      {asked === 'cancel' && <CancelDialog visit={id} onClose={() => setAsked(null)} onDone={done} />}
    </li>
  );
}
