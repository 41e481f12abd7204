// The fields of a form as on its screen, to choose from: a tab or a panel chooses all that lies in it.
import { Checkbox } from 'primereact/checkbox';
import { useId } from 'react';
import { ValueType } from '../forms/valueType';
import type { Reply } from '../schema';
import { t } from '../messages';
import style from './dataExport.module.css';
import { holdsValues, inside, leaves, within, type DataExportOrder } from './order';

interface Props {
  fields: readonly Reply<'ExportField'>[];
  profile: DataExportOrder['profile'];
  chosen: readonly number[];
  choose: (fields: number[]) => void;
}

export function FieldTree({ fields, profile, chosen, choose }: Props) {
  const children = inside(fields);
  const set = (ids: readonly number[], on: boolean) => choose([...chosen.filter((id) => !ids.includes(id)), ...(on ? ids : [])]);
  const list = (of: number | null) => (
    <ul>
      {(children.get(of) ?? []).map((field) => {
        if (holdsValues(field)) {
          const open = leaves(field, profile);
          const name = field.sekcija ? t.dataExport.section(field.naziv) : field.naziv;
          return (
            <li key={field.id}>
              <Choice
                name={
                  open
                    ? name
                    : `${name} (${field.tvaNumVrednost === ValueType.Text ? t.dataExport.textField : t.dataExport.identifyingField})`
                }
                checked={open && chosen.includes(field.id)}
                disabled={!open}
                change={(on) => set([field.id], on)}
              />
            </li>
          );
        }
        const ids = within(children, field.id, profile);
        if (ids.length === 0) return null;
        return (
          <li key={field.id}>
            <Choice name={field.naziv} holder checked={ids.every((id) => chosen.includes(id))} change={(on) => set(ids, on)} />
            {list(field.id)}
          </li>
        );
      })}
    </ul>
  );
  return (
    <div className={style.tree} role="group" aria-label={t.dataExport.chosenFields}>
      {list(null)}
    </div>
  );
}

function Choice({
  name,
  checked,
  change,
  disabled = false,
  holder = false,
}: {
  name: string;
  checked: boolean;
  change: (on: boolean) => void;
  disabled?: boolean;
  holder?: boolean;
}) {
  const id = useId();
  return (
    <div className={style.choice}>
      <Checkbox inputId={id} checked={checked} disabled={disabled} onChange={(e) => change(Boolean(e.checked))} />
      <label htmlFor={id} className={holder ? style.holder : undefined}>
        {name}
      </label>
    </div>
  );
}
