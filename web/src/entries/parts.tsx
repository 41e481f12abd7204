// Every part of a form by its value type; containers draw what lies in them.
import { memo, use, useCallback, useId, useMemo, useRef, useState, type ComponentType, type CSSProperties, type KeyboardEvent } from 'react';
import { formatNumber } from '../format';
import type { Stored } from '../forms/formula';
import { ValueType } from '../forms/valueType';
import { t } from '../messages';
import { valueText } from '../patients/values';
import { imageSource } from '../ui/image';
import { afterPress } from '../ui/press';
import { Chart } from './Chart';
import style from './entry.module.css';
import { inputId, labelId, noteId, useFieldState, useForm, useHidden, useHiddenAmong, useWanted, useWasShown } from './form';
import { InfoButton } from './InfoButton';
import { CalculatedValue, ChoiceInput, DateAnswer, drawBlank, isGroup, isMultiLine, NumberInput, SetInput, TextInput, type InputProps } from './inputs';
import { Fold, Later, SightContext } from './later';
import { same } from './store';
import { StripArrow, useScrolling } from './StripArrow';
import { takenId, TakenMark, takenSource } from './taken';
import { holdsValue, isCalculated, type Field } from './types';

const text = t.entries;

interface PartProps {
  field: Field;
}

/** The name of a field with its marks. */
function Name({ field }: PartProps) {
  const { id, naziv, opciono, relevantno, prikazujeSe, ispisujeSeLabela, tvaNumVrednost } = field;
  const name = (
    <>
      <span className={ispisujeSeLabela ? undefined : 'sr-only'}>{naziv}</span>
      {!opciono && prikazujeSe && tvaNumVrednost !== ValueType.Choice && !isCalculated(field) && (
        <span className={style.required} title={t.common.required} aria-hidden>
          {' *'}
        </span>
      )}
      {relevantno && (
        <span className={style.bell} title={text.relevant}>
          <span className="pi pi-bell" aria-hidden />
          <span className="sr-only">{text.relevant}</span>
        </span>
      )}
    </>
  );
  if (isGroup(field) || isCalculated(field)) return <span id={labelId(id)}>{name}</span>;
  return (
    <label id={labelId(id)} htmlFor={inputId(id)}>
      {name}
    </label>
  );
}

/** What is said under an input: the fault, or what helps to fill it. */
function notes({ napomena, tipAtributa, donjaReferentnaBrojnaVrednost: low, gornjaReferentnaBrojnaVrednost: high, tvaNumVrednost }: Field, value: unknown) {
  const said: { text: string; outside: boolean }[] = [];
  if (tvaNumVrednost === ValueType.Number) {
    const { donjaGranicaBrojneVrednosti: from, gornjaGranicaBrojneVrednosti: to } = tipAtributa;
    if (typeof low === 'number' || typeof high === 'number') {
      const outside = typeof value === 'number' && (value < (low ?? -Infinity) || value > (high ?? Infinity));
      const range = text.range(typeof low === 'number' ? formatNumber(low) : null, typeof high === 'number' ? formatNumber(high) : null);
      said.push({ text: outside ? text.outsideReference(range) : text.reference(range), outside });
    } else if (typeof from === 'number' || typeof to === 'number') {
      const both = typeof from === 'number' && typeof to === 'number';
      const [least, most] = [typeof from === 'number' ? formatNumber(from) : null, typeof to === 'number' ? formatNumber(to) : null];
      said.push({ text: both ? text.bounds(least ?? '', most ?? '') : text.range(least, most), outside: false });
    }
  }
  if (napomena) said.push({ text: napomena, outside: false });
  return said;
}

const answering = (Input: ComponentType<InputProps>) =>
  memo(function Answer({ field }: PartProps) {
    const { store, readOnly, formerUnits } = useForm();
    const { value: live, error, marked, because, kept, untouched, taken } = useFieldState(store, field.id);
    const value = untouched ? (kept ?? null) : live;
    const calculated = isCalculated(field);
    const said = notes(calculated ? { ...field, tipAtributa: { ...field.tipAtributa, donjaGranicaBrojneVrednosti: null, gornjaGranicaBrojneVrednosti: null } } : field, value);
    if (!calculated && value === null && field.tvaNumVrednost === ValueType.Choice && !isGroup(field)) said.unshift({ text: text.blankBox, outside: false });
    if (because !== null) said.unshift({ text: text.notComputed(because), outside: true });
    if (kept !== undefined) {
      const shown = (result: Stored) => valueText(field, result);
      said.unshift({ text: untouched ? text.resultDiffers(shown(live)) : text.resultWas(shown(kept)), outside: true });
    }
    const unit = formerUnits.get(field.id);
    if (unit !== undefined && (calculated || same(live, store.baseValue(field.id)))) said.unshift({ text: text.formerUnit(unit), outside: true });
    const noted = error !== null || said.length > 0;
    return (
      // eslint-disable-next-line jsx-a11y/no-static-element-interactions -- hears that the focus leaves what lies in it
      <div
        className={style.field}
        data-vertical={field.vertikalniPrikaz}
        data-long={!calculated && isMultiLine(field)}
        data-marked={marked}
        data-taken={taken !== null}
        role={isGroup(field) && !calculated ? 'group' : undefined}
        aria-labelledby={isGroup(field) && !calculated ? labelId(field.id) : undefined}
        aria-describedby={isGroup(field) && !calculated && noted ? noteId(field.id) : undefined}
        onBlur={({ currentTarget, relatedTarget }) => {
          if (!currentTarget.contains(relatedTarget)) afterPress(() => store.leave(field.id));
        }}
      >
        <div className={style.name}>
          <Name field={field} />
          {field.htmlInfo && <InfoButton name={field.naziv} html={field.htmlInfo} />}
        </div>
        <div className={style.answer}>
          {calculated ? (
            <CalculatedValue field={field} value={value} />
          ) : (
            <Input
              field={field}
              value={value}
              invalid={error !== null}
              disabled={readOnly}
              describedBy={[noted && noteId(field.id), taken && takenId(field.id)].filter(Boolean).join(' ') || undefined}
              onChange={(next) => store.set(field.id, next)}
            />
          )}
          {taken && <TakenMark field={field} taken={taken} />}
          {noted && (
            <div id={noteId(field.id)} className={style.notes}>
              {error !== null && (
                <small className={style.error} role="alert">
                  {error}
                </small>
              )}
              {said.map((note) => (
                <small key={note.text} data-outside={note.outside}>
                  {note.outside && <span className="pi pi-exclamation-triangle" aria-hidden />}
                  {note.text}
                </small>
              ))}
            </div>
          )}
        </div>
      </div>
    );
  });

const Heading = ({ field }: PartProps) => (
  <div className={style.heading}>
    <h2>{field.naziv}</h2>
    {field.htmlInfo && <InfoButton name={field.naziv} html={field.htmlInfo} />}
  </div>
);

const Separator = ({ field }: PartProps) => <hr className={style.separator} aria-label={field.ispisujeSeLabela ? field.naziv : undefined} />;

function PanelPart({ field }: PartProps) {
  const { store } = useForm();
  const wanted = useWanted(store);
  const [open, setOpen] = useState(true);
  const [heeded, setHeeded] = useState(wanted);
  const id = useId();
  const show = useCallback(() => setOpen(true), []);
  if (wanted !== heeded) {
    setHeeded(wanted);
    if (wanted?.way.has(field.id)) setOpen(true);
  }
  return (
    <section className={style.panel} aria-labelledby={id}>
      <header className={style.panelHead} data-open={open}>
        <h2>
          <button type="button" aria-expanded={open} aria-controls={`${id}-body`} onClick={() => setOpen(!open)}>
            <span className={`pi ${open ? 'pi-chevron-down' : 'pi-chevron-right'}`} aria-hidden />
            <span id={id}>{field.naziv}</span>
          </button>
        </h2>
        {field.htmlInfo && <InfoButton name={field.naziv} html={field.htmlInfo} />}
      </header>
      <Fold id={`${id}-body`} className={style.panelBody} open={open} onFound={show}>
        <Inside of={field.id} />
      </Fold>
    </section>
  );
}

/** A dot's diameter where the field gives none. */
const DOT = 20;

/** Half of the way to the nearest other dot is a dot's own: so large may the place be that is tapped, in parts of the picture's width. */
export function roomOf(dots: readonly Field[], width: number): ReadonlyMap<number, number> {
  const place = ({ imageCoordinateX, imageCoordinateY }: Field) => [imageCoordinateX ?? 0, imageCoordinateY ?? 0] as const;
  const apart = (one: Field, other: Field) => {
    const [[x, y], [a, b]] = [place(one), place(other)];
    return Math.max(Math.abs(x - a), Math.abs(y - b));
  };
  return new Map(dots.map((dot) => [dot.id, Math.min(width, ...dots.filter((other) => other !== dot).map((other) => apart(dot, other))) / width]));
}

function Dot({ field, size, room }: PartProps & { size: { width: number; height: number } | null; room: number | undefined }) {
  const { store, readOnly } = useForm();
  const { value, taken } = useFieldState(store, field.id);
  const hidden = useHidden(store, field.id);
  if (hidden || !field.prikazujeSe) return null;
  const [x, y] = [field.imageCoordinateX ?? 0, field.imageCoordinateY ?? 0];
  const diameter = field.inicijalnaBrojnaVrednost ?? DOT;
  const name = value === null ? text.blankBoxOf(field.naziv) : taken ? text.takenOf(field.naziv, takenSource(taken)) : field.naziv;
  const at = size ? { left: `${(100 * x) / size.width}%`, top: `${(100 * y) / size.height}%` } : { left: x, top: y };
  return (
    // The label is what is tapped, at least 24 px wide; the dot in it is as large as the field says.
    <label className={style.touch} style={{ left: at.left, top: at.top, '--room': room } as CSSProperties} title={name} data-taken={taken !== null}>
      <input
        type="checkbox"
        ref={(box) => drawBlank(box, value)}
        className={style.dot}
        style={{ width: diameter, height: diameter }}
        id={inputId(field.id)}
        aria-label={field.naziv}
        checked={value === true}
        disabled={readOnly || isCalculated(field)}
        onChange={(event) => store.set(field.id, event.target.checked)}
      />
    </label>
  );
}

function ImagePart({ field }: PartProps) {
  const { inside } = useForm();
  const [size, setSize] = useState<{ width: number; height: number } | null>(null);
  const source = imageSource(field.backgroundImage);
  const [dots, rest] = useMemo(() => {
    const isDot = (one: Field) => one.tvaNumVrednost === ValueType.Choice && typeof one.imageCoordinateX === 'number' && typeof one.imageCoordinateY === 'number';
    return [inside(field.id).filter(isDot), inside(field.id).filter((one) => !source || !isDot(one))];
  }, [inside, field.id, source]);
  const room = useMemo(() => size && roomOf(dots, size.width), [dots, size]);
  return (
    <>
      <figure className={style.image}>
        <figcaption className={style.name}>
          <span className={field.ispisujeSeLabela ? undefined : 'sr-only'}>{field.naziv}</span>
          {field.htmlInfo && <InfoButton name={field.naziv} html={field.htmlInfo} />}
        </figcaption>
        {source && (
          <div className={style.picture} role="group" aria-label={field.naziv}>
            <img src={source} alt="" onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) => naturalWidth > 0 && setSize({ width: naturalWidth, height: naturalHeight })} />
            <div className={style.dots}>
              {dots.map((dot) => (
                <Dot key={dot.id} field={dot} size={size} room={room?.get(dot.id)} />
              ))}
            </div>
          </div>
        )}
      </figure>
      <Parts fields={rest} />
    </>
  );
}

/** A tab is drawn by the strip that it stands in. */
const TabPart = ({ field }: PartProps) => <Inside of={field.id} />;

const parts: Record<ValueType, ComponentType<PartProps>> = {
  [ValueType.Choice]: answering(ChoiceInput),
  [ValueType.Number]: answering(NumberInput),
  [ValueType.Text]: answering(TextInput),
  [ValueType.Set]: answering(SetInput),
  [ValueType.Date]: answering(DateAnswer),
  [ValueType.Heading]: Heading,
  [ValueType.Separator]: Separator,
  [ValueType.Panel]: PanelPart,
  [ValueType.Image]: ImagePart,
  [ValueType.Tab]: TabPart,
  [ValueType.Chart]: Chart,
};

interface PlacedProps extends PartProps {
  /** It is to be seen at once, if no formula hides it. */
  pressing: boolean;
}

/** A field that a formula hides is drawn nevertheless, unseen, where nothing presses: to show it then takes no time. */
const Part = ({ field, pressing }: PlacedProps) => {
  if (!field.prikazujeSe) return null;
  return holdsValue(field) ? <Answered field={field} pressing={pressing} /> : <Container field={field} pressing={pressing} />;
};

/** Shown and hidden past React: one answer may turn dozens of fields, and nothing in them is another for it. */
const Answered = memo(function Answered({ field, pressing }: PlacedProps) {
  const { store } = useForm();
  const wasShown = useWasShown(store, field.id);
  const follow = useCallback(
    (place: HTMLDivElement) => {
      const turn = () => {
        place.hidden = store.isHidden(field.id);
      };
      turn();
      return store.subscribe(field.id, turn);
    },
    [store, field.id],
  );
  const Input = parts[field.tvaNumVrednost];
  return (
    <Later now={wasShown || !pressing} rows={0}>
      <div className={style.part} data-wide={isMultiLine(field) && !isCalculated(field)} ref={follow}>
        <Input field={field} />
      </div>
    </Later>
  );
});

const Container = memo(function Container({ field, pressing }: PlacedProps) {
  const { store } = useForm();
  const hidden = useHidden(store, field.id);
  const inSight = use(SightContext);
  const Shown = parts[field.tvaNumVrednost];
  return (
    <Later now={!hidden || !pressing} rows={0}>
      {/* Two pictures stand side by side where there is room. */}
      <div className={style.part} data-wide={field.tvaNumVrednost !== ValueType.Image} hidden={hidden}>
        <SightContext value={inSight && !hidden}>
          <Shown field={field} />
        </SightContext>
      </div>
    </Later>
  );
});

/** Rows that are drawn together. A tab or page draws the first of them at once; those that follow come as soon as they are in sight. */
const TOGETHER = 12;

interface Stretch {
  fields: Field[];
  rows: number;
  /** Rows before it. */
  from: number;
}

function stretches(fields: readonly Field[], rows: (field: Field) => number): Stretch[] {
  const found: Stretch[] = [];
  let from = 0;
  for (const field of fields) {
    const last = found.at(-1);
    const own = rows(field);
    if (last && last.rows + own <= TOGETHER) {
      last.fields.push(field);
      last.rows += own;
    } else {
      found.push({ fields: [field], rows: own, from });
    }
    from += own;
  }
  return found;
}

const Parts = memo(function Parts({ fields }: { fields: readonly Field[] }) {
  const { store, rows } = useForm();
  const inSight = use(SightContext);
  const wanted = useWanted(store);
  const all = useMemo(() => stretches(fields, rows), [fields, rows]);
  return all.map(({ fields, from, rows }) => {
    const pressing = inSight && from < TOGETHER;
    return (
      <Later key={fields[0]?.id} now={pressing || fields.some(({ id }) => wanted?.way.has(id))} rows={rows}>
        {fields.map((field) => (
          <Part key={field.id} field={field} pressing={pressing} />
        ))}
      </Later>
    );
  });
});

/** What lies in a tab or panel, or at the top: its fields, then its tabs. */
export function Inside({ of }: { of: number | null }) {
  const { inside } = useForm();
  const [tabs, rest] = useMemo(() => {
    const isTab = ({ tvaNumVrednost }: Field) => tvaNumVrednost === ValueType.Tab;
    return [inside(of).filter(isTab), inside(of).filter((field) => !isTab(field))];
  }, [inside, of]);
  return (
    <>
      {rest.length > 0 && (
        <div className={style.fields}>
          <Parts fields={rest} />
        </div>
      )}
      {tabs.length > 0 && <Tabs tabs={tabs} />}
    </>
  );
}

/** Whether a saved value lies in a tab: then it is shown although it is a hidden one. */
function useFilled() {
  const { store, inside } = useForm();
  const filled = (id: number): boolean => inside(id).some((field) => (holdsValue(field) && store.baseValue(field.id) !== null) || filled(field.id));
  return filled;
}

function Tabs({ tabs }: { tabs: readonly Field[] }) {
  const { store } = useForm();
  const wanted = useWanted(store);
  const filled = useFilled();
  const [revealed, setRevealed] = useState(() => tabs.some((tab) => !tab.prikazujeSe && filled(tab.id)));
  const [active, setActive] = useState<number | null>(null);
  const [visited, setVisited] = useState<ReadonlySet<number>>(new Set());
  const [heeded, setHeeded] = useState<typeof wanted>(null);
  const hiddenIds = useHiddenAmong(store, tabs);
  const strip = useRef<HTMLDivElement>(null);
  const scroll = useScrolling(strip);
  const inSight = use(SightContext);
  if (wanted !== heeded) {
    setHeeded(wanted);
    const target = tabs.find(({ id }) => wanted?.way.has(id));
    if (target) {
      setActive(target.id);
      if (!target.prikazujeSe) setRevealed(true);
    }
  }
  const offered = tabs.filter(({ id, prikazujeSe }) => (prikazujeSe || revealed) && !hiddenIds.includes(id));
  const now = offered.find(({ id }) => id === active) ?? offered[0];
  if (now && !visited.has(now.id)) setVisited(new Set([...visited, now.id]));

  function onKeyDown(event: KeyboardEvent) {
    const step = { ArrowRight: 1, ArrowLeft: -1, Home: -Infinity, End: Infinity }[event.key];
    if (step === undefined || !now) return;
    event.preventDefault();
    const at = offered.indexOf(now);
    const next = Number.isFinite(step) ? (at + step + offered.length) % offered.length : step < 0 ? 0 : offered.length - 1;
    const target = offered[next];
    if (!target) return;
    setActive(target.id);
    strip.current?.querySelector<HTMLElement>(`#kartica-${target.id}`)?.focus();
  }

  return (
    <div className={style.tabs}>
      <div className={style.stripRow}>
        {scroll.canBack && <StripArrow label={text.tabsBefore} icon="pi-chevron-left" onPress={scroll.back} />}
        <div role="tablist" aria-label={text.segments} className={style.strip} ref={strip} onScroll={scroll.look}>
          {offered.map((tab) => (
            <button
              key={tab.id}
              type="button"
              role="tab"
              id={`kartica-${tab.id}`}
              aria-selected={tab === now}
              aria-controls={`kartica-${tab.id}-sadrzaj`}
              tabIndex={tab === now ? 0 : -1}
              onClick={() => setActive(tab.id)}
              onKeyDown={onKeyDown}
            >
              {tab.naziv}
            </button>
          ))}
        </div>
        {scroll.canOn && <StripArrow label={text.tabsAfter} icon="pi-chevron-right" onPress={scroll.on} />}
        {!revealed && tabs.some(({ prikazujeSe }) => !prikazujeSe) && (
          <button type="button" className={style.more} aria-label={text.more} title={text.more} onClick={() => setRevealed(true)}>
            <span className="pi pi-plus" aria-hidden />
          </button>
        )}
      </div>
      {offered.map((tab) => (
        <TabBody key={tab.id} id={tab.id} open={tab === now} drawn={inSight && visited.has(tab.id)} onFound={setActive} />
      ))}
    </div>
  );
}

function TabBody({ id, open, drawn, onFound }: { id: number; open: boolean; drawn: boolean; onFound: (id: number) => void }) {
  const inSight = use(SightContext);
  const found = useCallback(() => onFound(id), [onFound, id]);
  return (
    <Fold role="tabpanel" id={`kartica-${id}-sadrzaj`} aria-labelledby={`kartica-${id}`} className={style.tabBody} open={open} onFound={found}>
      <SightContext value={inSight && open}>
        <Later now={drawn} rows={0}>
          <Inside of={id} />
        </Later>
      </SightContext>
    </Fold>
  );
}
