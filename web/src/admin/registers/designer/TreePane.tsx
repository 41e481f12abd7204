// The tree of a form's fields: chosen, moved and copied by the mouse and by the keyboard, several at once.
import { useEffect, useMemo, useRef, useState, type DragEvent, type KeyboardEvent, type MouseEvent } from 'react';
import type { Reply } from '../../../schema';
import { t } from '../../../messages';
import style from './designer.module.css';
import { holdsFields, kindOf, type FormDocument } from './model';
import { fits, rows, step, type Place, type Way } from './tree';

const text = t.formDesigner;

export interface Chosen {
  ids: readonly number[];
  /** The one that keys move on from. */
  focus: number | null;
}

interface Props {
  document: FormDocument;
  faults: readonly Reply<'DraftFault'>[];
  chosen: Chosen;
  onChoose: (chosen: Chosen) => void;
  onMove: (way: Way) => void;
  onPut: (ids: readonly number[], place: Place) => void;
  onCopy: () => void;
  onRemove: () => void;
}

const WAYS: Partial<Record<string, Way>> = { ArrowUp: 'up', ArrowDown: 'down', ArrowLeft: 'out', ArrowRight: 'in' };

export function TreePane({ document, faults, chosen, onChoose, onMove, onPut, onCopy, onRemove }: Props) {
  const [closed, setClosed] = useState<ReadonlySet<number>>(new Set());
  const [over, setOver] = useState<Place | null>(null);
  /** Whether it is the chosen rows that are dragged: a text or an item of a set may be dragged over them too. */
  const [dragging, setDragging] = useState(false);
  const [anchor, setAnchor] = useState<number | null>(chosen.focus);
  const list = useRef<HTMLDivElement>(null);
  const shown = useMemo(() => rows(document, closed), [document, closed]);
  const wrong = useMemo(() => new Set(faults.flatMap(({ gde, id }) => (gde === 'polje' && id !== null ? [id] : []))), [faults]);
  const ids = useMemo(() => new Set(chosen.ids), [chosen.ids]);
  const focus = shown.some(({ field }) => field.id === chosen.focus) ? chosen.focus : (shown[0]?.field.id ?? null);

  // The row that keys have moved to, or that was moved itself, keeps the focus where the tree has it.
  useEffect(() => {
    const element = list.current;
    if (focus === null || !element?.contains(window.document.activeElement)) return;
    element.querySelector<HTMLElement>(`[data-id="${String(focus)}"]`)?.focus();
  }, [focus, shown]);

  const turn = (id: number, open: boolean) => {
    const next = new Set(closed);
    if (open) next.delete(id);
    else next.add(id);
    setClosed(next);
  };
  const only = (id: number) => {
    setAnchor(id);
    onChoose({ ids: [id], focus: id });
  };
  const upTo = (id: number) => {
    const order = shown.map(({ field }) => field.id);
    const [one, other] = [order.indexOf(anchor ?? id), order.indexOf(id)];
    onChoose({ ids: order.slice(Math.min(one, other), Math.max(one, other) + 1), focus: id });
  };
  const toggle = (id: number) => {
    setAnchor(id);
    onChoose({ ids: ids.has(id) ? chosen.ids.filter((one) => one !== id) : [...chosen.ids, id], focus: id });
  };

  function press({ shiftKey, ctrlKey, metaKey }: MouseEvent, id: number) {
    if (shiftKey) upTo(id);
    else if (ctrlKey || metaKey) toggle(id);
    else only(id);
  }

  function onKeyDown(event: KeyboardEvent) {
    const at = shown.findIndex(({ field }) => field.id === focus);
    const row = shown[at];
    if (!row) return;
    const way = event.altKey ? WAYS[event.key] : undefined;
    const go = (index: number) => {
      const target = shown[Math.min(Math.max(index, 0), shown.length - 1)]?.field.id;
      if (target === undefined) return;
      if (event.shiftKey) upTo(target);
      else only(target);
    };
    const { id } = row.field;
    const isOpen = !closed.has(id);
    const hasInner = document.polja.some((field) => field.nadredjeniAtributUTipuSkupaID === id);
    if (way) onMove(way);
    else if (event.altKey) return;
    else if (event.key === 'ArrowDown') go(at + 1);
    else if (event.key === 'ArrowUp') go(at - 1);
    else if (event.key === 'Home') go(0);
    else if (event.key === 'End') go(shown.length - 1);
    else if (event.key === 'ArrowRight') {
      if (hasInner && !isOpen) turn(id, true);
      else if (hasInner) go(at + 1);
    } else if (event.key === 'ArrowLeft') {
      if (hasInner && isOpen) turn(id, false);
      else if (row.field.nadredjeniAtributUTipuSkupaID !== null) only(row.field.nadredjeniAtributUTipuSkupaID);
    } else if (event.key === ' ') toggle(id);
    else if (event.key === 'Enter') only(id);
    else if (event.key === 'Delete') onRemove();
    else if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'd') onCopy();
    else return;
    event.preventDefault();
  }

  const leave = () => {
    setDragging(false);
    setOver(null);
  };

  function onDragOver(event: DragEvent<HTMLElement>, id: number) {
    if (!dragging) return;
    const { top, height } = event.currentTarget.getBoundingClientRect();
    const part = (event.clientY - top) / height;
    const field = document.polja.find((one) => one.id === id);
    const inner = field && holdsFields(document, field);
    const where = inner && part > 0.3 && part < 0.7 ? 'inside' : part < 0.5 ? 'before' : 'after';
    const place: Place = { at: id, where };
    if (!fits(document, chosen.ids, place)) return setOver(null);
    event.preventDefault();
    if (over?.at !== id || over.where !== where) setOver(place);
  }

  if (shown.length === 0) return <p className={style.help}>{text.emptyTree}</p>;
  return (
    <div
      role="tree"
      aria-label={text.tree}
      aria-multiselectable
      className={style.tree}
      ref={list}
      onKeyDown={onKeyDown}
      onDragEnd={leave}
      tabIndex={-1}
    >
      {shown.map(({ field, level, place, of }) => {
        const { id, naziv, sifra } = field;
        const kind = kindOf(document, field);
        const hasInner = document.polja.length > 0 && holdsFields(document, field);
        return (
          // eslint-disable-next-line jsx-a11y/click-events-have-key-events -- the tree hears the keys of all its rows
          <div
            key={id}
            role="treeitem"
            data-id={id}
            aria-level={level}
            aria-setsize={of}
            aria-posinset={place}
            aria-selected={ids.has(id)}
            aria-expanded={hasInner ? !closed.has(id) : undefined}
            tabIndex={id === focus ? 0 : -1}
            className={style.row}
            style={{ paddingInlineStart: `calc(${String(level - 1)} * 1.1rem + var(--space-2))` }}
            data-over={over?.at === id ? over.where : undefined}
            data-hidden={!field.prikazujeSe}
            draggable
            onClick={(event) => press(event, id)}
            onDragStart={(event) => {
              event.dataTransfer.effectAllowed = 'move';
              event.dataTransfer.setData('text/plain', naziv);
              if (!ids.has(id)) only(id);
              setDragging(true);
            }}
            onDragOver={(event) => onDragOver(event, id)}
            onDrop={(event) => {
              if (!dragging) return;
              event.preventDefault();
              if (over) onPut(chosen.ids, over);
              leave();
            }}
          >
            {hasInner ? (
              <button
                type="button"
                tabIndex={-1}
                aria-hidden
                className={style.fold}
                onClick={(event) => {
                  event.stopPropagation();
                  turn(id, closed.has(id));
                }}
              >
                <span className={`pi ${closed.has(id) ? 'pi-chevron-right' : 'pi-chevron-down'}`} />
              </button>
            ) : (
              <span className={style.fold} />
            )}
            <span className={`pi ${text.icons[kind]} ${style.kind ?? ''}`} title={text.kinds[kind]} aria-hidden />
            <span className={style.rowName} data-name>
              {naziv || <em>{text.unnamed}</em>}
            </span>
            {sifra && <code className={style.code}>{sifra}</code>}
            <span className="sr-only">{text.rowAbout(text.kinds[kind], wrong.has(id))}</span>
            {wrong.has(id) && <span className={`pi pi-exclamation-circle ${style.wrong ?? ''}`} title={text.hasFaults} aria-hidden />}
          </div>
        );
      })}
    </div>
  );
}

/** Whether a step would change anything. */
export const canStep = (document: FormDocument, ids: readonly number[], way: Way): boolean => step(document, ids, way) !== document;
