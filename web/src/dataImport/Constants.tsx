// Values that are the same in every line of a file, since no column has them.
import { Button } from 'primereact/button';
import { Dropdown } from 'primereact/dropdown';
import { InputText } from 'primereact/inputtext';
import type { Reply } from '../schema';
import { t } from '../messages';
import { isItem, targetChoices } from './Columns';
import style from './dataImport.module.css';
import { constant, constantOf, targetName, targets, wholeField, type Mapping } from './mapping';

const text = t.dataImport;

interface Props {
  mapping: Mapping;
  forms: Reply<'ImportMapping'>['formulari'];
  change: (mapping: Mapping) => void;
}

export function Constants({ mapping, forms, change }: Props) {
  const groups = targetChoices(forms).slice(1);
  const all = groups.flatMap(({ label, items }) => items.map((item) => ({ ...item, label: `${label}: ${item.label}` })));
  const used = targets(mapping).filter(({ source }) => source !== '');
  const taken = new Set(used.map(({ target }) => targetName(wholeField(target))));
  const fixed = used.flatMap(({ target, source }) => {
    const value = constantOf(source);
    return value === undefined ? [] : [{ target, value, name: targetName(target) }];
  });
  const free = groups
    .map((group) => ({ ...group, items: group.items.filter(({ value, target }) => !taken.has(value) && !isItem(target)) }))
    .filter(({ items }) => items.length > 0);
  return (
    <div className={style.form}>
      <p className={style.help}>{text.constantsHelp}</p>
      {fixed.length > 0 && (
        <ul className={style.columns} aria-label={text.constants}>
          {fixed.map(({ target, value, name }) => {
            const label = all.find((one) => one.value === name)?.label ?? name;
            return (
              <li key={name} aria-label={label}>
                <div className={style.column}>
                  <strong>{label}</strong>
                </div>
                <InputText
                  value={value}
                  aria-label={text.constantOf(label)}
                  onChange={(e) => change(constant(mapping, target, e.target.value))}
                />
                <Button
                  icon="pi pi-times"
                  label={text.constantAway}
                  aria-label={text.constantAwayOf(label)}
                  size="small"
                  text
                  onClick={() => change(constant(mapping, target, undefined))}
                />
              </li>
            );
          })}
        </ul>
      )}
      <div className={style.row}>
        <Dropdown
          value={null}
          options={free}
          optionGroupLabel="label"
          optionGroupChildren="items"
          filter
          placeholder={text.constantAdd}
          aria-label={text.constantAdd}
          onChange={(e) => {
            const target = all.find(({ value }) => value === e.value)?.target;
            if (target) change(constant(mapping, target, ''));
          }}
        />
      </div>
    </div>
  );
}
