// How a file is read, and how its patients and the entries of one form are told.
import { Dropdown } from 'primereact/dropdown';
import { InputText } from 'primereact/inputtext';
import { MultiSelect } from 'primereact/multiselect';
import { useState } from 'react';
import type { Reply } from '../schema';
import { t } from '../messages';
import { Field } from '../ui/Field';
import style from './dataImport.module.css';
import { changeForm, columnOf, keyColumns, listOf, type EntryMapping, type Mapping } from './mapping';

const text = t.dataImport;

interface Props {
  mapping: Mapping;
  columns: Reply<'ImportMapping'>['kolone'];
  change: (mapping: Mapping) => void;
}

const optionsOf = (columns: Reply<'ImportMapping'>['kolone']) => columns.map(({ naziv }) => ({ value: naziv, label: naziv }));
const EXISTING = (['keep', 'update'] as const).map((value) => ({ value, label: text.existing[value] }));
const HIDDEN = (['refuse', 'clear'] as const).map((value) => ({ value, label: text.hiddenChoices[value] }));
/** A choice needs a value to be shown. */
const NO_MARK = 'none';
const DECIMALS = [
  { value: NO_MARK, label: text.decimals.none },
  { value: ',', label: text.decimals.comma },
  { value: '.', label: text.decimals.point },
];

const SHARED = (['refuse', 'confirm'] as const).map((value) => ({ value, label: text.sharedLboChoices[value] }));
/** As messages name encodings and delimiters. */
const ENCODINGS: Record<string, string> = { 'utf-8': 'UTF-8', 'utf-16': 'UTF-16', 'windows-1250': 'Windows-1250' };
const detected = (name: string | undefined) => text.detected(name ?? '?');

interface SettingsProps extends Props {
  found: Reply<'ImportMapping'>['prepoznato'];
  source: string;
  changeSource: (name: string) => void;
}

export function Settings({ mapping, columns, change, found, source, changeSource }: SettingsProps) {
  const encodings = [{ value: 'auto', label: detected(ENCODINGS[found.kodiranje]) }].concat(
    Object.entries(ENCODINGS).map(([value, label]) => ({ value, label })),
  );
  const delimiters = [{ value: 'auto', label: detected(text.delimiters[found.razdelnik]) }].concat(
    Object.entries(text.delimiters).map(([value, label]) => ({ value, label })),
  );
  const { file, patient } = mapping;
  const ofFile = (part: Partial<Mapping['file']>) => change({ ...mapping, file: { ...file, ...part } });
  const ofPatient = (part: Partial<Mapping['patient']>) => change({ ...mapping, patient: { ...patient, ...part } });
  return (
    <div className={style.row}>
      <Field label={text.source} required help={text.sourceHelp}>
        {({ id, 'aria-describedby': note }) => (
          <InputText id={id} aria-describedby={note} value={source} maxLength={100} onChange={(e) => changeSource(e.target.value)} />
        )}
      </Field>
      <Choice label={text.encoding} options={encodings} value={file.encoding} change={(encoding) => ofFile({ encoding })} />
      <Choice label={text.delimiter} options={delimiters} value={file.delimiter} change={(delimiter) => ofFile({ delimiter })} />
      <Listed label={text.dates} help={text.datesHelp} list={file.dates} change={(dates) => ofFile({ dates })} />
      <Field label={text.decimal}>
        {({ id, ...control }) => (
          <Dropdown
            {...control}
            inputId={id}
            value={file.decimal ?? NO_MARK}
            options={DECIMALS}
            onChange={(e) => {
              const next = { ...file };
              delete next.decimal;
              if (e.value !== NO_MARK) next.decimal = e.value as string;
              change({ ...mapping, file: next });
            }}
          />
        )}
      </Field>
      <Listed label={text.blanks} help={text.blanksHelp} list={file.blank} change={(blank) => ofFile({ blank })} />
      <Key
        label={text.patientKey}
        help={text.patientKeyHelp}
        columns={columns}
        value={keyColumns(patient.key)}
        change={(key) => ofPatient({ key })}
      />
      <Choice label={text.existingPatients} options={EXISTING} value={patient.existing} change={(existing) => ofPatient({ existing })} />
      <Choice label={text.sharedLbo} options={SHARED} value={patient.shared_lbo} change={(shared_lbo) => ofPatient({ shared_lbo })} />
      <Field label={text.items} help={text.itemsHelp}>
        {({ id, 'aria-describedby': note }) => (
          <InputText
            id={id}
            aria-describedby={note}
            value={file.items}
            onChange={(e) => {
              // The last letter that was typed: one stands between items.
              const items = e.target.value.trim().slice(-1);
              if (items) ofFile({ items });
            }}
          />
        )}
      </Field>
    </div>
  );
}

export function FormSettings({ mapping, columns, change, entry }: Props & { entry: EntryMapping }) {
  const ofForm = (part: Partial<EntryMapping>) => change(changeForm(mapping, entry.form, part));
  return (
    <div className={style.row}>
      <Key
        label={text.entryKey}
        help={entry.rows ? text.entryKeyRowsHelp : text.entryKeyHelp}
        columns={columns}
        value={keyColumns(entry.key)}
        change={(key) => ofForm({ key })}
      />
      <Choice label={text.existingEntries} options={EXISTING} value={entry.existing} change={(existing) => ofForm({ existing })} />
      <Choice label={text.hidden} options={HIDDEN} value={entry.hidden} change={(hidden) => ofForm({ hidden })} />
      <Field label={text.responsible} help={text.responsibleHelp}>
        {({ id, ...control }) => (
          <Dropdown
            {...control}
            inputId={id}
            value={columnOf(entry.responsible) || null}
            options={optionsOf(columns)}
            showClear
            placeholder={text.notChosen}
            onChange={(e) => {
              const next = { ...entry };
              delete next.responsible;
              if (e.value) next.responsible = e.value as string;
              change({ ...mapping, entries: mapping.entries.map((one) => (one.form === entry.form ? next : one)) });
            }}
          />
        )}
      </Field>
    </div>
  );
}

interface ChoiceProps<V extends string> {
  label: string;
  options: { value: V; label: string }[];
  value: V;
  change: (value: V) => void;
}

function Choice<V extends string>({ label, options, value, change }: ChoiceProps<V>) {
  return (
    <Field label={label}>
      {({ id, ...control }) => (
        <Dropdown {...control} inputId={id} value={value} options={options} onChange={(e) => change(e.value as V)} />
      )}
    </Field>
  );
}

interface KeyProps {
  label: string;
  help: string;
  columns: Reply<'ImportMapping'>['kolone'];
  value: string[];
  change: (key: string[]) => void;
}

function Key({ label, help, columns, value, change }: KeyProps) {
  return (
    <Field label={label} required help={help}>
      {({ id, invalid, 'aria-describedby': note }) => (
        <MultiSelect
          inputId={id}
          invalid={invalid}
          aria-describedby={note}
          value={value}
          options={optionsOf(columns)}
          onChange={(e) => change(e.value as string[])}
          placeholder={t.common.choose}
          display="comma"
        />
      )}
    </Field>
  );
}

/** Texts parted by commas, as they are typed. */
function Listed({ label, help, list, change }: { label: string; help: string; list: string[]; change: (list: string[]) => void }) {
  const [typed, setTyped] = useState(list.join(', '));
  const shown = listOf(typed).join() === list.join() ? typed : list.join(', ');
  return (
    <Field label={label} help={help}>
      {({ id, 'aria-describedby': note }) => (
        <InputText
          id={id}
          aria-describedby={note}
          value={shown}
          onChange={(e) => {
            setTyped(e.target.value);
            change(listOf(e.target.value));
          }}
        />
      )}
    </Field>
  );
}
