// First values that were taken from elsewhere: marked at their fields, counted above the form, named before a save.
import { Button } from 'primereact/button';
import { useCallback, useSyncExternalStore } from 'react';
import type { Schema } from '../../schema';
import { formatDate } from '../../format';
import { ValueType } from '../../forms/valueType';
import { t } from '../../messages';
import { valueText } from '../../patients/values';
import style from './entry.module.css';
import { useOpenEntry } from './form';
import type { EntryStore } from '../model/store';
import type { FormField } from '../model/types';

const text = t.entries;

export const takenId = (id: number): string => `polje-${id}-preuzeto`;

export const takenSource = ({ izvor, datum }: Schema<'FirstValue'>): string =>
  izvor === 'obrazac' ? text.takenFromForm : datum ? text.takenFrom(formatDate(datum)) : text.takenByQuery;

export function TakenMark({ field: { id, naziv }, taken }: { field: FormField; taken: Schema<'FirstValue'> }) {
  const { store, readOnly } = useOpenEntry();
  return (
    <span className={style.taken}>
      <small id={takenId(id)}>
        <span className="pi pi-history" aria-hidden /> {takenSource(taken)}
      </small>
      {!readOnly && (
        <button type="button" className={style.confirm} aria-label={text.confirmValueOf(naziv)} onClick={() => store.confirm([id])}>
          {text.confirmValue}
        </button>
      )}
    </span>
  );
}

/** The values by name, with their sources: what a save would make this visit's own. */
export const TakenList = ({ fields, store }: { fields: readonly FormField[]; store: EntryStore }) => (
  <>
    <p>{text.takenQuestion}</p>
    <ul className={style.takenList}>
      {fields.map((field) => {
        const { taken } = store.state(field.id);
        return (
          <li key={field.id}>
            {field.naziv}: <strong>{valueText(field, store.value(field.id))}</strong>{' '}
            {taken && (
              <small>
                (
                {store.isRequired(field.id) && field.tvaNumVrednost !== ValueType.Choice
                  ? text.takenRequired(takenSource(taken))
                  : takenSource(taken)}
                )
              </small>
            )}
          </li>
        );
      })}
    </ul>
  </>
);

/** How many values wait, and what could not be found out. */
export function TakenBar({ queryFaults }: { queryFaults: readonly Schema<'QueryFault'>[] }) {
  const { store } = useOpenEntry();
  const count = useSyncExternalStore(
    store.onTaken,
    useCallback(() => store.awaiting().length, [store]),
  );
  return (
    <>
      {queryFaults.map(({ polje, naziv, poruka }) => (
        <p key={polje} className={style.refusal} role="alert">
          {text.queryFailed(naziv, poruka)}
        </p>
      ))}
      {count > 0 && (
        <div className={style.takenBar} role="status">
          <span>
            <span className="pi pi-history" aria-hidden /> {text.takenWaiting(count)}
          </span>
          <Button
            label={text.toFirstTaken}
            size="small"
            outlined
            onClick={() => {
              const [first] = store.awaiting();
              if (first) store.reveal(first.id);
            }}
          />
          <Button label={text.confirmAll} size="small" onClick={() => store.confirm(store.awaiting().map(({ id }) => id))} />
        </div>
      )}
    </>
  );
}
