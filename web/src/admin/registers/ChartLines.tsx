// The lines of a chart: what each is called, which field it follows, its colour.
import { Button } from 'primereact/button';
import { InputText } from 'primereact/inputtext';
import type { FormFieldRow } from '../../api/types';
import type { EditedRecord } from '../../crud/useForm';
import { label, t } from '../../messages';
import { Field } from '../../ui/Field';
import { Group } from './RecordForm';
import style from './registers.module.css';

const text = t.registerForms;
type Line = NonNullable<FormFieldRow['grafik']>[number];
const COLOURS = ['#2563eb', '#dc2626', '#059669', '#7c3aed', '#d97706', '#0891b2'];

export function ChartLines({ form }: { form: EditedRecord<FormFieldRow> }) {
  const lines = form.record.grafik ?? [];
  const set = (next: Line[]) => form.set('grafik', next.length ? next : null);
  const change = (index: number, part: Partial<Line>) => set(lines.map((line, i) => (i === index ? { ...line, ...part } : line)));
  const input = (index: number, name: keyof Line) => (
    <Field label={label(`chartLine.${name}`)}>
      {({ id }) => (
        <InputText
          id={id}
          type={name === 'boja' ? 'color' : 'text'}
          className={name === 'boja' ? style.colour : undefined}
          value={lines[index]?.[name] ?? ''}
          onChange={({ target }) => change(index, { [name]: target.value })}
          disabled={form.disabled}
          autoComplete="off"
        />
      )}
    </Field>
  );
  return (
    <Group title={text.chart}>
      <div className={style.wide}>
        {lines.length === 0 && <p className={style.help}>{text.standardLines}</p>}
        {lines.map((line, index) => (
          <div key={index} className={style.line}>
            {input(index, 'oznaka')}
            {input(index, 'sifra')}
            {input(index, 'boja')}
            {!form.disabled && (
              <Button
                type="button"
                icon="pi pi-times"
                text
                severity="danger"
                aria-label={text.removeLine(line.oznaka)}
                title={text.removeLine(line.oznaka)}
                onClick={() => set(lines.filter((_, i) => i !== index))}
              />
            )}
          </div>
        ))}
        {form.problem?.field === 'grafik' && (
          <small className={style.error} role="alert">
            {form.problem.message}
          </small>
        )}
        {!form.disabled && (
          <div className={style.buttons}>
            <Button
              type="button"
              label={text.addLine}
              icon="pi pi-plus"
              outlined
              onClick={() => set([...lines, { oznaka: '', sifra: '', boja: COLOURS[lines.length % COLOURS.length] ?? '' }])}
            />
          </div>
        )}
      </div>
    </Group>
  );
}
