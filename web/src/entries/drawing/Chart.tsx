// A patient's scores over time, 800x400: one line for each configured code, points by date of examination.
import { use } from 'react';
import { useApi } from '../../api/hooks';
import { formatDate, formatNumber } from '../../format';
import { t } from '../../messages';
import { EmptyState, Loading, LoadFailed } from '../../ui/states';
import { useIsNarrow } from '../../ui/useIsNarrow';
import style from './entry.module.css';
import { useForm } from './form';
import { InfoButton } from './InfoButton';
import { SightContext } from './later';
import type { ChartLine, Field } from '../model/types';

interface Point {
  naziv: string;
  date: string;
  vrednosti: Record<string, unknown>;
}

/** 800x400; on a narrow screen a drawing of its own size, so that its figures stay legible. */
const SIZES = { wide: { WIDTH: 800, HEIGHT: 400 }, narrow: { WIDTH: 400, HEIGHT: 300 } };
const SIDES = { left: 48, right: 16, top: 16, bottom: 36 };
/** The width of a date with the room after it. */
const DATE = 96;

/** The specification's own four, where the form names no lines. */
const STANDARD: readonly ChartLine[] = [
  { oznaka: 'HAQ', sifra: 'haq', boja: '#7c3aed' },
  { oznaka: 'DAS28', sifra: 'das28se', boja: '#dc2626' },
  { oznaka: 'CDAI', sifra: 'cdai', boja: '#2563eb' },
  { oznaka: 'SDAI', sifra: 'sdai', boja: '#059669' },
];

const day = (date: string) => Date.parse(`${date}T00:00:00Z`) / 86_400_000;

/** Round steps from zero, or from below the lowest value, to above the highest. */
export function scale(lowest: number, highest: number): number[] {
  const [low, high] = [Math.min(lowest, 0), Math.max(highest, 0)];
  const rough = Math.max(high - low, 1) / 5;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power;
  const from = Math.floor(low / step);
  const to = Math.max(Math.ceil(high / step), from + 1);
  return Array.from({ length: to - from + 1 }, (_, i) => Number(((from + i) * step).toFixed(6)));
}

/** Dates that can stand beside each other, from the first on. */
export function withRoom<T extends { middle: number }>(dates: readonly T[]): T[] {
  const kept: T[] = [];
  for (const date of dates) {
    const before = kept.at(-1);
    if (!before || date.middle - before.middle >= DATE) kept.push(date);
  }
  return kept;
}

/** Lines so much larger than the others that one axis would press those flat: they have the axis on the right. */
const MAGNITUDE = 3;

/** Codes of the lines on the right, so divided that the flattest line is as high on its axis as it can be. */
export function onTheRight(lines: readonly ChartLine[], points: readonly Point[]): ReadonlySet<string> {
  const sorted = lines
    .map(({ sifra }) => ({ sifra, most: Math.max(0, ...points.map(({ vrednosti }) => Math.abs(Number(vrednosti[sifra] ?? 0)))) }))
    .filter(({ most }) => most > 0)
    .sort((a, b) => a.most - b.most);
  const most = (at: number) => sorted[at]?.most ?? 0;
  const last = sorted.length - 1;
  if (last < 1 || most(last) < MAGNITUDE * most(0)) return new Set();
  const flattest = (split: number) => Math.min(most(0) / most(split - 1), most(split) / most(last));
  const splits = sorted.slice(1).map((_, i) => i + 1);
  const best = splits.reduce((one, other) => (flattest(other) >= flattest(one) ? other : one));
  return new Set(sorted.slice(best).map(({ sifra }) => sifra));
}

/** Whether a line has numbers, and nothing but numbers. */
const isNumeric =
  (points: readonly Point[]) =>
  ({ sifra }: ChartLine) => {
    const kinds = new Set(points.map(({ vrednosti }) => typeof (vrednosti[sifra] ?? undefined)));
    return kinds.has('number') && kinds.size - Number(kinds.has('undefined')) === 1;
  };

export function Chart({ field }: { field: Field }) {
  const { pacijentID, registarID } = useForm();
  const asked = field.grafik?.length ? field.grafik : STANDARD;
  const inSight = use(SightContext);
  const { data, error, mutate } = useApi<{ podaci: Point[] }>(inSight ? `/api/patients/${pacijentID}/chart` : null, {
    registarID,
    sifre: asked.map(({ sifra }) => sifra).join(),
  });
  const points = [...(data?.podaci ?? [])].sort((a, b) => a.date.localeCompare(b.date));
  // What is no number, a therapy for example, stands under the course on the patient's page.
  const lines = asked.filter(isNumeric(points));
  const right = onTheRight(lines, points);
  const isEmpty = !points.some(({ vrednosti }) => lines.some(({ sifra }) => typeof vrednosti[sifra] === 'number'));
  return (
    <figure className={style.chart}>
      <figcaption className={style.name}>
        <span className={field.ispisujeSeLabela ? undefined : 'sr-only'}>{field.naziv}</span>
        {field.htmlInfo && <InfoButton name={field.naziv} html={field.htmlInfo} />}
      </figcaption>
      {error && !data ? (
        <LoadFailed title={t.entries.chartFailed} error={error} retry={() => void mutate()} />
      ) : !data ? (
        <Loading lines={6} />
      ) : isEmpty ? (
        <EmptyState icon="pi-chart-line" title={t.entries.chartEmpty} />
      ) : (
        <>
          <Drawing name={field.naziv} lines={lines} points={points} right={right} />
          <ul className={style.legend}>
            {lines.map(({ sifra, oznaka, boja }) => (
              <li key={sifra}>
                <span style={{ background: boja }} aria-hidden />
                {right.has(sifra) ? t.entries.onTheRight(oznaka) : oznaka}
              </li>
            ))}
          </ul>
          <Table lines={lines} points={points} />
        </>
      )}
    </figure>
  );
}

interface Drawn {
  lines: readonly ChartLine[];
  points: readonly Point[];
}

function Drawing({ name, lines, points, right }: Drawn & { name: string; right: ReadonlySet<string> }) {
  const { WIDTH, HEIGHT } = SIZES[useIsNarrow() ? 'narrow' : 'wide'];
  const stepsOf = (onRight: boolean) => {
    const own = lines.filter(({ sifra }) => right.has(sifra) === onRight);
    const known = points.flatMap(({ vrednosti }) => own.map(({ sifra }) => vrednosti[sifra]).filter((value) => typeof value === 'number'));
    return known.length > 0 ? scale(Math.min(...known), Math.max(...known)) : [];
  };
  const [steps, rightSteps] = [stepsOf(false), stepsOf(true)];
  const EDGE = { ...SIDES, right: right.size > 0 ? SIDES.left : SIDES.right };
  const [first, last] = [day(points[0]?.date ?? ''), day(points.at(-1)?.date ?? '')];
  const [width, height] = [WIDTH - EDGE.left - EDGE.right, HEIGHT - EDGE.top - EDGE.bottom];
  const x = (date: string) => EDGE.left + (last > first ? ((day(date) - first) / (last - first)) * width : width / 2);
  const yOn = (axis: readonly number[]) => {
    const [bottom, top] = [axis[0] ?? 0, axis.at(-1) ?? 1];
    return (value: number) => EDGE.top + height - ((value - bottom) / (top - bottom)) * height;
  };
  const [y, yRight] = [yOn(steps), yOn(rightSteps)];
  // Under its point, but for those that would leave the drawing.
  const place = (date: string) => {
    const at = x(date);
    if (at - DATE / 2 < EDGE.left) return { date, at, anchor: 'start', middle: at + DATE / 2 } as const;
    if (at + DATE / 2 > WIDTH - EDGE.right) return { date, at, anchor: 'end', middle: at - DATE / 2 } as const;
    return { date, at, anchor: 'middle', middle: at } as const;
  };
  const dates = withRoom([...new Set(points.map(({ date }) => date))].map(place));
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      width={WIDTH}
      height={HEIGHT}
      role="img"
      aria-label={t.entries.chart(name)}
      className={style.drawing}
    >
      {steps.map((step) => (
        <g key={step}>
          <line x1={EDGE.left} x2={WIDTH - EDGE.right} y1={y(step)} y2={y(step)} className={style.grid} />
          <text x={EDGE.left - 8} y={y(step) + 4} textAnchor="end">
            {formatNumber(step)}
          </text>
        </g>
      ))}
      {rightSteps.map((step) => (
        <text key={step} x={WIDTH - EDGE.right + 8} y={yRight(step) + 4}>
          {formatNumber(step)}
        </text>
      ))}
      {dates.map(({ date, at, anchor }) => (
        <text key={date} x={at} y={HEIGHT - 12} textAnchor={anchor}>
          {formatDate(date)}
        </text>
      ))}
      {lines.map(({ sifra, oznaka, boja }) => {
        const own = points.flatMap(({ date, vrednosti }) => {
          const value = vrednosti[sifra];
          return typeof value === 'number' ? [{ date, value }] : [];
        });
        const at = right.has(sifra) ? yRight : y;
        return (
          <g key={sifra} stroke={boja} fill={boja}>
            <polyline
              points={own.map(({ date, value }) => `${x(date)},${at(value)}`).join(' ')}
              fill="none"
              strokeWidth={2}
              strokeDasharray={right.has(sifra) ? '7 4' : undefined}
            />
            {own.map(({ date, value }, i) => (
              <circle key={i} cx={x(date)} cy={at(value)} r={4}>
                <title>{`${oznaka}, ${formatDate(date)}: ${formatNumber(value)}`}</title>
              </circle>
            ))}
          </g>
        );
      })}
    </svg>
  );
}

/** The same numbers for those who cannot see lines. */
function Table({ lines, points }: Drawn) {
  return (
    <details className={style.chartTable}>
      <summary>{t.entries.chartTable}</summary>
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
          {points.map(({ date, vrednosti }, i) => (
            <tr key={i}>
              <th scope="row">{formatDate(date)}</th>
              {lines.map(({ sifra }) => {
                const value = vrednosti[sifra];
                return <td key={sifra}>{formatNumber(typeof value === 'number' ? value : null)}</td>;
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
