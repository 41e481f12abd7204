// What this worker typed for a patient and has not saved: which visits it is of, and the way to each. The server has it, and while the
// server was away only this device.
import { Link } from 'react-router';
import useSWR from 'swr';
import { at } from '../api/address';
import { closerTo } from '../api/closer';
import { useApi } from '../api/hooks';
import { useWorker } from '../api/session';
import { keptOfPatient, type Draft } from '../drafts/draftStorage';
import type { Schema } from '../schema';
import { formatDate, formatDateTime, fromServer, toServerDateTime } from '../format';
import { t } from '../messages';
import { entryPath, newEntryPath } from '../places';
import style from './page.module.css';

const text = t.patients.page;
/** What of a draft is told; drafts from before name no form. */
type Content = Partial<Pick<Draft, 'naziv' | 'datumUnosa' | 'osnovaDatumUnosa'>>;
const asContent = closerTo<Content>();

interface UnsavedEntry {
  key: string;
  path: string;
  form: string;
  day: string | null;
  at: string;
  /** The server does not have it. */
  isHere: boolean;
}

/** `novi-5-9.window` and `unos-7.window`. */
const NEW = /^novi-\d+-(\d+)\./;
const EXISTING = /^unos-(\d+)\./;

function unsaved(key: string, patient: number, content: Content, at: string, isHere: boolean): UnsavedEntry | null {
  const { naziv = text.unsavedForm, datumUnosa, osnovaDatumUnosa } = content;
  const [form, entry] = [NEW.exec(key)?.[1], EXISTING.exec(key)?.[1]];
  const written = form === undefined ? osnovaDatumUnosa : datumUnosa;
  const day = written && fromServer(written) ? written : null;
  const told = { key, form: naziv, day, at, isHere };
  if (form !== undefined) return { ...told, path: newEntryPath(Number(form), patient, day) };
  return entry === undefined ? null : { ...told, path: entryPath(Number(entry)) };
}

/** Of both copies of a draft that of this device: it is at least as new. Newest first. */
function joined(patient: number, sent: readonly Schema<'KeptDraft'>[], here: ReadonlyMap<string, Draft>): UnsavedEntry[] {
  const known = new Set(sent.map(({ kljuc }) => kljuc));
  const found = [
    ...sent
      .filter(({ kljuc }) => !here.has(kljuc))
      .map(({ kljuc, sadrzaj, izmenjeno }) => unsaved(kljuc, patient, asContent(sadrzaj), izmenjeno, false)),
    ...[...here].map(([key, draft]) => unsaved(key, patient, draft, toServerDateTime(new Date(draft.vreme)) ?? '', !known.has(key))),
  ];
  return found.filter((one) => one !== null).sort((one, other) => other.at.localeCompare(one.at));
}

const NONE: ReadonlyMap<string, Draft> = new Map();

export function UnsavedEntries({ patient }: { patient: number }) {
  const { id } = useWorker();
  const { data } = useApi(at('/api/entry-drafts', { pacijentID: patient }));
  const { data: here = NONE } = useSWR(['nacrti', id, patient], () => keptOfPatient(id, patient));
  const found = joined(patient, data?.data ?? [], here);
  if (found.length === 0) return null;
  return (
    <section className={style.unsaved} aria-label={text.unsaved}>
      <p>
        <span className="pi pi-pencil" aria-hidden /> {text.unsavedLead}
      </p>
      <ul>
        {found.map(({ key, path, form, day, at, isHere }) => (
          <li key={key}>
            <Link to={path}>{text.unsavedOf(form, day && formatDate(day))}</Link>{' '}
            <small>{(isHere ? text.unsavedHere : text.unsavedAt)(formatDateTime(at))}</small>
          </li>
        ))}
      </ul>
    </section>
  );
}
