// What this worker typed for a patient and has not saved: which visits it is of, and the way to each.
import { Link } from 'react-router';
import { useApi } from '../api/hooks';
import type { components } from '../gen/api';
import { formatDate, formatDateTime, fromServer } from '../format';
import { t } from '../messages';
import { entryPath, newEntryPath } from '../places';
import style from './page.module.css';

const text = t.patients.page;

type StoredDraft = components['schemas']['KeptDraft'];
/** What of a draft is told; drafts from before name no form. */
interface Content {
  naziv?: string;
  datumUnosa?: string | null;
  osnovaDatumUnosa?: string | null;
}

interface UnsavedEntry {
  key: string;
  path: string;
  form: string;
  day: string | null;
  at: string;
}

/** `novi-5-9.window` and `unos-7.window`. */
const NEW = /^novi-\d+-(\d+)\./;
const EXISTING = /^unos-(\d+)\./;

function unsaved({ kljuc, pacijentID, sadrzaj, izmenjeno }: StoredDraft): UnsavedEntry | null {
  const { naziv = text.unsavedForm, datumUnosa, osnovaDatumUnosa } = sadrzaj as Content;
  const [form, entry] = [NEW.exec(kljuc)?.[1], EXISTING.exec(kljuc)?.[1]];
  const written = form === undefined ? osnovaDatumUnosa : datumUnosa;
  const day = written && fromServer(written) ? written : null;
  const told = { key: kljuc, form: naziv, day, at: izmenjeno };
  if (form !== undefined) return { ...told, path: newEntryPath(Number(form), pacijentID, day) };
  return entry === undefined ? null : { ...told, path: entryPath(Number(entry)) };
}

export function UnsavedEntries({ patient }: { patient: number }) {
  const { data } = useApi<{ data: StoredDraft[] }>('/api/entry-drafts', { pacijentID: patient });
  const found = (data?.data ?? []).map(unsaved).filter((one) => one !== null);
  if (found.length === 0) return null;
  return (
    <section className={style.unsaved} aria-label={text.unsaved}>
      <p>
        <span className="pi pi-pencil" aria-hidden /> {text.unsavedLead}
      </p>
      <ul>
        {found.map(({ key, path, form, day, at }) => (
          <li key={key}>
            <Link to={path}>{text.unsavedOf(form, day && formatDate(day))}</Link> <small>{text.unsavedAt(formatDateTime(at))}</small>
          </li>
        ))}
      </ul>
    </section>
  );
}
