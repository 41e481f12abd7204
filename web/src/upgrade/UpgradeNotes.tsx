// What an upgrade has changed, for those who can see to it: a list that shrinks as they do, or put things away.
import { Button } from 'primereact/button';
import { api } from '../api/client';
import type { Schema } from '../schema';
import { useApi } from '../api/hooks';
import { useWorker } from '../api/session';
import { mayOpen, Right } from '../auth/rights';
import { t } from '../messages';
import { FoldingPanel } from '../ui/FoldingPanel';
import { useToast } from '../ui/toast';
import style from './upgradeNotes.module.css';

const text = t.admin.upgrade;
const KINDS = Object.keys(text.kinds) as Schema<'UpgradeNote'>['vrsta'][];

export function UpgradeNotes() {
  const { prava } = useWorker();
  const told = mayOpen(prava, [Right.Roles, Right.Workers, Right.ReportSetup]);
  const { data, mutate } = useApi(told ? '/api/upgrade-notes' : null, { revalidateOnFocus: false });
  const toast = useToast();
  const notes = data?.data ?? [];
  if (notes.length === 0) return null;

  async function dismiss({ vrsta, id }: Schema<'UpgradeNote'>) {
    toast.clear();
    try {
      await api.post('/api/upgrade-notes-dismiss', { vrsta, id });
    } catch (failure) {
      toast.failure(text.dismissFailed, failure);
    }
    await mutate();
  }

  return (
    <div className={style.notes}>
      <FoldingPanel title={text.title(notes.length)}>
        <p className={style.lead}>{text.lead}</p>
        {KINDS.map((kind) => ({ kind, rows: notes.filter(({ vrsta }) => vrsta === kind) }))
          .filter(({ rows }) => rows.length > 0)
          .map(({ kind, rows }) => (
            <section key={kind} className={style.kind}>
              <h3>{text.kinds[kind]}</h3>
              <ul>
                {rows.map((note) => (
                  <li key={note.id}>
                    <span>
                      <strong>{note.naziv}</strong>
                      <small>{note.opis}</small>
                    </span>
                    <Button
                      label={text.dismiss}
                      aria-label={text.dismissOne(note.naziv)}
                      icon="pi pi-check"
                      size="small"
                      text
                      onClick={() => void dismiss(note)}
                    />
                  </li>
                ))}
              </ul>
            </section>
          ))}
      </FoldingPanel>
    </div>
  );
}
