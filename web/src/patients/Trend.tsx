// The patient's course: each measure of the register's charts on an axis of its own, with its reference bounds; under them what is no
// number, a therapy for example. Which measures these are, their names and bounds are the register's configuration.
import { useState } from 'react';
import { at } from '../api/address';
import { useApi } from '../api/hooks';
import { AxisSteps, ChartTable, Course, MarkedValues, SIDES } from '../charts/drawers';
import {
  across,
  byDate,
  datesUnder,
  isOutside,
  numbersOf,
  ownSteps,
  stretchesOf,
  upwards,
  type ChartPoint,
  type Dot,
} from '../charts/plot';
import { EMPTY, formatDate, formatDateTime, formatNumber } from '../format';
import { ValueType } from '../forms/valueType';
import type { Schema } from '../schema';
import { t } from '../messages';
import { FoldingPanel } from '../ui/FoldingPanel';
import { Panel } from '../ui/Panel';
import { Loading, LoadFailed } from '../ui/states';
import { useIsNarrow } from '../ui/useIsNarrow';
import style from './trend.module.css';
import { yesNoOrNone } from './values';
const text = t.patients.trend;
const [TOP, BOTTOM] = [10, 8];
const HEIGHT = 96;

function words(value: unknown, { tvaNumVrednost }: Schema<'TrendLine'>): string {
  if (typeof value === 'boolean') return yesNoOrNone(value);
  if (typeof value !== 'string') return '';
  if (tvaNumVrednost === ValueType.Moment) return formatDateTime(value);
  return tvaNumVrednost === ValueType.Date ? formatDate(value) : value;
}

const shown = (value: unknown, line: Schema<'TrendLine'>) =>
  typeof value === 'number' ? formatNumber(value) : words(value, line) || EMPTY;

const wordsOf = (points: readonly ChartPoint[], line: Schema<'TrendLine'>) =>
  points.flatMap(({ date, vrednosti }) => (line.sifra in vrednosti ? [{ date, text: words(vrednosti[line.sifra], line) }] : []));

/** A therapy that a later visit no longer names has ended: a visit of the same form without it says so. */
function withEnds(points: readonly ChartPoint[], line: Schema<'TrendLine'>) {
  const forms = new Set(points.filter(({ vrednosti }) => line.sifra in vrednosti).map(({ naziv }) => naziv));
  return points.filter(({ naziv }) => forms.has(naziv)).map(({ date, vrednosti }) => ({ date, text: words(vrednosti[line.sifra], line) }));
}

export function Trend({ patient, register }: { patient: number; register: number }) {
  const { data, error, mutate } = useApi(at('/api/patients/{id}/trend', { id: patient, registarID: register }));
  const [off, setOff] = useState<ReadonlySet<string>>(new Set());
  if (error && !data) {
    return (
      <Panel title={text.title}>
        <LoadFailed title={text.failed} error={error} retry={() => void mutate()} />
      </Panel>
    );
  }
  if (!data) {
    return (
      <Panel title={text.title}>
        <Loading lines={8} />
      </Panel>
    );
  }
  const points = byDate(data.podaci);
  const hasNumbers = ({ sifra }: Schema<'TrendLine'>) => points.some(({ vrednosti }) => typeof vrednosti[sifra] === 'number');
  const measures = data.linije.filter((line) => line.tvaNumVrednost === ValueType.Number && hasNumbers(line));
  const written = data.linije.filter((line) => line.tvaNumVrednost !== ValueType.Number && wordsOf(points, line).length > 0);
  const all = [...measures, ...written];
  if (all.length === 0) return null;
  const hasRings = measures.some(
    (line) =>
      !off.has(line.sifra) &&
      numbersOf(points, line).some(({ value }) =>
        isOutside(value, line.donjaReferentnaBrojnaVrednost, line.gornjaReferentnaBrojnaVrednost),
      ),
  );
  const turn = (code: string) =>
    setOff((now) => (now.has(code) ? new Set([...now].filter((one) => one !== code)) : new Set([...now, code])));
  const dates = points.map(({ date }) => date);
  return (
    <FoldingPanel title={text.title}>
      <div className={style.lines} role="group" aria-label={text.lines}>
        {all.map(({ sifra, oznaka, boja }) => (
          <button key={sifra} type="button" aria-pressed={!off.has(sifra)} onClick={() => turn(sifra)}>
            <span style={{ background: boja }} aria-hidden />
            {oznaka}
          </button>
        ))}
      </div>
      {measures
        .filter((line) => !off.has(line.sifra) && numbersOf(points, line).length > 0)
        .map((line) => (
          <Measure key={line.sifra} line={line} points={numbersOf(points, line)} dates={dates} />
        ))}
      {written
        .filter(({ sifra }) => !off.has(sifra))
        .map((line) => (
          <Written key={line.sifra} line={line} points={withEnds(points, line)} dates={dates} />
        ))}
      <Days dates={dates} />
      {hasRings && <p className={style.note}>{text.rings}</p>}
      <MarkedValues lines={all} points={points} />
      <ChartTable lines={all} points={points} shown={shown} />
    </FoldingPanel>
  );
}

const useWidth = () => (useIsNarrow() ? 360 : 760);
const inner = (width: number) => width - SIDES.left - SIDES.right;

function bounds({ donjaReferentnaBrojnaVrednost: low, gornjaReferentnaBrojnaVrednost: high }: Schema<'TrendLine'>): string | null {
  if (typeof low !== 'number' && typeof high !== 'number') return null;
  return t.entries.reference(
    t.entries.range(typeof low === 'number' ? formatNumber(low) : null, typeof high === 'number' ? formatNumber(high) : null),
  );
}

function Measure({ line, points, dates }: { line: Schema<'TrendLine'>; points: readonly Dot[]; dates: readonly string[] }) {
  const width = useWidth();
  const { oznaka, jedinica, donjaReferentnaBrojnaVrednost: low, gornjaReferentnaBrojnaVrednost: high } = line;
  const values = points.map(({ value }) => value);
  const known = [...values, ...[low, high].filter((bound) => typeof bound === 'number')];
  const steps = ownSteps(Math.min(...known), Math.max(...known));
  const y = upwards(steps, TOP, HEIGHT - TOP - BOTTOM);
  const [top, bottom] = [y(high ?? steps.at(-1) ?? 1), y(low ?? steps[0] ?? 0)];
  const last = points.at(-1);
  const said = bounds(line);
  const latest = last && text.latest(withUnit(last.value, jedinica), formatDate(last.date));
  return (
    <figure className={style.measure}>
      <figcaption>
        <strong>{oznaka}</strong> {latest && <span>{latest}</span>} {said && <small>{said}</small>}
      </figcaption>
      <svg viewBox={`0 0 ${width} ${HEIGHT}`} role="img" aria-label={text.drawing(oznaka, latest ?? '')}>
        {said && <rect className={style.band} x={SIDES.left} width={inner(width)} y={top} height={bottom - top} />}
        <AxisSteps steps={steps} y={y} width={inner(width)} />
        <Course
          line={line}
          dots={points}
          x={across(dates, SIDES.left, inner(width))}
          y={y}
          said={(value) => withUnit(value, jedinica)}
          isOutside={(value) => isOutside(value, low, high)}
        />
      </svg>
    </figure>
  );
}

const withUnit = (value: number, unit: string | null | undefined) => (unit ? `${formatNumber(value)} ${unit}` : formatNumber(value));

const ROW = 26;
const DAYS = 20;

/** What is no number: a stretch from the visit that first has it to the one that has another. */
function Written({
  line: { oznaka, boja },
  points,
  dates,
}: {
  line: Schema<'TrendLine'>;
  points: readonly { date: string; text: string }[];
  dates: readonly string[];
}) {
  const width = useWidth();
  const x = across(dates, SIDES.left, inner(width));
  const end = width - SIDES.right;
  const now = points.at(-1);
  return (
    <figure className={style.measure}>
      <figcaption>
        <strong>{oznaka}</strong> {now && <span>{text.latest(now.text || EMPTY, formatDate(now.date))}</span>}
      </figcaption>
      <svg
        viewBox={`0 0 ${width} ${ROW}`}
        role="img"
        aria-label={text.drawing(oznaka, now ? text.latest(now.text || EMPTY, formatDate(now.date)) : '')}
      >
        {stretchesOf(points).map((stretch) => {
          const isLast = stretch.to === now?.date && stretch.text === now.text;
          const [from, to] = [x(stretch.from), isLast ? end : x(stretch.to)];
          return (
            <svg key={stretch.from} x={from} y={2} width={Math.max(to - from, 6)} height={ROW - 4} overflow="hidden">
              <title>{`${oznaka}, ${formatDate(stretch.from)}: ${stretch.text}`}</title>
              <rect width="100%" height="100%" rx={3} fill={boja} fillOpacity={0.18} stroke={boja} />
              {/* Text of a drawing cannot be shortened with an ellipsis. */}
              <foreignObject width="100%" height="100%">
                <div className={style.written}>{stretch.text}</div>
              </foreignObject>
            </svg>
          );
        })}
      </svg>
    </figure>
  );
}

/** The days under all drawings, each where its values are; those that have no room are left out. */
function Days({ dates }: { dates: readonly string[] }) {
  const width = useWidth();
  const x = across(dates, SIDES.left, inner(width));
  return (
    <svg className={style.days} viewBox={`0 0 ${width} ${DAYS}`} aria-hidden>
      {datesUnder(dates, x, 0, width).map(({ date, at, anchor }) => (
        <g key={date}>
          <line x1={x(date)} x2={x(date)} y1={0} y2={4} />
          <text x={at} y={16} textAnchor={anchor}>
            {formatDate(date)}
          </text>
        </g>
      ))}
    </svg>
  );
}
