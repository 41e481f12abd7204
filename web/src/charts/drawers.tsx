// Beside every drawing of values over time: the same values in a table, and what of them is not drawn.
import { markText } from '../marks';
import { formatDate } from '../format';
import { t } from '../messages';
import style from './drawers.module.css';
import { countMarks, rowsOfDays, type ChartLine, type ChartPoint } from './plot';

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
