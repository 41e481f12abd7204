// Shares month by month with their median: a run above or below it is a change, not chance.
import { formatNumber } from '../format';
import { t } from '../messages';
import style from './quality.module.css';

export interface MonthShare {
  label: string;
  /** From 0 to 1. */
  share: number;
}

const WIDTH = 720;
const HEIGHT = 200;
const LEFT = 44;
const RIGHT = 12;
const TOP = 10;
const BOTTOM = 26;
const STEPS = [0, 0.25, 0.5, 0.75, 1];
/** Labels that have room beside each other. */
const MOST_LABELS = 8;

export const percent = (share: number): string => `${formatNumber(Math.round(share * 100))} %`;

export function medianOf(shares: readonly number[]): number {
  const sorted = [...shares].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}

export function RunChart({ months }: { months: readonly MonthShare[] }) {
  const median = medianOf(months.map(({ share }) => share));
  const x = (place: number) => LEFT + (months.length < 2 ? 0.5 : place / (months.length - 1)) * (WIDTH - LEFT - RIGHT);
  const y = (share: number) => TOP + (1 - share) * (HEIGHT - TOP - BOTTOM);
  const every = Math.ceil(months.length / MOST_LABELS);
  return (
    <svg
      viewBox={`0 0 ${String(WIDTH)} ${String(HEIGHT)}`}
      className={style.chart}
      role="img"
      aria-label={`${t.quality.chart}. ${t.quality.chartSaid(months.length, percent(median))}`}
    >
      {STEPS.map((step) => (
        <g key={step}>
          <line className={style.grid} x1={LEFT} x2={WIDTH - RIGHT} y1={y(step)} y2={y(step)} />
          <text x={LEFT - 6} y={y(step) + 4} textAnchor="end">
            {percent(step)}
          </text>
        </g>
      ))}
      <line className={style.median} x1={LEFT} x2={WIDTH - RIGHT} y1={y(median)} y2={y(median)} />
      <polyline className={style.line} points={months.map(({ share }, place) => `${String(x(place))},${String(y(share))}`).join(' ')} />
      {months.map(({ label, share }, place) => (
        <g key={label}>
          <circle className={style.dot} cx={x(place)} cy={y(share)} r={3.5}>
            <title>{`${label}: ${percent(share)}`}</title>
          </circle>
          {place % every === 0 && (
            <text x={x(place)} y={HEIGHT - 8} textAnchor={place === 0 && months.length > 1 ? 'start' : 'middle'}>
              {label}
            </text>
          )}
        </g>
      ))}
    </svg>
  );
}
