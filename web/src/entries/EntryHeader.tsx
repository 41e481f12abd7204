// The head of an entry: its day and its doctor, who made and changed it, and what keeps it from being made.
import type { ReactNode } from 'react';
import { at } from '../api/address';
import { useApi } from '../api/hooks';
import { formatDateTime, fromServer } from '../format';
import { t } from '../messages';
import { ExistingEntries } from '../patients/ExistingEntries';
import type { Schema } from '../schema';
import { Combobox } from '../ui/Combobox';
import { EntryDate } from './drawing/EntryDate';
import style from './drawing/entry.module.css';
import { inputId, noteId, useFieldState, useOpenEntry } from './drawing/form';
import { dateRangeOf, examinedFault } from './model/rules';
import { DATE, DOCTOR } from './model/store';
import type { Display } from './model/types';

const text = t.entries;

export function EntryHeader({
  display,
  doctors,
  dateGiven,
}: {
  display: Display;
  doctors: readonly Schema<'ResponsibleOption'>[];
  dateGiven: boolean;
}) {
  const { tsa } = display;
  const { store, readOnly } = useOpenEntry();
  const days = dateRangeOf(display);
  const date = useFieldState(store, DATE);
  // A day that cannot be is told as soon as it stands there; one that is being typed is none yet.
  const wrong = date.error ?? (typeof date.value === 'string' && fromServer(date.value) ? examinedFault(store, days) : null);
  const doctor = useFieldState(store, DOCTOR);
  return (
    <div className={style.head}>
      <HeadField id={DATE} label={text.date} error={wrong}>
        <EntryDate
          id={inputId(DATE)}
          value={typeof date.value === 'string' ? date.value : null}
          onChange={(value) => store.set(DATE, value)}
          disabled={readOnly || dateGiven}
          invalid={wrong !== null}
          min={days.from}
          max={days.to}
          aria-describedby={wrong ? noteId(DATE) : undefined}
          aria-required
        />
      </HeadField>
      {doctors.length > 0 && (
        <HeadField id={DOCTOR} label={text.doctor} error={doctor.error}>
          <Combobox
            id={inputId(DOCTOR)}
            value={typeof doctor.value === 'number' ? doctor.value : null}
            options={doctors.map(({ id, imePrezime, dostupan }) => ({
              value: id,
              label: dostupan ? imePrezime : text.formerDoctor(imePrezime),
            }))}
            onChange={(value) => store.set(DOCTOR, value)}
            emptyMessage={text.noDoctor}
            placeholder={t.common.choose}
            required
            disabled={readOnly}
            invalid={doctor.error !== null}
            aria-describedby={doctor.error ? noteId(DOCTOR) : undefined}
          />
        </HeadField>
      )}
      {tsa.doktorKreirao && <Deed label={text.created} who={tsa.doktorKreirao} when={tsa.datumKreiranja} />}
      {tsa.doktorIzmenio && <Deed label={text.changed} who={tsa.doktorIzmenio} when={tsa.datumIzmene} />}
    </div>
  );
}

/** What keeps a new entry from being made, or this one from its day, said before a form is filled in vain. */
export function Refusal({ display }: { display: Display }) {
  const { pacijent, tsa, pravoIzmene } = display;
  const { store } = useOpenEntry();
  const { value, error } = useFieldState(store, DATE);
  const datumUnosa = typeof value === 'string' && fromServer(value) ? value : null;
  const unosID = tsa.unosID ?? null;
  const isAsked = pravoIzmene && (unosID === null || (datumUnosa !== null && datumUnosa !== tsa.datumUnosa));
  const { data } = useApi(isAsked ? at('/api/entry-count', { pacijentID: pacijent.id, thaID: tsa.id, datumUnosa, unosID }) : null);
  const isTold = data?.poruka === error || data?.poruka === examinedFault(store, dateRangeOf(display));
  if (!data?.poruka) return null;
  const mayJoin = unosID === null && data.postojeci.some((entry) => entry.pravoIzmene);
  return (
    <>
      {!isTold && (
        <p className={style.refusal} role="alert">
          {data.poruka}
        </p>
      )}
      <ExistingEntries entries={data.postojeci} />
      {mayJoin && <p className={style.existing}>{text.willJoin}</p>}
    </>
  );
}

function HeadField({ id, label, error, children }: { id: number; label: string; error: string | null; children: ReactNode }) {
  return (
    <div className={style.headField}>
      <label htmlFor={inputId(id)}>
        {label}
        <span className={style.required} title={t.common.required} aria-hidden>
          {' *'}
        </span>
      </label>
      {children}
      {error && (
        <small id={noteId(id)} className={style.error} role="alert">
          {error}
        </small>
      )}
    </div>
  );
}

const Deed = ({ label, who, when }: { label: string; who: string; when: string | null | undefined }) => (
  <dl className={style.deed}>
    <dt>{label}</dt>
    <dd>
      {who}
      <small>{formatDateTime(when)}</small>
    </dd>
  </dl>
);
