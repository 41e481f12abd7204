// What an entry's form draws, part by part, when it is in sight: values, containers, and what lies in them.
import { memo, use, useCallback, useMemo } from 'react';
import { ValueType } from '../../forms/valueType';
import { Answer } from './Answer';
import { Chart } from './Chart';
import style from './entry.module.css';
import { useOpenEntry, useHidden, useWanted, useWasShown } from './form';
import { isWide } from './inputs';
import { Later, SightContext } from './later';
import { Heading, PanelPart, Separator } from './PanelPart';
import { Picture } from './Picture';
import { Tabs } from './Tabs';
import { holdsValue, isCalculated, isSection, type FormField } from '../model/types';

interface PartProps {
  field: FormField;
}

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
  const { store } = useOpenEntry();
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
  return (
    <Later now={wasShown || !pressing} rows={0}>
      <div className={style.part} data-wide={(isWide(field) && !isCalculated(field)) || isSection(field)} ref={follow}>
        <Answer field={field} />
      </div>
    </Later>
  );
});

/** A container with what lies in it. A tab is drawn by the strip that it stands in. */
function Shown({ field }: PartProps) {
  switch (field.tvaNumVrednost) {
    case ValueType.Heading:
      return <Heading field={field} />;
    case ValueType.Separator:
      return <Separator field={field} />;
    case ValueType.Panel:
      return (
        <PanelPart field={field}>
          <Inside of={field.id} />
        </PanelPart>
      );
    case ValueType.Image:
      return <Picture field={field} rest={(fields) => <Parts fields={fields} />} />;
    case ValueType.Chart:
      return <Chart field={field} />;
    default:
      return <Inside of={field.id} />;
  }
}

const Container = memo(function Container({ field, pressing }: PlacedProps) {
  const { store } = useOpenEntry();
  const hidden = useHidden(store, field.id);
  const inSight = use(SightContext);
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
  fields: FormField[];
  rows: number;
  /** Rows before it. */
  from: number;
}

function stretches(fields: readonly FormField[], rows: (field: FormField) => number): Stretch[] {
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

const Parts = memo(function Parts({ fields }: { fields: readonly FormField[] }) {
  const { store, rows } = useOpenEntry();
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
  const { inside } = useOpenEntry();
  const [tabs, rest] = useMemo(() => {
    const isTab = ({ tvaNumVrednost }: FormField) => tvaNumVrednost === ValueType.Tab;
    return [inside(of).filter(isTab), inside(of).filter((field) => !isTab(field))];
  }, [inside, of]);
  return (
    <>
      {rest.length > 0 && (
        <div className={style.fields}>
          <Parts fields={rest} />
        </div>
      )}
      {tabs.length > 0 && <Tabs tabs={tabs} inside={(tab) => <Inside of={tab} />} />}
    </>
  );
}
