// The rows of a section that repeats, as a table to type in; where there is no room for a table each row is a card.
import { Button } from 'primereact/button';
import {
  memo,
  useCallback,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
  type ComponentType,
  type KeyboardEvent,
  type ReactNode,
  type Ref,
} from 'react';
import { flushSync } from 'react-dom';
import type { Schema } from '../../schema';
import type { Stored } from '../../forms/formula';
import { blankRow, isBlankRow, rowsOf, stored, type Row } from '../../forms/rows';
import type { TypedIn } from '../../forms/units';
import { ValueType } from '../../forms/valueType';
import { t } from '../../messages';
import { afterPress } from '../../ui/press';
import { useIsNarrow } from '../../ui/useIsNarrow';
import style from './rows.module.css';
import { inputId, labelId, noteId, useFieldState, useOpenEntry } from './form';
import {
  CalculatedValue,
  ChoiceInput,
  DateAnswer,
  isGroup,
  MomentAnswer,
  NumberInput,
  SetInput,
  TextInput,
  TimeAnswer,
  type InputProps,
} from './inputs';
import { useLater } from './later';
import { valueFault, missingCell, tidyCell } from '../model/valueFault';
import { isCalculated, isTypedIn, type FormField } from '../model/types';

const text = t.entries;

const inputs: Partial<Record<Schema<'ValueType'>, ComponentType<InputProps>>> = {
  [ValueType.Choice]: ChoiceInput,
  [ValueType.Number]: NumberInput,
  [ValueType.Text]: TextInput,
  [ValueType.Set]: SetInput,
  [ValueType.Date]: DateAnswer,
  [ValueType.Time]: TimeAnswer,
  [ValueType.Moment]: MomentAnswer,
};

/** Kinds whose answers are short: texts and sets take the room. */
const NARROW: readonly Schema<'ValueType'>[] = [ValueType.Choice, ValueType.Number, ValueType.Date, ValueType.Time];

/** Inputs are named by numbers: those of rows by numbers that no field has. */
let given = -1_000_000;

/** The columns as the cells of one row draw them: each as one control, but for a choice between Da and Ne. */
function cellFields(columns: readonly FormField[]): FormField[] {
  given -= columns.length;
  const first = given;
  return columns.map((column, at) => ({
    ...column,
    id: first + at,
    vertikalniPrikaz: false,
    ...(column.tvaNumVrednost === ValueType.Set && { radioButton: false, imaCekBox: false }),
    tipAtributa: { ...column.tipAtributa, sirina: null, visina: Math.min(column.tipAtributa.visina ?? 1, 3) },
  }));
}

interface RowProps {
  section: FormField;
  columns: readonly FormField[];
  row: Row;
  at: number;
  /** Whether what is wrong is told. */
  judged: boolean;
  disabled: boolean;
  asCard: boolean;
  /** What was typed of its cells in other units. */
  typed: Readonly<Record<string, TypedIn>> | undefined;
  /** The columns that are not asked in it. */
  hidden: ReadonlySet<number> | undefined;
  onCell: (row: number, column: number, value: Stored, typed?: TypedIn) => void;
  onRemove: (row: number) => void;
  onKey: (event: KeyboardEvent, row: number, column: number) => void;
}

/** Whether an answer of the row is wrong: no result of it is shown then. */
const isWrong = (column: FormField, row: Row, typed: RowProps['typed']): boolean =>
  valueFault(column, tidyCell(row.v[String(column.id)]), typed?.[String(column.id)]) !== null;

interface CellProps extends Pick<RowProps, 'disabled' | 'asCard' | 'onCell' | 'onKey'> {
  /** The id of the section that repeats. */
  section: number;
  column: FormField;
  /** The column as this cell draws it. */
  field: FormField;
  /** The id of the row. */
  row: number;
  /** Its place among the columns. */
  at: number;
  /** The number of the row. */
  number: number;
  value: Stored;
  typed: TypedIn | undefined;
  /** Its answer is; of a result: an answer in its row, so that it is not told. */
  wrong: boolean;
  /** Not asked in this row. */
  hidden: boolean;
}

/** What formulas make of a row in one column. Told by the store: a sum over all rows changes a result in each, and nothing else of them. */
function Result({ section, column, field, row }: Pick<CellProps, 'section' | 'field' | 'row'> & { column: number }) {
  const { store } = useOpenEntry();
  const subscribe = useCallback((listener: () => void) => store.subscribe(section, listener), [store, section]);
  const value = useSyncExternalStore(subscribe, () => store.state(section).results?.get(row)?.values[String(column)] ?? null);
  return <CalculatedValue field={field} value={value} />;
}

const CellPart = memo(function CellPart({
  section,
  column,
  field,
  row,
  at,
  number,
  value,
  typed,
  wrong,
  hidden,
  disabled,
  asCard,
  onCell,
  onKey,
}: CellProps) {
  const Input = inputs[column.tvaNumVrednost];
  if (!Input) return null;
  const Cell = asCard ? 'div' : 'td';
  if (hidden) {
    return (
      <Cell className={style.cell} data-hidden hidden={asCard}>
        <span className="sr-only">{text.notAsked(column.naziv)}</span>
      </Cell>
    );
  }
  const calculated = isCalculated(column);
  const group = isGroup(field) && !calculated;
  return (
    <Cell
      className={style.cell}
      data-wrong={wrong && !calculated}
      {...(group && { role: asCard ? 'group' : 'gridcell', 'aria-labelledby': labelId(field.id) })}
      onKeyDown={(event) => onKey(event, row, at)}
    >
      {group ? (
        <span id={labelId(field.id)} className={asCard ? undefined : 'sr-only'}>
          {asCard ? column.naziv : text.cellName(column.naziv, number)}
        </span>
      ) : (
        <label id={labelId(field.id)} htmlFor={inputId(field.id)} className={asCard ? undefined : 'sr-only'}>
          {asCard ? column.naziv : text.cellName(column.naziv, number)}
        </label>
      )}
      {calculated ? (
        wrong ? (
          <CalculatedValue field={field} value={null} />
        ) : (
          <Result section={section} column={column.id} field={field} row={row} />
        )
      ) : (
        <Input
          field={field}
          value={value}
          invalid={wrong}
          disabled={disabled}
          describedBy={wrong ? noteId(section) : undefined}
          typed={typed}
          onChange={(next, as) => onCell(row, column.id, next, as)}
        />
      )}
    </Cell>
  );
});

const RowPart = memo(function RowPart({
  section,
  columns,
  row,
  at,
  judged,
  disabled,
  asCard,
  typed,
  hidden,
  onCell,
  onRemove,
  onKey,
}: RowProps) {
  const cells = useMemo(() => cellFields(columns), [columns]);
  const number = at + 1;
  // Not the library's button with its tooltip: a table of many rows has one in each, and they took most of its drawing.
  const remove = !disabled && (
    <button
      type="button"
      className={`p-button p-component p-button-icon-only p-button-text p-button-secondary ${style.remove ?? ''}`}
      aria-label={text.removeRow(section.naziv, number)}
      title={text.removeRow(section.naziv, number)}
      onClick={() => onRemove(row.id)}
    >
      <span className="p-button-icon p-c pi pi-trash" aria-hidden />
    </button>
  );
  const isAnyWrong = columns.some(isCalculated) && columns.some((column) => !isCalculated(column) && isWrong(column, row, typed));
  const drawn = columns.map((column, index) => {
    const field = cells[index];
    if (!field) return null;
    const calculated = isCalculated(column);
    const value = calculated ? null : tidyCell(row.v[String(column.id)]);
    const typedIn = typed?.[String(column.id)];
    const fault =
      judged && !calculated && !isBlankRow(row) ? (missingCell(column, value, row.id) ?? valueFault(column, value, typedIn)) : null;
    return (
      <CellPart
        key={column.id}
        section={section.id}
        column={column}
        field={field}
        row={row.id}
        at={index}
        number={number}
        value={value}
        typed={typedIn}
        wrong={calculated ? isAnyWrong : fault !== null}
        hidden={hidden?.has(column.id) ?? false}
        disabled={disabled}
        asCard={asCard}
        onCell={onCell}
        onKey={onKey}
      />
    );
  });
  if (asCard) {
    return (
      <div className={style.card} role="group" aria-label={text.rowOf(number)} data-row={row.id}>
        <div className={style.cardHead}>
          <span>{text.rowOf(number)}</span>
          {remove}
        </div>
        {drawn}
      </div>
    );
  }
  return (
    <tr data-row={row.id}>
      <th scope="row">
        <span className={style.number}>
          {number}.{remove}
        </span>
      </th>
      {drawn}
    </tr>
  );
});

/** Rows that are drawn with their section; the others come when nobody types, or when they are in sight. */
const AT_ONCE = 6;

interface RowLaterProps {
  now: boolean;
  asCard: boolean;
  row: number;
  /** Cells of a row, with its number. */
  width: number;
  children: ReactNode;
}

/** A row that keeps its place until it is drawn. */
function RowLater({ now, asCard, row, width, children }: RowLaterProps) {
  const { drawn, place } = useLater<HTMLElement>(now);
  if (drawn) return children;
  if (asCard) return <div ref={place as Ref<HTMLDivElement>} className={style.waiting} data-row={row} />;
  return (
    <tr ref={place as Ref<HTMLTableRowElement>} className={style.waiting} data-row={row}>
      <td colSpan={width} />
    </tr>
  );
}

const CONTROLS = 'input:not([type="hidden"]):not([disabled]), select:not([disabled]), textarea:not([disabled])';

/** The first control of a cell of the table, or of the next cell that has one, for the keyboard. */
function controlOf(box: HTMLElement | null, row: number, column: number): HTMLElement | null {
  const cells = box?.querySelectorAll(`[data-row="${String(row)}"] .${style.cell ?? ''}`) ?? [];
  for (const cell of [...cells].slice(column)) {
    const control = cell.querySelector<HTMLElement>(CONTROLS);
    if (control) return control;
  }
  return null;
}

interface FootProps {
  section: FormField;
  most: number;
  full: boolean;
  asCard: boolean;
  hint: string;
  onAdd: () => void;
}

/** Apart from the rows: a keystroke in a cell does not draw it. */
const Foot = memo(function Foot({ section, most, full, asCard, hint, onAdd }: FootProps) {
  return (
    <div className={style.foot}>
      <Button
        type="button"
        id={inputId(section.id)}
        className={style.add ?? ''}
        label={text.addRow}
        aria-label={text.addRowTo(section.naziv)}
        icon="pi pi-plus"
        size="small"
        outlined
        disabled={full}
        onClick={onAdd}
      />
      <small id={hint} className={style.hint}>
        {full ? text.noMoreRows(most) : asCard ? '' : text.rowKeys}
      </small>
    </div>
  );
});

const NONE: ReadonlySet<number> = new Set();

interface Removed {
  row: Row;
  at: number;
}

export function RowsTable({ field: section }: { field: FormField }) {
  const { store, readOnly } = useOpenEntry();
  const { value, error, typed, results } = useFieldState(store, section.id);
  const typedRows = isTypedIn(typed) ? undefined : typed;
  const columns = useMemo(() => (section.kolone ?? []).filter(({ prikazujeSe }) => prikazujeSe), [section]);
  const rows = rowsOf(value);
  const most = section.najviseRedova ?? 0;
  const isNarrow = useIsNarrow();
  const box = useRef<HTMLDivElement>(null);
  const hint = useId();
  const [removed, setRemoved] = useState<Removed | null>(null);
  const [waiting, setWaiting] = useState<ReadonlySet<number>>(() => new Set(rows.slice(AT_ONCE).map(({ id }) => id)));
  // The callbacks stay the same ones, so that typing in a row draws no other.
  const now = useRef({ rows, columns, most });
  useEffect(() => {
    now.current = { rows, columns, most };
  });

  const put = useCallback((next: readonly Row[]) => store.set(section.id, stored(next)), [store, section.id]);
  const onCell = useCallback(
    (row: number, column: number, next: Stored, as?: TypedIn) => {
      store.typeCell(section.id, row, column, as);
      const current = rowsOf(store.value(section.id));
      put(current.map((one) => (one.id === row ? { ...one, v: { ...one.v, [String(column)]: next } } : one)));
      setRemoved(null);
    },
    [store, section.id, put],
  );
  const focusOn = useCallback((row: number, column: number) => {
    if (!controlOf(box.current, row, column)) flushSync(() => setWaiting(NONE));
    controlOf(box.current, row, column)?.focus();
  }, []);
  const add = useCallback(
    (column: number) => {
      const current = rowsOf(store.value(section.id));
      if (current.length >= now.current.most) return;
      const row = blankRow(current);
      flushSync(() => {
        put([...current, row]);
        setRemoved(null);
      });
      focusOn(row.id, column);
    },
    [store, section.id, put, focusOn],
  );
  const onRemove = useCallback(
    (id: number) => {
      const current = rowsOf(store.value(section.id));
      const at = current.findIndex((row) => row.id === id);
      const row = current[at];
      if (!row) return;
      flushSync(() => {
        put(current.filter((one) => one.id !== id));
        setRemoved(isBlankRow(row) ? null : { row, at });
      });
      const next = current[at + 1] ?? current[at - 1];
      if (next) focusOn(next.id, 0);
      else box.current?.querySelector<HTMLElement>(`.${style.add ?? ''}`)?.focus();
    },
    [store, section.id, put, focusOn],
  );
  const undo = () => {
    if (!removed) return;
    const current = [...rowsOf(store.value(section.id))];
    current.splice(removed.at, 0, removed.row);
    flushSync(() => {
      put(current);
      setRemoved(null);
    });
    focusOn(removed.row.id, 0);
  };
  const onKey = useCallback(
    (event: KeyboardEvent, id: number, column: number) => {
      if (event.defaultPrevented) return;
      const current = rowsOf(store.value(section.id));
      const at = current.findIndex((row) => row.id === id);
      const row = current[at];
      if (!row) return;
      if (event.key === 'Delete' && event.ctrlKey) {
        event.preventDefault();
        onRemove(id);
        return;
      }
      const isLast = at === current.length - 1;
      const target = event.target as HTMLElement;
      // Enter opens a list and makes a new line; on a box to tick it goes on as in a text.
      const takesEnter = target.tagName === 'TEXTAREA' || target.getAttribute('role') === 'combobox' || target.tagName === 'BUTTON';
      if (event.key === 'Enter' && !event.ctrlKey && !takesEnter) {
        event.preventDefault();
        const next = current[at + 1];
        if (next) focusOn(next.id, column);
        else if (!isBlankRow(row)) add(0);
      }
      const leaves = event.key === 'Tab' && !event.shiftKey && controlOf(box.current, id, column + 1) === null;
      if (leaves && isLast && !isBlankRow(row) && current.length < now.current.most && !hasLater(event)) {
        event.preventDefault();
        add(0);
      }
    },
    [store, section.id, add, focusOn, onRemove],
  );

  const addFirst = useCallback(() => add(0), [add]);
  const full = rows.length >= most;
  const parts = rows.map((row, at) => (
    <RowLater key={row.id} now={error !== null || !waiting.has(row.id)} asCard={isNarrow} row={row.id} width={columns.length + 1}>
      <RowPart
        section={section}
        columns={columns}
        row={row}
        at={at}
        judged={error !== null}
        disabled={readOnly}
        asCard={isNarrow}
        typed={typedRows?.[String(row.id)]}
        hidden={results?.get(row.id)?.hidden}
        onCell={onCell}
        onRemove={onRemove}
        onKey={onKey}
      />
    </RowLater>
  ));
  return (
    // eslint-disable-next-line jsx-a11y/no-static-element-interactions -- hears that the focus leaves the table
    <div
      ref={box}
      className={style.rows}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) afterPress(() => store.leave(section.id));
      }}
    >
      {rows.length === 0 ? (
        <p className={style.none}>{text.noRows}</p>
      ) : isNarrow ? (
        <div className={style.cards}>{parts}</div>
      ) : (
        <div className={style.scroll}>
          <table
            className={style.table}
            style={{ minWidth: `${String(5.5 + columns.length * 9)}rem` }}
            aria-label={section.naziv}
            aria-describedby={readOnly ? undefined : hint}
          >
            <thead>
              <tr>
                <th scope="col" className={style.first}>
                  <span className="sr-only">{text.rowNumber}</span>
                </th>
                {columns.map((column) => (
                  <th key={column.id} scope="col" data-narrow={NARROW.includes(column.tvaNumVrednost)}>
                    {column.naziv}
                    {!column.opciono && column.tvaNumVrednost !== ValueType.Choice && !isCalculated(column) && (
                      <span className={style.required} title={t.common.required} aria-hidden>
                        {' *'}
                      </span>
                    )}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>{parts}</tbody>
          </table>
        </div>
      )}
      {error !== null && (
        <small id={noteId(section.id)} className={style.error} role="alert">
          {error}
        </small>
      )}
      {removed && (
        <div className={style.removed} role="status">
          <span>{text.removedRow(removed.at + 1)}</span>
          <Button type="button" label={text.undoRemoval} icon="pi pi-undo" size="small" text onClick={undo} />
        </div>
      )}
      {!readOnly && <Foot section={section} most={most} full={full} asCard={isNarrow} hint={hint} onAdd={addFirst} />}
    </div>
  );
}

/** Whether another control of the same cell comes after this one. */
function hasLater({ target, currentTarget }: KeyboardEvent): boolean {
  const all = [...currentTarget.querySelectorAll<HTMLElement>(`${CONTROLS}, button:not([tabindex="-1"])`)];
  const own = all.indexOf(target as HTMLElement);
  const isRadio = target instanceof HTMLInputElement && target.type === 'radio';
  return own >= 0 && own < all.length - 1 && !isRadio;
}
