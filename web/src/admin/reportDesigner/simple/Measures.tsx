// What is computed of each group: counts, and measures of the fields whose type gives them.
import { Dropdown } from 'primereact/dropdown';
import { t } from '../../../messages';
import { Field as Labelled } from '../../../ui/Field';
import {
  emptyMeasure,
  fieldsOf,
  measuresIn,
  MOST_MEASURES,
  takesField,
  type SimpleField,
  type MeasureKind,
  type MeasureRow,
} from './model';
import { AddRow, RemoveRow } from './rowButtons';
import style from './simple.module.css';

const text = t.simpleReport;

interface Props {
  obim: string;
  polja: readonly SimpleField[];
  rows: MeasureRow[];
  onChange: (rows: MeasureRow[]) => void;
}

export function Measures({ obim, polja, rows, onChange }: Props) {
  const change = (key: string, next: Partial<MeasureRow>) => onChange(rows.map((row) => (row.key === key ? { ...row, ...next } : row)));
  const choose = (row: MeasureRow, mera: MeasureKind) => {
    const fits = fieldsOf(mera, polja);
    const only = fits.length === 1 ? (fits[0]?.id ?? null) : null;
    change(row.key, { mera, poljeID: fits.some(({ id }) => id === row.poljeID) ? row.poljeID : only });
  };
  return (
    <>
      <ul className={style.rows}>
        {rows.map((row, i) => {
          const fields = fieldsOf(row.mera, polja).map(({ id, naziv }) => ({ value: id, label: naziv }));
          const none = fields.length === 0;
          if (takesField(row.mera) && row.poljeID !== null && !fields.some(({ value }) => value === row.poljeID))
            fields.push({ value: row.poljeID, label: text.gone });
          return (
            <li key={row.key} aria-label={text.measureRow(i + 1)}>
              <div className={style.row}>
                <Labelled label={text.measure}>
                  {({ id }) => (
                    <Dropdown
                      inputId={id}
                      value={row.mera}
                      options={measuresIn(obim, row.mera).map((value) => ({ value, label: text.measures[value] }))}
                      placeholder={t.common.choose}
                      scrollHeight="20rem"
                      onChange={({ value }: { value: MeasureKind }) => choose(row, value)}
                    />
                  )}
                </Labelled>
                {takesField(row.mera) ? (
                  <Labelled label={text.field} help={none ? text.noFieldFor : null}>
                    {({ id }) => (
                      <Dropdown
                        inputId={id}
                        value={row.poljeID}
                        options={fields}
                        placeholder={t.common.choose}
                        filter={fields.length > 10}
                        filterMatchMode="contains"
                        disabled={fields.length === 0}
                        onChange={({ value }: { value: number }) => change(row.key, { poljeID: value })}
                      />
                    )}
                  </Labelled>
                ) : (
                  <span className={style.none} />
                )}
                <RemoveRow label={text.removeMeasure} onClick={() => onChange(rows.filter(({ key }) => key !== row.key))} />
              </div>
            </li>
          );
        })}
      </ul>
      <AddRow label={text.addMeasure} full={rows.length >= MOST_MEASURES} onClick={() => onChange([...rows, emptyMeasure()])} />
      <p className={style.help}>{text.measuresHelp}</p>
    </>
  );
}
