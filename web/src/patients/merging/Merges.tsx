// Records that were merged into the patient, and their undoing: whose the rows since then are is asked.
import { Button } from 'primereact/button';
import { Dialog } from 'primereact/dialog';
import { RadioButton } from 'primereact/radiobutton';
import { useId, useState } from 'react';
import { at } from '../../api/address';
import { api, messageOf } from '../../api/client';
import { useApi } from '../../api/hooks';
import type { Reply } from '../../schema';
import { formatDate, formatDateTime } from '../../format';
import { t } from '../../messages';
import { Panel } from '../../ui/Panel';
import { useToast } from '../../ui/toast';
import { useFocusReturn } from '../../ui/useFocusReturn';
import style from './merging.module.css';

const text = t.merging;

export function Merges({ patient, reload }: { patient: number; reload: () => void }) {
  const { data, mutate } = useApi(at('/api/patients/{id}/merges', { id: patient }));
  const [undoing, setUndoing] = useState<Reply<'PatientMerge'> | null>(null);
  if (!data || data.data.length === 0) return null;
  return (
    <Panel title={text.merges} flush>
      <ul className={style.list} aria-label={text.merges}>
        {data.data.map((merge) => (
          <li key={merge.id}>
            <div className={style.what}>
              <p>
                {merge.gubitnik} {formatDate(merge.datumRodjenja)} <span className={style.muted}>{merge.jmbg}</span>
              </p>
              <p>{text.mergedBy(merge.radnik, formatDateTime(merge.vreme), merge.premesteno)}</p>
              <p className={style.muted}>{text.because(merge.razlog)}</p>
              {merge.razdvojeno && <p className={style.muted}>{text.apartBy(merge.razdvojio ?? '', formatDateTime(merge.razdvojeno))}</p>}
            </div>
            {merge.moze && (
              <Button
                label={text.unmerge}
                aria-label={text.unmergeOf(merge.gubitnik)}
                icon="pi pi-undo"
                outlined
                severity="secondary"
                size="small"
                onClick={() => setUndoing(merge)}
              />
            )}
          </li>
        ))}
      </ul>
      {undoing && (
        <UnmergeDialog
          merge={undoing}
          onClose={() => setUndoing(null)}
          onDone={() => {
            setUndoing(null);
            void mutate();
            reload();
          }}
        />
      )}
    </Panel>
  );
}

function UnmergeDialog({ merge, onClose, onDone }: { merge: Reply<'PatientMerge'>; onClose: () => void; onDone: () => void }) {
  useFocusReturn();
  const [owners, setOwners] = useState<readonly (boolean | null)[]>(merge.noviji.map(() => null));
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const toast = useToast();
  const id = useId();

  async function undo() {
    const noviji = merge.noviji.flatMap(({ tabela, kljuc }, at) => {
      const prelazi = owners[at];
      return prelazi === null || prelazi === undefined ? [] : [{ tabela, kljuc, prelazi }];
    });
    if (noviji.length < merge.noviji.length) return setError(text.chooseEach);
    setBusy(true);
    try {
      await api.post(at('/api/patient-merges/{id}/unmerge', { id: merge.id }), { noviji });
      toast.success(text.unmerged);
      return onDone();
    } catch (failure) {
      setError(messageOf(failure));
    }
    setBusy(false);
  }

  return (
    <Dialog
      visible
      header={text.unmergeTitle}
      onHide={onClose}
      className={style.dialog}
      draggable={false}
      closeOnEscape={!busy}
      footer={
        <>
          <Button type="button" label={t.common.cancel} severity="secondary" outlined disabled={busy} onClick={onClose} />
          <Button label={text.unmerge} severity="danger" loading={busy} onClick={() => void undo()} />
        </>
      }
    >
      <p>{text.unmergeHelp(merge.gubitnik)}</p>
      {merge.noviji.length > 0 && (
        <>
          <p>{text.newer}</p>
          <ul className={style.newer}>
            {merge.noviji.map((row, place) => (
              <li key={`${row.tabela} ${JSON.stringify(row.kljuc)}`}>
                <fieldset>
                  <legend>
                    {row.opis ?? text.tables[row.tabela] ?? row.tabela} ({formatDateTime(row.vreme)})
                  </legend>
                  {[false, true].map((goes) => (
                    <label key={String(goes)} className={style.choice} htmlFor={`${id}-${String(place)}-${String(goes)}`}>
                      <RadioButton
                        inputId={`${id}-${String(place)}-${String(goes)}`}
                        name={`${id}-${String(place)}`}
                        checked={owners[place] === goes}
                        onChange={() => setOwners(owners.map((owner, other) => (other === place ? goes : owner)))}
                      />
                      {goes ? text.ofGone : text.ofLeft}
                    </label>
                  ))}
                </fieldset>
              </li>
            ))}
          </ul>
        </>
      )}
      {error && <p role="alert">{error}</p>}
    </Dialog>
  );
}
