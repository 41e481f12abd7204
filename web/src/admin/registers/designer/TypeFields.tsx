// The type of a field: its unit and bounds, and the items of a set. What other forms have too is only shown.
import { Button } from 'primereact/button';
import { Checkbox } from 'primereact/checkbox';
import { InputText } from 'primereact/inputtext';
import { InputTextarea } from 'primereact/inputtextarea';
import { useId, useState, type DragEvent } from 'react';
import type { Reply } from '../../../schema';
import { label, t } from '../../../messages';
import type { Label } from '../../../messages';
import { ValueType } from '../../../forms/valueType';
import { DecimalInput } from '../../../ui/DecimalInput';
import { Field } from '../../../ui/Field';
import { OtherUnits } from '../../OtherUnits';
import { FileKinds } from '../FileKinds';
import { Group } from '../RecordForm';
import style from './designer.module.css';
import { blankItem, without } from './model';
import { beside, type Beside } from './itemOrder';
import { nextNumber, pasted } from './paste';

const text = t.formDesigner;

interface Props {
  type: Reply<'DraftType'>;
  items: readonly Reply<'DraftItem'>[];
  faults: readonly Reply<'DraftFault'>[];
  /** Names of the other forms that have it; null: it is the form's own. */
  sharedWith: readonly string[] | null;
  /** Where the focus goes from the pasted items. */
  onPasted: () => void;
  onType: (part: Partial<Reply<'DraftType'>>, what: string | null) => void;
  onItems: EditItems;
}

/** What the type's items become; `fresh` is the id of the next new one. */
type EditItems = (
  edit: (latest: readonly Reply<'DraftItem'>[], fresh: number) => readonly Reply<'DraftItem'>[],
  what: string | null,
) => void;

type NumberName =
  | 'decimaleBrojneVrednosti'
  | 'donjaGranicaBrojneVrednosti'
  | 'gornjaGranicaBrojneVrednosti'
  | 'sirina'
  | 'visina'
  | 'najviseFajlova'
  | 'najviseMegabajta';
const WHOLE: readonly NumberName[] = ['decimaleBrojneVrednosti', 'sirina', 'visina', 'najviseFajlova', 'najviseMegabajta'];

export function TypeFields({ type, items, faults, sharedWith, onPasted, onType, onItems }: Props) {
  const isShared = sharedWith !== null;
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
          onChange={({ target }) => onType({ [name]: name === 'naziv' ? target.value : target.value || null }, name)}
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
              if (!isNone) onType({ [name]: value }, name);
            }}
          />
        )}
      </Field>
    );
  };
  return (
    <Group title={text.type}>
      {isShared && <p className={style.help}>{text.sharedType(sharedWith)}</p>}
      {words('naziv')}
      {kind === ValueType.Number && (
        <>
          {words('jedinica')}
          <Field label={label('attributeType.drugeJedinice')} help={t.admin.otherUnits.help} error={faultOf('drugeJedinice')}>
            {() => (
              <OtherUnits
                value={type.drugeJedinice}
                disabled={isShared}
                onChange={(drugeJedinice) => onType({ drugeJedinice }, 'drugeJedinice')}
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
            onChange={(vrsteFajlova) => onType({ vrsteFajlova }, 'vrsteFajlova')}
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
          onPasted={onPasted}
          onItems={onItems}
          fault={faultOf('stavke')}
        />
      )}
    </Group>
  );
}

/** What is dragged is an item of a set. */
const DRAGGED = 'application/x-regix-item';

type ItemsProps = Omit<Props, 'onType' | 'sharedWith'> & { isShared: boolean; fault: string | null };

function Items({ type, items, faults, isShared, fault, onPasted, onItems }: ItemsProps) {
  const [pasting, setPasting] = useState(false);
  /** What was pasted without a number. */
  const [unweighed, setUnweighed] = useState<readonly string[]>([]);
  const [dragged, setDragged] = useState<number | null>(null);
  const [over, setOver] = useState<Beside | null>(null);
  const heading = useId();
  const change = (id: number, part: Partial<Reply<'DraftItem'>>, what: string | null) =>
    onItems((latest) => latest.map((item) => (item.id === id ? { ...item, ...part } : item)), what && `stavka.${String(id)}.${what}`);
  const put = (id: number, place: Beside) => onItems((latest) => beside(latest, id, place), null);
  const move = (index: number, where: Beside['where']) => {
    const [item, neighbour] = [items[index], items[where === 'before' ? index - 1 : index + 1]];
    if (item && neighbour) put(item.id, { at: neighbour.id, where });
  };
  const leave = () => {
    setDragged(null);
    setOver(null);
  };
  function onDragStart(event: DragEvent<HTMLElement>, id: number) {
    const row = event.currentTarget.closest('[role="group"]');
    event.dataTransfer.effectAllowed = 'move';
    // Of a kind of its own: as text it would fall into the inputs that it is dragged over.
    event.dataTransfer.setData(DRAGGED, String(id));
    if (row) event.dataTransfer.setDragImage(row, 0, 0);
    setDragged(id);
  }
  function onDragOver(event: DragEvent<HTMLElement>, at: number) {
    if (dragged === null) return;
    if (dragged === at) return setOver(null);
    event.preventDefault();
    const { top, height } = event.currentTarget.getBoundingClientRect();
    const where = event.clientY - top < height / 2 ? 'before' : 'after';
    if (over?.at !== at || over.where !== where) setOver({ at, where });
  }
  function onDrop(event: DragEvent<HTMLElement>) {
    if (dragged === null || !over) return;
    event.preventDefault();
    put(dragged, over);
    leave();
  }
  const add = () => onItems((latest, fresh) => [...latest, blankItem(fresh, type.id, '', nextNumber(latest))], null);
  return (
    <section className={style.items} aria-labelledby={heading}>
      <h3 id={heading}>{text.items}</h3>
      {fault && <small className={style.fault}>{fault}</small>}
      {items.map((item, index) => {
        const wrong = faults.filter(({ gde, id }) => gde === 'stavka' && id === item.id);
        return (
          // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the arrows do by keys what dragging does
          <div
            key={item.id}
            className={style.item}
            data-fixed={isShared || undefined}
            role="group"
            aria-label={item.naziv || text.newItem}
            data-dragged={dragged === item.id || undefined}
            data-over={over?.at === item.id ? over.where : undefined}
            onDragOver={(event) => onDragOver(event, item.id)}
            onDrop={onDrop}
          >
            {!isShared && (
              <span
                className={`pi pi-bars ${style.grip ?? ''}`}
                title={text.dragItem}
                aria-hidden
                draggable
                onDragStart={(event) => onDragStart(event, item.id)}
                onDragEnd={leave}
              />
            )}
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
              disabled={isShared || item.bezTezine}
              onChange={(value) => typeof value !== 'string' && change(item.id, { numVrednost: value }, 'numVrednost')}
            />
            <Checkbox
              checked={item.bezTezine}
              aria-label={label('enumItem.bezTezine')}
              tooltip={label('enumItem.bezTezine')}
              disabled={isShared}
              onChange={({ checked }) =>
                change(item.id, { bezTezine: Boolean(checked), numVrednost: checked ? null : item.numVrednost }, null)
              }
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
                  onClick={() => move(index, 'before')}
                />
                <Button
                  type="button"
                  icon="pi pi-arrow-down"
                  text
                  aria-label={text.itemDown(item.naziv)}
                  disabled={index === items.length - 1}
                  onClick={() => move(index, 'after')}
                />
                <Button
                  type="button"
                  icon="pi pi-times"
                  text
                  severity="danger"
                  aria-label={text.removeItem(item.naziv)}
                  onClick={() => onItems((latest) => latest.filter(({ id }) => id !== item.id), null)}
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
      {unweighed.length > 0 && (
        <p className={style.help} role="status">
          {text.pastedWithoutWeight(unweighed)}
        </p>
      )}
      {pasting && (
        <Paste
          onPaste={(words) => {
            onItems((latest, fresh) => {
              const now = pasted(latest, type.id, words, fresh);
              const isNew = ({ id }: Reply<'DraftItem'>) => !latest.some((item) => item.id === id);
              setUnweighed(now.filter((item) => item.bezTezine && isNew(item)).map(({ naziv }) => naziv));
              return now;
            }, null);
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
