// The two questions that must be answered with care: an unsaved draft that was found, and two people's different answers.
import { Button } from 'primereact/button';
import { Dialog } from 'primereact/dialog';
import { useState } from 'react';
import { formatDateTime, toServerDateTime } from '../format';
import { t } from '../messages';
import { valueText } from '../patients/values';
import type { Draft } from './draft';
import style from './entry.module.css';
import type { EntryStore } from './store';
import type { OpenClash } from './useSave';

const text = t.entries;

/** It cannot be closed by accident: both answers are buttons. */
export function DraftDialog({ draft, onRestore, onDiscard }: { draft: Draft; onRestore: () => void; onDiscard: () => void }) {
  const when = Number.isFinite(draft.vreme) ? formatDateTime(toServerDateTime(new Date(draft.vreme))) : null;
  return (
    <Dialog
      visible
      header={text.draftTitle}
      closable={false}
      closeOnEscape={false}
      draggable={false}
      onHide={() => undefined}
      style={{ width: 'min(30rem, 94vw)' }}
      footer={
        <>
          <Button label={text.draftDiscard} severity="secondary" outlined onClick={onDiscard} />
          <Button label={text.draftRestore} onClick={onRestore} autoFocus />
        </>
      }
    >
      {when ? text.draftFound(when) : text.draftFoundNoTime}
    </Dialog>
  );
}

/** Mine and theirs of each field; mine is chosen until theirs is. */
export function ClashDialog({ open: { clash, settle }, store }: { open: OpenClash; store: EntryStore }) {
  const [theirs, setTheirs] = useState<ReadonlySet<number>>(new Set());
  const choose = (id: number, isTheirs: boolean) => setTheirs(new Set(isTheirs ? [...theirs, id] : [...theirs].filter((one) => one !== id)));
  return (
    <Dialog
      visible
      header={text.clashTitle}
      draggable={false}
      closeOnEscape={false}
      closable={false}
      onHide={() => settle(null)}
      style={{ width: 'min(40rem, 94vw)' }}
      footer={
        <>
          <Button label={t.common.cancel} severity="secondary" outlined onClick={() => settle(null)} />
          <Button label={text.continue} onClick={() => settle(theirs)} autoFocus />
        </>
      }
    >
      <p>{text.clashLead}</p>
      {clash.sukobi.map(({ polje, naziv, moje, njihovo }) => {
        const field = store.byId.get(polje);
        const options = [
          { isTheirs: false, label: text.mine, value: moje },
          { isTheirs: true, label: text.theirs, value: njihovo },
        ];
        return (
          <fieldset key={polje} className={style.clash}>
            <legend>{naziv}</legend>
            {options.map(({ isTheirs, label, value }) => (
              <label key={label} className={style.option}>
                <input type="radio" name={`sukob-${polje}`} checked={theirs.has(polje) === isTheirs} onChange={() => choose(polje, isTheirs)} />
                <span>
                  {label}: <strong>{field ? valueText({ ...field, tipAtributa: { jedinica: field.tipAtributa.jedinica ?? null, decimaleBrojneVrednosti: field.tipAtributa.decimaleBrojneVrednosti ?? null } }, value) : String(value)}</strong>
                </span>
              </label>
            ))}
          </fieldset>
        );
      })}
    </Dialog>
  );
}
