// What is said of one column beside where it goes: dates, numbers of items, rounding, blanks, translations.
import { Button } from 'primereact/button';
import { Checkbox } from 'primereact/checkbox';
import { Dialog } from 'primereact/dialog';
import { Dropdown } from 'primereact/dropdown';
import { InputText } from 'primereact/inputtext';
import { InputTextarea } from 'primereact/inputtextarea';
import { useId, useState } from 'react';
import type { Reply } from '../schema';
import { formatNumber } from '../format';
import { ValueType } from '../forms/valueType';
import { t } from '../messages';
import { Field } from '../ui/Field';
import style from './dataImport.module.css';
import {
  detail,
  listOf,
  sourceTable,
  translationOf,
  translationText,
  type Mapping,
  type ColumnSource,
  type SourceTable,
  type ColumnTarget,
} from './mapping';

const text = t.dataImport;
const said = text.dialog;

interface Props {
  column: string;
  mapping: Mapping;
  told: { target: ColumnTarget; source: ColumnSource };
  forms: Reply<'ImportMapping'>['formulari'];
  change: (mapping: Mapping) => void;
  close: () => void;
}

function fieldOf(forms: Props['forms'], target: Extract<ColumnTarget, { field: string }>) {
  const form = forms.find(({ sifra }) => sifra === target.form);
  const fields = target.section === undefined ? form?.polja : form?.sekcije.find(({ sifra }) => sifra === target.section)?.polja;
  return fields?.find(({ sifra }) => sifra === target.field);
}

type Item = Reply<'ImportMapping'>['formulari'][number]['polja'][number]['stavke'][number];
const itemText = ({ naziv, sifra }: Item) => (sifra ? `${sifra} = ${naziv}` : naziv);
const weightText = ({ naziv, broj }: Item) => `${typeof broj === 'number' ? formatNumber(broj) : ''} = ${naziv}`;

export function ColumnDialog({ column, mapping, told, forms, change, close }: Props) {
  const { target } = told;
  const [table, setTable] = useState<SourceTable>(sourceTable(told.source));
  const [translation, setTranslation] = useState(translationText(table.translate));
  const [dates, setDates] = useState((table.dates ?? []).join(', '));
  const id = useId();
  const field = 'field' in target ? fieldOf(forms, target) : undefined;
  const isDate =
    'date' in target ||
    ('patient' in target && target.patient === 'datumRodjenja') ||
    field?.tip === ValueType.Date ||
    field?.tip === ValueType.Moment;
  const own = field?.jedinice[0] ?? '';
  const weighs = field?.stavke.every(({ broj }) => typeof broj === 'number') ?? false;
  const part = (next: SourceTable) => setTable({ ...table, ...next });

  function accept() {
    change(detail(mapping, target, { ...table, dates: listOf(dates), translate: translationOf(translation) }));
    close();
  }

  return (
    <Dialog
      visible
      className={style.dialog}
      header={text.detailsOf(column)}
      onHide={close}
      draggable={false}
      footer={
        <>
          <Button label={t.common.cancel} text onClick={close} />
          <Button label={said.accept} onClick={accept} />
        </>
      }
    >
      <div className={style.form}>
        {isDate && (
          <Field label={said.dates} help={text.datesHelp}>
            {({ id: control, 'aria-describedby': note }) => (
              <InputText id={control} aria-describedby={note} value={dates} onChange={(e) => setDates(e.target.value)} />
            )}
          </Field>
        )}
        {field?.tip === ValueType.Set && (
          <>
            <p className={style.help}>{said.items(field.stavke.map(itemText).join(', '))}</p>
            <div className={style.choice}>
              <Checkbox
                inputId={`${id}-numbers`}
                checked={table.numbers ?? false}
                disabled={!weighs && !table.numbers}
                aria-describedby={`${id}-weights`}
                onChange={(e) => part({ numbers: e.checked === true })}
              />
              <label htmlFor={`${id}-numbers`}>{said.numbers}</label>
            </div>
            <p id={`${id}-weights`} className={style.help}>
              {weighs ? said.weights(field.stavke.map(weightText).join(', ')) : said.noWeights}
            </p>
          </>
        )}
        {field?.tip === ValueType.Number && field.jedinice.length > 0 && (
          <Field label={said.unit} help={said.unitHelp(own)}>
            {({ id: control, ...rest }) => (
              <Dropdown
                {...rest}
                inputId={control}
                value={table.unit ?? own}
                options={field.jedinice}
                onChange={(e) => part({ unit: e.value === own ? '' : (e.value as string) })}
              />
            )}
          </Field>
        )}
        {field?.tip === ValueType.Number && (
          <div className={style.choice}>
            <Checkbox inputId={`${id}-round`} checked={table.round ?? false} onChange={(e) => part({ round: e.checked === true })} />
            <label htmlFor={`${id}-round`}>{said.round}</label>
          </div>
        )}
        <Field label={said.blank}>
          {({ id: control }) => <InputText id={control} value={table.default ?? ''} onChange={(e) => part({ default: e.target.value })} />}
        </Field>
        <Field label={said.translate} help={said.translateHelp}>
          {({ id: control, 'aria-describedby': note }) => (
            <InputTextarea
              id={control}
              aria-describedby={note}
              rows={4}
              autoResize
              value={translation}
              onChange={(e) => setTranslation(e.target.value)}
            />
          )}
        </Field>
      </div>
    </Dialog>
  );
}
