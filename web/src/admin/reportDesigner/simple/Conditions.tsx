// Conditions over the fields of one entry, with the operators of the search. Rows joined by "i" hold together; "ili" begins others.
import { Dropdown } from 'primereact/dropdown';
import { SelectButton } from 'primereact/selectbutton';
import { t } from '../../../messages';
import { emptyRow, MOST_ROWS, takesValue, withItem, type CriterionRow, type Link } from '../../../patients/criteria';
import { CriterionOperator } from '../../../patients/CriterionOperator';
import { CriterionValue } from '../../../patients/CriterionValue';
import { Field as Labelled } from '../../../ui/Field';
import type { SimpleField } from './model';
import { AddRow, RemoveRow } from './rowButtons';
import style from './simple.module.css';

const text = t.simpleReport;
const search = t.patients.search;
const LINKS: { value: Link; label: string }[] = [
  { value: 'i', label: search.and },
  { value: 'ili', label: search.or },
];

interface Props {
  polja: readonly SimpleField[];
  rows: CriterionRow[];
  onChange: (rows: CriterionRow[]) => void;
}

export function Conditions({ polja, rows, onChange }: Props) {
  const change = (key: string, next: Partial<CriterionRow>) => onChange(rows.map((row) => (row.key === key ? { ...row, ...next } : row)));
  return (
    <>
      {rows.length > 0 && <p className={style.help}>{text.conditionsHelp}</p>}
      <ul className={style.rows}>
        {rows.map((row, i) => {
          const field = polja.find(({ id }) => id === row.poljeID) ?? null;
          const options = polja.map(({ id, naziv }) => ({ value: id, label: naziv }));
          if (row.poljeID !== null && !field) options.push({ value: row.poljeID, label: text.gone });
          return (
            <li key={row.key} aria-label={search.row(i + 1)}>
              {i > 0 && (
                <SelectButton
                  value={row.veza}
                  options={LINKS}
                  allowEmpty={false}
                  onChange={({ value }: { value: Link }) => change(row.key, { veza: value })}
                  className={style.link}
                  pt={{ root: { 'aria-label': search.link } }}
                />
              )}
              <div className={style.row}>
                <Labelled label={text.field}>
                  {({ id }) => (
                    <Dropdown
                      inputId={id}
                      value={row.poljeID}
                      options={options}
                      placeholder={t.common.choose}
                      filter={polja.length > 10}
                      filterMatchMode="contains"
                      onChange={(e) => change(row.key, withItem(row, polja.find((one) => one.id === e.value) ?? null, field))}
                    />
                  )}
                </Labelled>
                <CriterionOperator field={field} value={row.operator} onChange={(operator) => change(row.key, { operator })} />
                {takesValue(row.operator, field) ? (
                  <CriterionValue field={field} value={row.vrednost} onChange={(vrednost) => change(row.key, { vrednost })} />
                ) : (
                  <span className={style.none} />
                )}
                <RemoveRow label={search.removeRow} onClick={() => onChange(rows.filter(({ key }) => key !== row.key))} />
              </div>
            </li>
          );
        })}
      </ul>
      <AddRow label={text.addCondition} full={rows.length >= MOST_ROWS} onClick={() => onChange([...rows, emptyRow()])} />
    </>
  );
}
