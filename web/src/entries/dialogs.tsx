// The questions that must be answered with care: an unsaved draft that was found, a visit that somebody else began, and two people's
// different answers.
import { Button } from 'primereact/button';
import { Dialog } from 'primereact/dialog';
import { useState } from 'react';
import { EMPTY, formatDate, formatDateTime, toServerDateTime } from '../format';
import { t } from '../messages';
import { valueText } from '../patients/values';
import type { Draft } from './drafts/draft';
import style from './drawing/entry.module.css';
import type { Stored } from '../forms/formula';
import { rowsOf, sameRow, stored, type Row } from '../forms/rows';
import { DATE, DOCTOR, type EntryStore } from './model/store';
import { isSection, type Clash } from './model/types';
import { partId, type OpenClash, type OpenJoin } from './useSave';

const text = t.entries;

interface DraftQuestion {
  draft: Draft;
  /** Whose and what the visit on the screen is. */
  patient: string;
  form: string;
  /** The visit for which it was typed, where it has a day. */
  visit: string | null;
  /** The day of the visit on the screen, where that is another visit. */
  other: string | null;
  onRestore: () => void;
  onDiscard: () => void;
  onLeave: () => void;
  /** None: the draft's own visit cannot be opened. */
  onOpenOwn: (() => void) | null;
  onMove: () => void;
}

/** It cannot be closed by accident: all answers are buttons. What belongs to another visit is never taken up by one click. */
export function DraftDialog({ draft, patient, form, visit, other, onRestore, onDiscard, onLeave, onOpenOwn, onMove }: DraftQuestion) {
  const when = Number.isFinite(draft.vreme) ? formatDateTime(toServerDateTime(new Date(draft.vreme))) : null;
  const day = visit === null ? null : formatDate(visit);
  return (
    <Dialog
      visible
      header={text.draftTitle}
      closable={false}
      closeOnEscape={false}
      draggable={false}
      onHide={() => undefined}
      style={{ width: other === null ? 'min(30rem, 94vw)' : 'min(38rem, 94vw)' }}
      footer={
        other === null ? (
          <>
            <Button label={text.draftDiscard} severity="secondary" outlined style={{ flexShrink: 0 }} onClick={onDiscard} />
            <Button label={text.draftRestore} onClick={onRestore} autoFocus />
          </>
        ) : (
          <div className={style.draftWays}>
            <Button label={text.draftMove(formatDate(other))} severity="secondary" outlined onClick={onMove} />
            <Button label={text.draftLeave} outlined onClick={onLeave} autoFocus={onOpenOwn === null} />
            {onOpenOwn && day !== null && <Button label={text.draftOpenOwn(day)} onClick={onOpenOwn} autoFocus />}
          </div>
        )
      }
    >
      <p>{when ? text.draftFound(when) : text.draftFoundNoTime}</p>
      <dl className={style.draftOf}>
        <dt>{text.draftPatient}</dt>
        <dd>{patient}</dd>
        <dt>{text.draftForm}</dt>
        <dd>{form}</dd>
        <dt>{text.date}</dt>
        <dd>{day ?? text.draftNoDay}</dd>
      </dl>
      {other === null ? <p>{text.draftGoOn}</p> : <p role="alert">{text.draftOther(formatDate(other), day)}</p>}
    </Dialog>
  );
}

/** Who began the visit, and the question whether to go on in that entry. One Enter too many joins nothing. */
export function JoinDialog({ open: { entries, settle } }: { open: OpenJoin }) {
  const [chosen, setChosen] = useState(entries[0]?.unosID ?? null);
  return (
    <Dialog
      visible
      header={text.joinTitle}
      draggable={false}
      closeOnEscape={false}
      closable={false}
      onHide={() => settle(null)}
      style={{ width: 'min(36rem, 94vw)' }}
      footer={
        <>
          <Button label={t.common.cancel} severity="secondary" outlined onClick={() => settle(null)} autoFocus />
          <Button label={text.join} onClick={() => settle(chosen)} />
        </>
      }
    >
      {entries.map(({ unosID, kreirao, datumKreiranja, datumUnosa }) => {
        const told = text.begunBy(formatDate(datumUnosa), kreirao, formatDateTime(datumKreiranja));
        return entries.length === 1 ? (
          <p key={unosID}>{told}</p>
        ) : (
          <label key={unosID} className={style.option}>
            <input type="radio" name="postojeci" checked={chosen === unosID} onChange={() => setChosen(unosID)} />
            <span>{told}</span>
          </label>
        );
      })}
      <p>{text.joinLead}</p>
    </Dialog>
  );
}

/** The rows that are not in both as they are here; the places of the others are kept, so that a row is counted as on the form. */
const differing = (value: Stored, other: Stored): Stored => {
  const twins = new Map(rowsOf(other).map((row) => [row.id, row]));
  const isAlike = (row: Row) => {
    const twin = twins.get(row.id);
    return twin !== undefined && sameRow(row, twin);
  };
  return stored(rowsOf(value).map((row) => (isAlike(row) ? { ...row, v: {} } : row)));
};

/** An answer as the form shows it. */
function answerText(id: number, value: Stored, other: Stored, { radniciOdgovorni }: Clash, store: EntryStore): string {
  if (id === DATE) return typeof value === 'string' ? formatDate(value) : EMPTY;
  if (id === DOCTOR) return radniciOdgovorni.find((doctor) => doctor.id === value)?.imePrezime ?? EMPTY;
  const field = store.byId.get(id);
  if (!field) return String(value);
  // Of a section only the rows in which the two differ: the others are in both.
  return valueText(field, isSection(field) ? differing(value, other) : value);
}

/** Mine and theirs of each answer; mine is chosen until theirs is. The focus begins at the answers: one Enter too many decides nothing. */
export function ClashDialog({ open: { clash, settle }, store }: { open: OpenClash; store: EntryStore }) {
  const [theirs, setTheirs] = useState<ReadonlySet<number>>(new Set());
  const { izmena } = clash;
  const theirsLabel = izmena ? text.theirs(izmena.radnik ?? null, formatDateTime(izmena.vreme)) : text.theirsUnknown;
  const choose = (id: number, isTheirs: boolean) =>
    setTheirs(new Set(isTheirs ? [...theirs, id] : [...theirs].filter((one) => one !== id)));
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
          <Button label={text.continue} onClick={() => settle(theirs)} />
        </>
      }
    >
      <p>{text.clashLead}</p>
      {clash.sukobi.map(({ polje, naziv, moje, njihovo }) => {
        const id = partId(polje);
        const options = [
          { isTheirs: false, label: text.mine, value: moje },
          { isTheirs: true, label: theirsLabel, value: njihovo },
        ];
        return (
          <fieldset key={polje} className={style.clash}>
            <legend>{naziv}</legend>
            {options.map(({ isTheirs, label, value }) => (
              <label key={label} className={style.option}>
                <input type="radio" name={`sukob-${polje}`} checked={theirs.has(id) === isTheirs} onChange={() => choose(id, isTheirs)} />
                <span>
                  {label}: <strong>{answerText(id, value, isTheirs ? moje : njihovo, clash, store)}</strong>
                </span>
              </label>
            ))}
          </fieldset>
        );
      })}
    </Dialog>
  );
}
