// The type of a field: its unit and bounds, and the items of a set. What other forms have too is only shown.
import { Button } from 'primereact/button';
import { Checkbox } from 'primereact/checkbox';
import { InputText } from 'primereact/inputtext';
import { InputTextarea } from 'primereact/inputtextarea';
import { useId, useState } from 'react';
import { label, t } from '../../../messages';
import type { Label } from '../../../messages';
import { ValueType } from '../../../forms/valueType';
import { DecimalInput } from '../../../ui/DecimalInput';
import { Field } from '../../../ui/Field';
import { OtherUnits } from '../../OtherUnits';
import { FileKinds } from '../FileKinds';
import { Group } from '../RecordForm';
import style from './designer.module.css';
import { blankItem, without, type DraftItem, type DraftType, type Fault } from './model';
import { nextNumber, pasted } from './paste';

const text = t.formDesigner;

interface Props {
  type: DraftType;
  items: readonly DraftItem[];
  faults: readonly Fault[];
  isShared: boolean;
  /** The id of the next new item. */
  freshItem: number;
  /** Where the focus goes from the pasted items. */
  onPasted: () => void;
  onType: (type: DraftType, what: string | null) => void;
  onItems: (items: readonly DraftItem[], what: string | null) => void;
}

type NumberName =
  | 'decimaleBrojneVrednosti'
  | 'donjaGranicaBrojneVrednosti'
  | 'gornjaGranicaBrojneVrednosti'
  | 'sirina'
  | 'visina'
  | 'najviseFajlova'
  | 'najviseMegabajta';
const WHOLE: readonly NumberName[] = ['decimaleBrojneVrednosti', 'sirina', 'visina', 'najviseFajlova', 'najviseMegabajta'];

export function TypeFields({ type, items, faults, isShared, freshItem, onPasted, onType, onItems }: Props) {
  const [unread, setUnread] = useState<Partial<Record<NumberName, unknown>>>({});
  const kind = type.tipVrednostiAtributa;
  const faultOf = (name: string) =>
    faults.find(({ gde, id, svojstvo }) => gde === 'tip' && id === type.id && svojstvo === name)?.poruka ?? null;
  const words = (name: 'naziv' | 'jedinica') => (
    <Field label={name === 'naziv' ? text.typeName : label(`attributeType.${name}`)} error={faultOf(name)} required={name === 'naziv'}>
      {(control) => (
        <InputText
          {...control}
          value={type[name] ?? ''}
          disabled={isShared}
          autoComplete="off"
          onChange={({ target }) => onType({ ...type, [name]: name === 'naziv' ? target.value : target.value || null }, name)}
        />
      )}
    </Field>
  );
  const number = (name: NumberName) => {
    const whole = WHOLE.includes(name);
    return (
      <Field label={label(`attributeType.${name}` as Label)} error={faultOf(name) ?? (name in unread ? text.notNumber : null)}>
        {(control) => (
          <DecimalInput
            {...control}
            decimals={whole ? 0 : 10}
            value={(name in unread ? unread[name] : type[name]) as number | null}
            disabled={isShared}
            onChange={(value) => {
              const isNone = typeof value === 'string' || (whole && value !== null && !Number.isInteger(value));
              setUnread((now) => (isNone ? { ...now, [name]: value } : without(now, name)));
              if (!isNone) onType({ ...type, [name]: value }, name);
            }}
          />
        )}
      </Field>
    );
  };
  return (
    <Group title={text.type}>
      {isShared && <p className={style.help}>{text.sharedType}</p>}
      {words('naziv')}
      {kind === ValueType.Number && (
        <>
          {words('jedinica')}
          <Field label={label('attributeType.drugeJedinice')} help={t.admin.otherUnits.help} error={faultOf('drugeJedinice')}>
            {() => (
              <OtherUnits
                value={type.drugeJedinice}
                disabled={isShared}
                onChange={(drugeJedinice) => onType({ ...type, drugeJedinice }, 'drugeJedinice')}
              />
            )}
          </Field>
          {number('decimaleBrojneVrednosti')}
          {number('donjaGranicaBrojneVrednosti')}
          {number('gornjaGranicaBrojneVrednosti')}
        </>
      )}
      {kind === ValueType.Text && (
        <>
          {number('sirina')}
          {number('visina')}
        </>
      )}
      {kind === ValueType.File && (
        <>
          <FileKinds
            chosen={type.vrsteFajlova}
            error={faultOf('vrsteFajlova')}
            disabled={isShared}
            onChange={(vrsteFajlova) => onType({ ...type, vrsteFajlova }, 'vrsteFajlova')}
          />
          {number('najviseFajlova')}
          {number('najviseMegabajta')}
        </>
      )}
      {kind === ValueType.Set && (
        <Items
          type={type}
          items={items}
          faults={faults}
          isShared={isShared}
          freshItem={freshItem}
          onPasted={onPasted}
          onItems={onItems}
          fault={faultOf('stavke')}
        />
      )}
    </Group>
  );
}

function Items({ type, items, faults, isShared, freshItem, fault, onPasted, onItems }: Omit<Props, 'onType'> & { fault: string | null }) {
  const [pasting, setPasting] = useState(false);
  const heading = useId();
  const change = (id: number, part: Partial<DraftItem>, what: string | null) =>
    onItems(
      items.map((item) => (item.id === id ? { ...item, ...part } : item)),
      what && `stavka.${String(id)}.${what}`,
    );
  const move = (index: number, by: number) => {
    const next = [...items];
    const [item] = next.splice(index, 1);
    if (item) next.splice(index + by, 0, item);
    onItems(next, null);
  };
  const add = () => onItems([...items, blankItem(freshItem, type.id, '', nextNumber(items))], null);
  return (
    <section className={style.items} aria-labelledby={heading}>
      <h3 id={heading}>{text.items}</h3>
      {fault && <small className={style.fault}>{fault}</small>}
      {items.map((item, index) => {
        const wrong = faults.filter(({ gde, id }) => gde === 'stavka' && id === item.id);
        return (
          <div key={item.id} className={style.item} role="group" aria-label={item.naziv || text.newItem}>
            <InputText
              value={item.naziv}
              aria-label={label('enumItem.naziv')}
              invalid={wrong.some(({ svojstvo }) => svojstvo === 'naziv')}
              disabled={isShared}
              autoComplete="off"
              onChange={({ target }) => change(item.id, { naziv: target.value }, 'naziv')}
            />
            <DecimalInput
              id={`stavka-${String(item.id)}`}
              aria-label={label('enumItem.numVrednost')}
              decimals={10}
              value={item.numVrednost}
              disabled={isShared}
              onChange={(value) => typeof value !== 'string' && change(item.id, { numVrednost: value }, 'numVrednost')}
            />
            <Checkbox
              checked={item.mozeSeIzabrati}
              aria-label={label('enumItem.mozeSeIzabrati')}
              tooltip={label('enumItem.mozeSeIzabrati')}
              disabled={isShared}
              onChange={({ checked }) => change(item.id, { mozeSeIzabrati: Boolean(checked) }, null)}
            />
            {!isShared && (
              <span className={style.itemButtons}>
                <Button
                  type="button"
                  icon="pi pi-arrow-up"
                  text
                  aria-label={text.itemUp(item.naziv)}
                  disabled={index === 0}
                  onClick={() => move(index, -1)}
                />
                <Button
                  type="button"
                  icon="pi pi-arrow-down"
                  text
                  aria-label={text.itemDown(item.naziv)}
                  disabled={index === items.length - 1}
                  onClick={() => move(index, 1)}
                />
                <Button
                  type="button"
                  icon="pi pi-times"
                  text
                  severity="danger"
                  aria-label={text.removeItem(item.naziv)}
                  onClick={() =>
                    onItems(
                      items.filter(({ id }) => id !== item.id),
                      null,
                    )
                  }
                />
              </span>
            )}
            {wrong.map(({ svojstvo, poruka }) => (
              <small key={svojstvo + poruka} className={style.fault}>
                {poruka}
              </small>
            ))}
          </div>
        );
      })}
      {!isShared && (
        <div className={style.buttons}>
          <Button type="button" label={text.addItem} icon="pi pi-plus" outlined size="small" onClick={add} />
          <Button
            type="button"
            label={text.pasteItems}
            icon="pi pi-clipboard"
            outlined
            size="small"
            aria-expanded={pasting}
            onClick={() => setPasting(!pasting)}
          />
        </div>
      )}
      {pasting && (
        <Paste
          onPaste={(words) => {
            onItems(pasted(items, type.id, words, freshItem), null);
            setPasting(false);
            onPasted();
          }}
        />
      )}
    </section>
  );
}

function Paste({ onPaste }: { onPaste: (words: string) => void }) {
  const [words, setWords] = useState('');
  return (
    <>
      <Field label={text.pasted} help={text.pastedHelp}>
        {(control) => <InputTextarea {...control} autoFocus rows={5} value={words} onChange={({ target }) => setWords(target.value)} />}
      </Field>
      <div>
        <Button type="button" label={text.takePasted} size="small" disabled={words.trim() === ''} onClick={() => onPaste(words)} />
      </div>
    </>
  );
}
