// The threads about one field or about all of an entry: read, answered, closed, opened again, and one more asked.
import { Button } from 'primereact/button';
import { Dialog } from 'primereact/dialog';
import { Dropdown } from 'primereact/dropdown';
import { InputTextarea } from 'primereact/inputtextarea';
import { useState, type SyntheticEvent } from 'react';
import { at } from '../api/address';
import { api, messageOf } from '../api/client';
import { useApi } from '../api/hooks';
import { formatDate, formatDateTime } from '../format';
import { t } from '../messages';
import { DateInput } from '../ui/DateInput';
import { Field } from '../ui/Field';
import { useFocusReturn } from '../ui/useFocusReturn';
import { isOpen, type EntryQuestion, type OpenQuestions } from './context';
import style from './questions.module.css';

const text = t.questions;
const LONGEST = 2000;

interface Props {
  open: OpenQuestions;
  /** None: all questions of the entry. */
  field: { id: number; name: string } | null;
  /** What a rule has found, of which a question is asked. */
  finding?: AskedFinding;
  onClose: () => void;
}

export interface AskedFinding {
  id: number;
  /** None: of the entry as a whole. */
  field: number | null;
  words: string;
}

export function QuestionsDialog({ open, field, finding, onClose }: Props) {
  useFocusReturn();
  const about = open.questions.filter(({ poljeID }) => field === null || poljeID === field.id);
  return (
    <Dialog
      visible
      header={field ? text.titleOf(field.name) : text.title}
      onHide={onClose}
      className={style.dialog}
      draggable={false}
      footer={<Button type="button" label={t.common.close} outlined onClick={onClose} />}
    >
      <div className={style.threads}>
        {about.length === 0 && <p className={style.none}>{text.none}</p>}
        {about.map((question) => (
          <Thread key={question.id} question={question} reload={open.reload} />
        ))}
        {open.mayAsk && (
          <AskForm entry={open.entry} field={finding ? finding.field : (field?.id ?? null)} finding={finding} reload={open.reload} />
        )}
      </div>
    </Dialog>
  );
}

function Thread({ question, reload }: { question: EntryQuestion; reload: () => void }) {
  const { id, polje, poreklo, stanje, dodeljenID, dodeljen, rok, kasni, poruke, pravoOdgovora, pravoZatvaranja } = question;
  const name = polje ?? text.whole;
  return (
    <section className={style.thread} aria-label={name} data-state={stanje}>
      <header>
        <strong>{name}</strong>
        <span className={style.state} data-state={stanje}>
          {text.states[stanje]}
        </span>
        <small>
          {text.origins[poreklo]}, {text.for(dodeljen)}
          {rok && `, ${text.dueOf(formatDate(rok))}`}
        </small>
        {kasni && <small className={style.late}>{text.late}</small>}
      </header>
      <ol>
        {poruke.map(({ id, vrsta, tekst, radnik, vreme, dodeljen }) => (
          <li key={id}>
            <small>
              {radnik}, {formatDateTime(vreme)}
              {vrsta !== 'pitanje' && vrsta !== 'odgovor' && `, ${text.deeds[vrsta]}`}
              {vrsta === 'dodela' && ` ${text.for(dodeljen)}`}
            </small>
            {tekst && <p>{tekst}</p>}
          </li>
        ))}
      </ol>
      {(isOpen(question) ? pravoOdgovora || pravoZatvaranja : pravoZatvaranja) && (
        <Answer key={`${id} ${stanje}`} question={question} reload={reload} />
      )}
      {isOpen(question) && pravoZatvaranja && <Assignment key={`${dodeljenID} ${rok ?? ''}`} question={question} reload={reload} />}
    </section>
  );
}

/** What was typed stays where it was refused. */
function Answer({ question, reload }: { question: EntryQuestion; reload: () => void }) {
  const { id, poruke, pravoOdgovora, pravoZatvaranja } = question;
  const open = isOpen(question);
  const [tekst, setTekst] = useState('');
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  async function send(deed: () => Promise<unknown>, needed: boolean) {
    if (needed && !isSaid(tekst)) return setError(text.missing);
    setBusy(true);
    setError(null);
    try {
      await deed();
      setTekst('');
    } catch (failure) {
      setError(messageOf(failure));
    }
    // Also where it was refused: somebody else may have said something meanwhile.
    reload();
    setBusy(false);
  }

  const answer = () => send(() => api.post(at('/api/questions/{id}/messages', { id }), { tekst }), true);
  const close = () => send(() => api.post(at('/api/questions/{id}/close', { id }), { tekst, porukaID: poruke.at(-1)?.id ?? 0 }), false);
  const reopen = () => send(() => api.post(at('/api/questions/{id}/reopen', { id }), { tekst }), true);
  return (
    <form
      noValidate
      onSubmit={(event: SyntheticEvent) => {
        event.preventDefault();
        void (open ? answer() : reopen());
      }}
    >
      <Field label={open ? text.answer : text.reason} error={error} help={open ? undefined : text.reopenHelp}>
        {(control) => <InputTextarea {...control} value={tekst} rows={2} autoResize onChange={({ target }) => setTekst(target.value)} />}
      </Field>
      <div className={style.buttons}>
        {open && pravoZatvaranja && (
          <Button
            type="button"
            label={text.close}
            icon="pi pi-check"
            severity="secondary"
            outlined
            disabled={busy}
            onClick={() => void close()}
          />
        )}
        {open && pravoOdgovora && <Button type="submit" label={text.send} icon="pi pi-send" loading={busy} />}
        {!open && <Button type="submit" label={text.reopen} icon="pi pi-replay" outlined loading={busy} />}
      </div>
    </form>
  );
}

/** Gives the question to somebody else, or moves its day; one button until it is asked for. */
function Assignment({ question: { id, dodeljenID, dodeljen, rok: due }, reload }: { question: EntryQuestion; reload: () => void }) {
  const [open, setOpen] = useState(false);
  const { data: workers } = useApi(open ? '/api/question-workers' : null);
  const [worker, setWorker] = useState(dodeljenID);
  const [rok, setRok] = useState<string | null>(due ?? null);
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  if (!open) {
    return (
      <div className={style.buttons}>
        <Button type="button" label={text.assign} icon="pi pi-user-edit" text size="small" onClick={() => setOpen(true)} />
      </div>
    );
  }

  async function submit(event: SyntheticEvent) {
    event.preventDefault();
    setBusy(true);
    setError(null);
    try {
      await api.post(at('/api/questions/{id}/assign', { id }), { dodeljenID: worker, rok });
      reload();
    } catch (failure) {
      setError(messageOf(failure));
    }
    setBusy(false);
  }

  const listed = (workers?.data ?? []).map(({ id: value, imePrezime: label }) => ({ value, label }));
  // Who does not work here any more is still the one whom the question waits for.
  const options = listed.some(({ value }) => value === dodeljenID) ? listed : [{ value: dodeljenID, label: dodeljen }, ...listed];
  return (
    <form onSubmit={(event) => void submit(event)} noValidate aria-label={text.assign}>
      <div className={style.fields}>
        <Field label={text.assignee} error={error}>
          {({ id: input, ...control }) => (
            <Dropdown
              {...control}
              inputId={input}
              filter
              value={worker}
              options={options}
              onChange={({ value }: { value: number }) => setWorker(value)}
            />
          )}
        </Field>
        <Field label={text.due}>{(control) => <DateInput {...control} value={rok} onChange={setRok} />}</Field>
      </div>
      <div className={style.buttons}>
        <Button type="button" label={t.common.cancel} severity="secondary" outlined disabled={busy} onClick={() => setOpen(false)} />
        <Button type="submit" label={text.give} icon="pi pi-user-edit" outlined loading={busy} />
      </div>
    </form>
  );
}

const isSaid = (typed: string): boolean => typed.trim().length > 0 && typed.trim().length <= LONGEST;
/** Nobody has this id: the doctor of the entry is asked. */
const OF_ENTRY = 0;

interface AskProps {
  entry: number;
  field: number | null;
  finding: AskedFinding | undefined;
  reload: () => void;
}

function AskForm({ entry, field, finding, reload }: AskProps) {
  const { data: workers } = useApi('/api/question-workers');
  // The rule's words are a beginning: who asks says more, or something else.
  const [tekst, setTekst] = useState(finding?.words ?? '');
  const [dodeljenID, setDodeljen] = useState(OF_ENTRY);
  const [rok, setRok] = useState<string | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  async function submit(event: SyntheticEvent) {
    event.preventDefault();
    if (!isSaid(tekst)) return setError(text.missing);
    setBusy(true);
    setError(null);
    try {
      await api.post(at('/api/entries/{id}/questions', { id: entry }), {
        poljeID: field,
        tekst,
        dodeljenID: dodeljenID || null,
        rok,
        nalazID: finding?.id ?? null,
      });
      setTekst('');
      setRok(null);
      reload();
    } catch (failure) {
      setError(messageOf(failure));
    }
    setBusy(false);
  }

  return (
    <form className={style.ask} onSubmit={(event) => void submit(event)} noValidate>
      {finding && <small>{text.ofFinding(finding.words)}</small>}
      <Field label={text.question} required error={error}>
        {(control) => <InputTextarea {...control} value={tekst} rows={3} autoResize onChange={({ target }) => setTekst(target.value)} />}
      </Field>
      <div className={style.fields}>
        <Field label={text.assignee}>
          {({ id, ...control }) => (
            <Dropdown
              {...control}
              inputId={id}
              filter
              value={dodeljenID}
              options={[
                { value: OF_ENTRY, label: text.assigneeOfEntry },
                ...(workers?.data ?? []).map(({ id, imePrezime }) => ({ value: id, label: imePrezime })),
              ]}
              onChange={({ value }: { value: number }) => setDodeljen(value)}
            />
          )}
        </Field>
        <Field label={text.due}>{(control) => <DateInput {...control} value={rok} onChange={setRok} />}</Field>
      </div>
      <div className={style.buttons}>
        <Button type="submit" label={text.ask} icon="pi pi-flag" loading={busy} />
      </div>
    </form>
  );
}
