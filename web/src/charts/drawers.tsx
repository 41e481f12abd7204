// What every drawing of values over time is made of: the steps of an axis, the line of a measure, and the same values in a table.
import { markText } from '../marks';
import { formatDate, formatNumber } from '../format';
import { t } from '../messages';
import { lineColour } from './colours';
import style from './drawers.module.css';
import { countMarks, rowsOfDays, type ChartLine, type ChartPoint, type Dot } from './plot';

/** Room around a drawing for the figures of its axes. */
export const SIDES = { left: 48, right: 16 };

type Place<T> = (value: T) => number;

export function AxisSteps({ steps, y, width }: { steps: readonly number[]; y: Place<number>; width: number }) {
  return steps.map((step) => (
    <g key={step}>
      <line x1={SIDES.left} x2={SIDES.left + width} y1={y(step)} y2={y(step)} className={style.grid} />
      <text x={SIDES.left - 8} y={y(step) + 4} textAnchor="end">
        {formatNumber(step)}
      </text>
    </g>
  ));
}

interface CourseProps {
  line: ChartLine;
  dots: readonly Dot[];
  x: Place<string>;
  y: Place<number>;
  dashed?: boolean;
  said?: (value: number) => string;
  /** Values that are shown as rings. */
  isOutside?: (value: number) => boolean;
}

export function Course({ line: { oznaka, boja }, dots, x, y, dashed, said = formatNumber, isOutside = () => false }: CourseProps) {
  return (
    <g stroke={boja} fill={boja} style={{ stroke: lineColour(boja), fill: lineColour(boja) }} strokeWidth={2}>
      <polyline
        points={dots.map(({ date, value }) => `${x(date)},${y(value)}`).join(' ')}
        fill="none"
        strokeDasharray={dashed ? '7 4' : undefined}
      />
      {dots.map(({ date, value, mark }, i) => (
        <circle
          key={i}
          cx={x(date)}
          cy={y(value)}
          {...(isOutside(value) ? { r: 5, fill: 'var(--t-surface)' } : { r: 3.5 })}
          {...(mark && { strokeDasharray: '2 2', fill: 'var(--t-surface)' })}
        >
          <title>{`${oznaka}, ${formatDate(date)}: ${said(value)}${mark ? ` (${markText(mark)})` : ''}`}</title>
        </circle>
      ))}
    </g>
  );
}

interface TableProps<Line extends ChartLine> {
  lines: readonly Line[];
  points: readonly ChartPoint[];
  shown: (value: unknown, line: Line) => string;
}

/** The same values for those who cannot see lines. */
export function ChartTable<Line extends ChartLine>({ lines, points, shown }: TableProps<Line>) {
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
            {rowsOfDays(points).map(({ date, naziv, vrednosti, zastareli = {} }, i) => (
              <tr key={i}>
                <th scope="row" title={naziv}>
                  {formatDate(date)}
                </th>
                {lines.map((line) => {
                  const mark = zastareli[line.sifra];
                  return (
                    <td key={line.sifra}>
                      {shown(vrednosti[line.sifra], line)} {mark && <small>({markText(mark)})</small>}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}

/** What of these lines is not drawn, or drawn and does not compare with the rest. */
export function MarkedValues({ lines, points }: { lines: readonly ChartLine[]; points: readonly ChartPoint[] }) {
  const { otherUnits, formerFormula } = countMarks(lines, points);
  const said = [otherUnits > 0 && t.entries.notDrawn(otherUnits), formerFormula > 0 && t.entries.drawnDashed(formerFormula)];
  const notes = said.filter((note) => typeof note === 'string');
  return notes.length > 0 && <p className={style.marked}>{notes.join(' ')}</p>;
}
