// The patient's course: each measure of the register's charts on an axis of its own, with its reference bounds; under them what is no
// number, a therapy for example. Which measures these are, their names and bounds are the register's configuration.
import { useState } from 'react';
import { useApi } from '../api/hooks';
import { EMPTY, formatDate, formatNumber } from '../format';
import { ValueType } from '../forms/valueType';
import type { components } from '../gen/api';
import { t } from '../messages';
import { FoldingPanel } from '../ui/FoldingPanel';
import { Panel } from '../ui/Panel';
import { Loading, LoadFailed } from '../ui/states';
import { useIsNarrow } from '../ui/useIsNarrow';
import { across, isOutside, ownSteps, stretchesOf } from './plot';
import style from './trend.module.css';
import { yesNo } from './values';

type Schema = components['schemas'];
type Line = Schema['TrendLine'];
type Point = Omit<Schema['TrendPoint'], 'vrednosti'> & { vrednosti: Record<string, unknown> };
interface Course {
  linije: Line[];
  podaci: Point[];
}

const text = t.patients.trend;
const EDGE = { left: 46, right: 14, top: 10, bottom: 8 };
const HEIGHT = 96;

const numbersOf = (points: readonly Point[], code: string) =>
  points.flatMap(({ date, vrednosti: { [code]: value } }) => (typeof value === 'number' ? [{ date, value }] : []));

function words(value: unknown, { tvaNumVrednost }: Line): string {
  if (typeof value === 'boolean') return yesNo(value);
  if (typeof value !== 'string') return '';
  return tvaNumVrednost === ValueType.Date ? formatDate(value) : value;
}

const wordsOf = (points: readonly Point[], line: Line) =>
  points.flatMap(({ date, vrednosti }) => (line.sifra in vrednosti ? [{ date, text: words(vrednosti[line.sifra], line) }] : []));

/** A therapy that a later visit no longer names has ended: a visit of the same form without it says so. */
function withEnds(points: readonly Point[], line: Line) {
  const forms = new Set(points.filter(({ vrednosti }) => line.sifra in vrednosti).map(({ naziv }) => naziv));
  return points.filter(({ naziv }) => forms.has(naziv)).map(({ date, vrednosti }) => ({ date, text: words(vrednosti[line.sifra], line) }));
}

export function Trend({ patient, register }: { patient: number; register: number }) {
  const { data, error, mutate } = useApi<Course>(`/api/patients/${patient}/trend`, { registarID: register });
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
  const points = [...data.podaci].sort((a, b) => a.date.localeCompare(b.date));
  const measures = data.linije.filter((line) => line.tvaNumVrednost === ValueType.Number && numbersOf(points, line.sifra).length > 0);
  const written = data.linije.filter((line) => line.tvaNumVrednost !== ValueType.Number && wordsOf(points, line).length > 0);
  const all = [...measures, ...written];
  if (all.length === 0) return null;
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
        .filter(({ sifra }) => !off.has(sifra))
        .map((line) => (
          <Measure key={line.sifra} line={line} points={numbersOf(points, line.sifra)} dates={dates} />
        ))}
      {written
        .filter(({ sifra }) => !off.has(sifra))
        .map((line) => (
          <Written key={line.sifra} line={line} points={withEnds(points, line)} dates={dates} />
        ))}
      <Days dates={dates} />
      <Table lines={all} points={points} />
    </FoldingPanel>
  );
}

const useWidth = () => (useIsNarrow() ? 360 : 760);
const place = (dates: readonly string[], width: number) => across(dates, EDGE.left, width - EDGE.left - EDGE.right);

function bounds({ donjaReferentnaBrojnaVrednost: low, gornjaReferentnaBrojnaVrednost: high }: Line): string | null {
  if (typeof low !== 'number' && typeof high !== 'number') return null;
  return t.entries.reference(
    t.entries.range(typeof low === 'number' ? formatNumber(low) : null, typeof high === 'number' ? formatNumber(high) : null),
  );
}

function Measure({ line, points, dates }: { line: Line; points: readonly { date: string; value: number }[]; dates: readonly string[] }) {
  const width = useWidth();
  const { oznaka, boja, jedinica, donjaReferentnaBrojnaVrednost: low, gornjaReferentnaBrojnaVrednost: high } = line;
  const values = points.map(({ value }) => value);
  const known = [...values, ...[low, high].filter((bound) => typeof bound === 'number')];
  const steps = ownSteps(Math.min(...known), Math.max(...known));
  const [bottom, top] = [steps[0] ?? 0, steps.at(-1) ?? 1];
  const x = place(dates, width);
  const y = (value: number) => EDGE.top + (HEIGHT - EDGE.top - EDGE.bottom) * (1 - (value - bottom) / (top - bottom));
  const last = points.at(-1);
  const said = bounds(line);
  const latest = last && text.latest(withUnit(last.value, jedinica), formatDate(last.date));
  return (
    <figure className={style.measure}>
      <figcaption>
        <strong>{oznaka}</strong> {latest && <span>{latest}</span>} {said && <small>{said}</small>}
      </figcaption>
      <svg viewBox={`0 0 ${width} ${HEIGHT}`} role="img" aria-label={text.drawing(oznaka, latest ?? '')}>
        {said && (
          <rect
            className={style.band}
            x={EDGE.left}
            width={width - EDGE.left - EDGE.right}
            y={y(high ?? top)}
            height={y(low ?? bottom) - y(high ?? top)}
          />
        )}
        {steps.map((step) => (
          <g key={step}>
            <line className={style.grid} x1={EDGE.left} x2={width - EDGE.right} y1={y(step)} y2={y(step)} />
            <text x={EDGE.left - 6} y={y(step) + 4} textAnchor="end">
              {formatNumber(step)}
            </text>
          </g>
        ))}
        <polyline points={points.map(({ date, value }) => `${x(date)},${y(value)}`).join(' ')} fill="none" stroke={boja} strokeWidth={2} />
        {points.map(({ date, value }, i) => {
          const outside = isOutside(value, low, high);
          return (
            <circle
              key={i}
              cx={x(date)}
              cy={y(value)}
              r={outside ? 5 : 3.5}
              fill={outside ? 'var(--t-surface)' : boja}
              stroke={boja}
              strokeWidth={2}
            >
              <title>{`${oznaka}, ${formatDate(date)}: ${withUnit(value, jedinica)}`}</title>
            </circle>
          );
        })}
      </svg>
    </figure>
  );
}

const withUnit = (value: number, unit: string | null | undefined) => (unit ? `${formatNumber(value)} ${unit}` : formatNumber(value));

const ROW = 26;

/** What is no number: a stretch from the visit that first has it to the one that has another. */
function Written({
  line: { oznaka, boja },
  points,
  dates,
}: {
  line: Line;
  points: readonly { date: string; text: string }[];
  dates: readonly string[];
}) {
  const width = useWidth();
  const x = place(dates, width);
  const end = width - EDGE.right;
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

/** The first and the last day, under all drawings. */
function Days({ dates }: { dates: readonly string[] }) {
  const [first, last] = [dates[0], dates.at(-1)];
  return (
    <p className={style.days} aria-hidden>
      <span>{formatDate(first)}</span>
      {last !== first && <span>{formatDate(last)}</span>}
    </p>
  );
}

function Table({ lines, points }: { lines: readonly Line[]; points: readonly Point[] }) {
  const shown = (line: Line, value: unknown) => (typeof value === 'number' ? formatNumber(value) : words(value, line) || EMPTY);
  return (
    <details className={style.table}>
      <summary>{t.entries.chartTable}</summary>
      {/* It scrolls, by the keyboard too. */}
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div tabIndex={0} role="region" aria-label={t.entries.chartTable}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t.entries.chartDate}</th>
              {lines.map(({ sifra, oznaka }) => (
                <th key={sifra} scope="col">
                  {oznaka}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {points.map(({ date, naziv, vrednosti }, i) => (
              <tr key={i}>
                <th scope="row" title={naziv}>
                  {formatDate(date)}
                </th>
                {lines.map((line) => (
                  <td key={line.sifra}>{shown(line, vrednosti[line.sifra])}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
