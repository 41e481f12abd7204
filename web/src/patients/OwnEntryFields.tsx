// What a search asks of one entry of the worker's institution: its state, what is open about it, its days.
import { useState } from 'react';
import { bindFields } from '../crud/bindFields';
import type { EditedRecord } from '../crud/useForm';
import { t } from '../messages';
import type { Schema } from '../schema';
import { asksForEntry, type SearchCriteria } from './criteria';
import style from './search.module.css';

const text = t.patients.search;
const STATES = (Object.keys(t.entryStates.states) as Schema<'EntryState'>[]).map((value) => ({
  value,
  label: t.entryStates.states[value],
}));
const MATTERS = (Object.keys(text.openMatters) as Schema<'OpenMatter'>[]).map((value) => ({ value, label: text.openMatters[value] }));

export function OwnEntryFields({ form }: { form: EditedRecord<SearchCriteria> }) {
  const fields = bindFields(form, 'search');
  const isAsked = asksForEntry(form.record);
  const [open, setOpen] = useState(isAsked);
  return (
    // What is asked for, or was refused, is seen.
    <details className={style.own} open={open || isAsked} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{text.ownEntries}</summary>
      <p className={style.help}>{text.ownEntriesHelp}</p>
      <div className={style.fixed}>
        {fields.select('stanjeUnosa', STATES, { unchosen: text.anyState })}
        {fields.select('otvoreno', MATTERS, { unchosen: text.anyMatter })}
        {fields.date('unosOd', { max: form.record.unosDo ?? undefined })}
        {fields.date('unosDo', { min: form.record.unosOd ?? undefined })}
      </div>
    </details>
  );
}
