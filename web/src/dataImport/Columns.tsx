// The columns of a file, each with a few of its cells and where it goes.
import { Button } from 'primereact/button';
import { Dropdown } from 'primereact/dropdown';
import { useState } from 'react';
import type { Reply } from '../schema';
import { t } from '../messages';
import { ColumnDialog } from './ColumnDialog';
import style from './dataImport.module.css';
import { direct, targetName, sourceTable, columnTarget, type Mapping, type ColumnTarget } from './mapping';

const text = t.dataImport;

interface Props {
  mapping: Mapping;
  columns: Reply<'ImportMapping'>['kolone'];
  forms: Reply<'ImportMapping'>['formulari'];
  change: (mapping: Mapping) => void;
}

export interface TargetChoice {
  value: string;
  label: string;
  target: ColumnTarget | null;
}

export function targetChoices(forms: Reply<'ImportMapping'>['formulari']): { label: string; items: TargetChoice[] }[] {
  const choice = (target: ColumnTarget | null, label: string): TargetChoice => ({ value: targetName(target), label, target });
  const patient = Object.entries(text.patientFields).map(([name, label]) => choice({ patient: name }, label));
  const named = (name: string, required: boolean) => (required ? `${name} (${text.required})` : name);
  const ofForm = ({ sifra: form, naziv, polja, sekcije }: Reply<'ImportMapping'>['formulari'][number]) => ({
    label: text.form(naziv),
    items: [
      choice({ form, date: true }, text.date),
      ...polja.flatMap(({ sifra: field, naziv: name, obavezno, vise, stavke }) => [
        choice({ form, field }, named(name, obavezno)),
        ...(vise ? stavke.map((item) => choice({ form, field, item: item.oznaka }, text.ofItem(name, item.naziv))) : []),
      ]),
      ...sekcije.flatMap(({ sifra: section, naziv: title, polja: columns }) =>
        columns.map(({ sifra: field, naziv: name, obavezno }) =>
          choice({ form, section, field }, named(text.ofSection(title, name), obavezno)),
        ),
      ),
    ],
  });
  return [{ label: text.skipped, items: [choice(null, text.skipped)] }, { label: text.patient, items: patient }, ...forms.map(ofForm)];
}

/** Of a column of one item nothing more is said: it has Yes and No. */
export const isItem = (target: ColumnTarget | null): boolean => target !== null && 'item' in target && target.item !== undefined;

export function Columns({ mapping, columns, forms, change }: Props) {
  const [open, setOpen] = useState<string | null>(null);
  const groups = targetChoices(forms);
  const all = groups.flatMap(({ items }) => items);
  const detailed = open === null ? null : columnTarget(mapping, open);
  return (
    <>
      <ul className={style.columns} aria-label={text.columns}>
        {columns.map(({ naziv, primeri }) => {
          const known = columnTarget(mapping, naziv);
          const said = known ? Object.keys(sourceTable(known.source)).length > 1 : false;
          return (
            <li key={naziv} aria-label={naziv}>
              <div className={style.column}>
                <strong>{naziv}</strong>
                <small>{primeri.join(' · ')}</small>
              </div>
              <Dropdown
                value={targetName(known?.target ?? null)}
                options={groups}
                optionGroupLabel="label"
                optionGroupChildren="items"
                filter
                aria-label={text.targetOf(naziv)}
                onChange={(e) => change(direct(mapping, naziv, all.find(({ value }) => value === e.value)?.target ?? null))}
              />
              <Button
                icon={said ? 'pi pi-sliders-h' : 'pi pi-cog'}
                label={text.details}
                aria-label={text.detailsOf(naziv)}
                size="small"
                text
                disabled={!known || isItem(known.target)}
                onClick={() => setOpen(naziv)}
              />
            </li>
          );
        })}
      </ul>
      {open !== null && detailed && (
        <ColumnDialog
          key={open}
          column={open}
          mapping={mapping}
          told={detailed}
          forms={forms}
          change={change}
          close={() => setOpen(null)}
        />
      )}
    </>
  );
}
