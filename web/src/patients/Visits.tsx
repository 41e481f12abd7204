// The patient's visits, newest first: the forms of each, the way to one more, and one day and one doctor for all of them.
import { Button } from 'primereact/button';
import { Dialog } from 'primereact/dialog';
import { useId, useState, type SyntheticEvent } from 'react';
import { Link } from 'react-router';
import { mutate as mutateAll } from 'swr';
import { at } from '../api/address';
import { api, ApiError } from '../api/client';
import { useApi } from '../api/hooks';
import { formatDate, fromServer } from '../format';
import { t } from '../messages';
import { entryPath } from '../places';
import type { Reply, Schema } from '../schema';
import { today } from '../today';
import { Combobox } from '../ui/Combobox';
import { DateInput } from '../ui/DateInput';
import { Field } from '../ui/Field';
import { focusFirst } from '../ui/formFocus';
import { GuideButton } from '../ui/GuideButton';
import { Panel } from '../ui/Panel';
import { EmptyState, Loading, LoadFailed } from '../ui/states';
import { useToast } from '../ui/toast';
import { useFocusReturn } from '../ui/useFocusReturn';
import style from './page.module.css';
import search from './search.module.css';
import { ToolButton } from './ToolButton';

const text = t.patients.visits;

/** So many are shown until all are asked for. */
const FIRST = 5;

interface Props {
  patient: number;
  register: number;
  mayChange: boolean;
  /** Begins a form in the visit of that day. */
  begin: (day: string) => void;
}

export const visitsOf = (patient: number, register: number) => at('/api/patients/{id}/visits', { id: patient, registarID: register });

export function Visits({ patient, register, mayChange, begin }: Props) {
  const { data, error, mutate } = useApi(visitsOf(patient, register));
  const [isAll, setAll] = useState(false);
  const [changing, setChanging] = useState<Reply<'VisitRow'> | null>(null);
  if (error && !data) {
    return (
      <Panel title={text.title}>
        <LoadFailed title={text.failed} error={error} retry={() => void mutate()} />
      </Panel>
    );
  }
  const visits = data?.data ?? [];
  const shown = isAll ? visits : visits.slice(0, FIRST);
  return (
    <Panel title={text.title} flush actions={<GuideButton page="visits" />}>
      {!data ? (
        <Loading lines={4} />
      ) : visits.length === 0 ? (
        <EmptyState icon="pi-calendar" title={text.none} />
      ) : (
        <ul className={style.visitList} aria-label={text.title}>
          {shown.map((visit) => (
            <VisitItem key={visit.id} visit={visit} mayChange={mayChange} begin={begin} onChange={() => setChanging(visit)} />
          ))}
        </ul>
      )}
      {visits.length > shown.length && (
        <Button type="button" text size="small" label={text.all(visits.length)} onClick={() => setAll(true)} className={style.allVisits} />
      )}
      {changing && <VisitDialog visit={changing} doctors={data?.lekari ?? []} patient={patient} onClose={() => setChanging(null)} />}
    </Panel>
  );
}

interface ItemProps extends Pick<Props, 'mayChange' | 'begin'> {
  visit: Reply<'VisitRow'>;
  onChange: () => void;
}

function VisitItem({ visit: { datum, ustanova, lekar, obrasci, pravoIzmene }, mayChange, begin, onChange }: ItemProps) {
  const day = formatDate(datum);
  return (
    <li>
      <div className={style.visitHead}>
        <strong>{day}</strong> {datum === today() && <span className={style.count}>{text.today}</span>}
        {mayChange && pravoIzmene && (
          <span className={style.tools}>
            <ToolButton icon="pi-plus" does={text.addForm} name={text.addFormOf(day)} onClick={() => begin(datum)} />
            <ToolButton icon="pi-calendar" does={text.change} name={text.changeOf(day)} onClick={onChange} />
          </span>
        )}
      </div>
      <ul aria-label={text.formsOf(day)}>
        {obrasci.map(({ unosID, naziv, popunjeniRelevantni }) => (
          <li key={unosID}>
            <Link to={entryPath(unosID)}>{naziv}</Link>
            {!popunjeniRelevantni && (
              <span
                className={`pi pi-bell ${style.bell ?? ''}`}
                role="img"
                aria-label={t.patients.page.irrelevant}
                title={t.patients.page.irrelevant}
              />
            )}
          </li>
        ))}
      </ul>
      <small>{[lekar, ustanova].filter(Boolean).join(', ')}</small>
    </li>
  );
}

interface DialogProps {
  visit: Reply<'VisitRow'>;
  doctors: readonly Schema<'ResponsibleOption'>[];
  patient: number;
  onClose: () => void;
}

/** One day and one doctor for all forms of the visit; each of them is a change of its own in its history. */
function VisitDialog({ visit, doctors, patient, onClose }: DialogProps) {
  useFocusReturn();
  const { id: key, obrasci } = visit;
  const doctorID = visit.lekarID ?? null;
  const [date, setDate] = useState<string | null>(visit.datum);
  const [doctor, setDoctor] = useState<number | null>(doctorID);
  const [problem, setProblem] = useState<{ field: string | null; message: string } | null>(null);
  const [busy, setBusy] = useState(false);
  const toast = useToast();
  const id = useId();
  const options = doctors.map(({ id: value, imePrezime }) => ({ value, label: imePrezime }));
  if (doctorID !== null && visit.lekar && !options.some(({ value }) => value === doctorID))
    options.push({ value: doctorID, label: visit.lekar });

  async function submit(event: SyntheticEvent) {
    event.preventDefault();
    if (date === null || !fromServer(date)) return setProblem({ field: 'datum', message: t.patients.newEntry.wrongDate });
    setBusy(true);
    try {
      const change = { datum: date, radnikOdgovoran: doctor, osnovaRadnikOdgovoran: doctorID };
      const { promenjeno } = await api.put(at('/api/visits/{id}', { id: key }), change);
      // Everything that is listed of the patient's entries stands by their days.
      await mutateAll((address) => typeof address === 'string' && address.startsWith(`/api/patients/${patient}/`));
      toast.success(text.changed(promenjeno));
      onClose();
    } catch (error) {
      if (error instanceof ApiError && error.status === 422) setProblem({ field: error.field, message: error.message });
      else toast.failure(text.notChanged, error);
      setBusy(false);
    }
  }

  return (
    <Dialog
      visible
      header={text.changeOf(formatDate(visit.datum))}
      onHide={onClose}
      draggable={false}
      onShow={() => focusFirst(id)}
      style={{ width: 'min(30rem, 94vw)' }}
      footer={
        <>
          <Button type="button" label={t.common.cancel} severity="secondary" outlined onClick={onClose} />
          <Button type="submit" form={id} label={text.save} loading={busy} />
        </>
      }
    >
      <form id={id} onSubmit={(event) => void submit(event)} className={search.dialog} noValidate>
        <p>{text.changeLead(obrasci.map(({ naziv }) => naziv).join(', '))}</p>
        <Field label={text.date} required error={problem?.field === 'datum' ? problem.message : null}>
          {(control) => <DateInput {...control} value={date} max={today()} onChange={setDate} />}
        </Field>
        {options.length > 0 && (
          <Field label={text.doctor} required error={problem?.field === 'radnikOdgovoran' ? problem.message : null}>
            {(control) => (
              <Combobox
                {...control}
                value={doctor}
                options={options}
                onChange={setDoctor}
                emptyMessage={t.entries.noDoctor}
                placeholder={t.common.choose}
                required
              />
            )}
          </Field>
        )}
        {problem && problem.field !== 'datum' && problem.field !== 'radnikOdgovoran' && (
          <p role="alert" className={search.problem}>
            {problem.message}
          </p>
        )}
      </form>
    </Dialog>
  );
}
