// Criteria over what entries hold. Rows joined by "i" stand in one box; "ili" stands between boxes.
import { Button } from 'primereact/button';
import { Dropdown } from 'primereact/dropdown';
import { SelectButton } from 'primereact/selectbutton';
import { useRef } from 'react';
import { t } from '../messages';
import { Field } from '../ui/Field';
import { boxesOf, emptyRow, isEmptyRow, MOST_ROWS, takesValue, withItem, type CriterionRow, type EntryScope, type Link } from './criteria';
import { CriterionOperator } from './CriterionOperator';
import { CriterionValue } from './CriterionValue';
import { criterionSentence } from './sentences';
import style from './search.module.css';
import type { SearchField, SearchSetup } from './types';

const text = t.patients.search;
const LINKS: { value: Link; label: string }[] = [
  { value: 'i', label: text.and },
  { value: 'ili', label: text.or },
];

const SCOPES = (Object.keys(text.scopes) as EntryScope[]).map((value) => ({ value, label: text.scopes[value] }));

interface Props {
  setup: SearchSetup;
  rows: CriterionRow[];
  scope: EntryScope;
  onScope: (scope: EntryScope) => void;
  /** What is wrong, and with which row. */
  problem: { key: string | null; message: string } | null;
  onChange: (rows: CriterionRow[]) => void;
}

export function CriteriaRows({ setup, rows, scope, onScope, problem, onChange }: Props) {
  const add = useRef<HTMLDivElement>(null);
  const boxes = boxesOf(rows);
  const change = (key: string, next: Partial<CriterionRow>) => onChange(rows.map((row) => (row.key === key ? { ...row, ...next } : row)));
  const remove = (key: string) => {
    onChange(rows.filter((row) => row.key !== key));
    add.current?.querySelector('button')?.focus();
  };
  return (
    <fieldset className={style.criteria}>
      <legend>{text.criteria}</legend>
      {!rows.every(isEmptyRow) && (
        <div className={style.scope}>
          <Field label={text.scope} help={text.scopeHelp[scope]}>
            {({ id, 'aria-describedby': describedBy }) => (
              <Dropdown
                inputId={id}
                value={scope}
                options={SCOPES}
                onChange={(e) => onScope(e.value as EntryScope)}
                pt={{ input: { 'aria-describedby': describedBy } }}
              />
            )}
          </Field>
        </div>
      )}
      {rows.length > 1 && <p className={style.help}>{text.criteriaHelp}</p>}
      <ul className={style.rows}>
        {rows.map((row, i) => (
          <li key={row.key} data-opens={boxes[i] !== boxes[i - 1]} data-closes={boxes[i] !== boxes[i + 1]} aria-label={text.row(i + 1)}>
            {i > 0 && (
              <SelectButton
                value={row.veza}
                options={LINKS}
                allowEmpty={false}
                onChange={({ value }: { value: Link }) => change(row.key, { veza: value })}
                className={style.link}
                pt={{ root: { 'aria-label': text.link } }}
              />
            )}
            <Row
              setup={setup}
              row={row}
              scope={scope}
              change={(next) => change(row.key, next)}
              remove={() => remove(row.key)}
              wrong={problem?.key === row.key}
            />
          </li>
        ))}
      </ul>
      {problem && (
        <p role="alert" className={style.problem}>
          {problem.message}
        </p>
      )}
      <div ref={add}>
        <Button
          type="button"
          label={text.addRow}
          icon="pi pi-plus"
          text
          size="small"
          disabled={rows.length >= MOST_ROWS}
          onClick={() => onChange([...rows, emptyRow()])}
        />
      </div>
    </fieldset>
  );
}

interface RowProps {
  setup: SearchSetup;
  row: CriterionRow;
  scope: EntryScope;
  change: (next: Partial<CriterionRow>) => void;
  remove: () => void;
  wrong: boolean;
}

/** Items under the names of their forms where there are several forms to tell apart. */
function itemChoices({ tipoviUnosa }: SearchSetup, fields: readonly SearchField[]) {
  return tipoviUnosa
    .map(({ id, naziv }) => ({
      label: naziv,
      items: fields.filter(({ tipUnosaID }) => tipUnosaID === id).map((field) => ({ value: field.id, label: field.naziv })),
    }))
    .filter(({ items }) => items.length > 0);
}

function Row({ setup, row, scope, change, remove, wrong }: RowProps) {
  const byForm = setup.prikazTekucihUnosaKodPretrage;
  const field = setup.polja.find(({ id }) => id === row.poljeID) ?? null;
  const fields = setup.polja.filter(({ tipUnosaID }) => !byForm || row.tipUnosaID === null || tipUnosaID === row.tipUnosaID);
  const groups = itemChoices(setup, fields);
  const grouped =
    groups.length > 1 ? { options: groups, optionGroupLabel: 'label', optionGroupChildren: 'items' } : { options: groups[0]?.items ?? [] };
  const chooseForm = (tipUnosaID: number | null) =>
    change(
      field && tipUnosaID !== null && field.tipUnosaID !== tipUnosaID ? { ...withItem(row, null, field), tipUnosaID } : { tipUnosaID },
    );
  const says = criterionSentence(setup, row, scope);
  return (
    <div className={style.row} data-wrong={wrong}>
      {byForm && (
        <Field label={text.form}>
          {({ id }) => (
            <Dropdown
              inputId={id}
              value={row.tipUnosaID}
              options={setup.tipoviUnosa.map((form) => ({ value: form.id, label: form.naziv }))}
              placeholder={t.common.choose}
              showClear
              onChange={(e) => chooseForm((e.value as number | null | undefined) ?? null)}
            />
          )}
        </Field>
      )}
      <Field label={text.item}>
        {({ id }) => (
          <Dropdown
            inputId={id}
            value={row.poljeID}
            {...grouped}
            placeholder={t.common.choose}
            filter
            filterMatchMode="contains"
            emptyFilterMessage={text.noItem}
            emptyMessage={text.noItem}
            onChange={(e) => change(withItem(row, setup.polja.find((candidate) => candidate.id === e.value) ?? null, field))}
          />
        )}
      </Field>
      <CriterionOperator field={field} value={row.operator} onChange={(operator) => change({ operator })} />
      {!takesValue(row.operator, field) ? (
        <span />
      ) : (
        <CriterionValue field={field} value={row.vrednost} onChange={(vrednost) => change({ vrednost })} />
      )}
      <Button
        type="button"
        icon="pi pi-trash"
        text
        severity="secondary"
        className={style.remove}
        aria-label={text.removeRow}
        tooltip={text.removeRow}
        onClick={remove}
      />
      {says && <p className={style.says}>{says}</p>}
    </div>
  );
}
