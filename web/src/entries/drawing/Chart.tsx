// A patient's scores over time, 800x400: one line for each configured code, points by date of examination.
import { use } from 'react';
import { at } from '../../api/address';
import { useApi } from '../../api/hooks';
import { AxisSteps, ChartTable, Course, MarkedValues, SIDES } from '../../charts/drawers';
import {
  across,
  byDate,
  datesUnder,
  numbersOf,
  onTheRight,
  stepsWithZero,
  upwards,
  type ChartLine,
  type ChartPoint,
} from '../../charts/plot';
import { formatDate, formatNumber } from '../../format';
import { t } from '../../messages';
import { EmptyState, Loading, LoadFailed } from '../../ui/states';
import { useIsNarrow } from '../../ui/useIsNarrow';
import style from './entry.module.css';
import { useOpenEntry } from './form';
import { InfoButton } from './InfoButton';
import { SightContext } from './later';
import type { FormField } from '../model/types';

/** 800x400; on a narrow screen a drawing of its own size, so that its figures stay legible. */
const SIZES = { wide: { WIDTH: 800, HEIGHT: 400 }, narrow: { WIDTH: 400, HEIGHT: 300 } };
const [TOP, BOTTOM] = [16, 36];

/** The specification's own four, where the form names no lines. */
const STANDARD: readonly ChartLine[] = [
  { oznaka: 'HAQ', sifra: 'haq', boja: '#7c3aed' },
  { oznaka: 'DAS28', sifra: 'das28se', boja: '#dc2626' },
  { oznaka: 'CDAI', sifra: 'cdai', boja: '#2563eb' },
  { oznaka: 'SDAI', sifra: 'sdai', boja: '#059669' },
];

/** Whether a line has numbers, and nothing but numbers. */
const isNumeric =
  (points: readonly ChartPoint[]) =>
  ({ sifra }: ChartLine) => {
    const kinds = new Set(points.map(({ vrednosti }) => typeof (vrednosti[sifra] ?? undefined)));
    return kinds.has('number') && kinds.size - Number(kinds.has('undefined')) === 1;
  };

export function Chart({ field }: { field: FormField }) {
  const { pacijentID, registarID } = useOpenEntry();
  const asked = field.grafik?.length ? field.grafik : STANDARD;
  const inSight = use(SightContext);
  const { data, error, mutate } = useApi(
    inSight && pacijentID !== null
      ? at('/api/patients/{id}/chart', { id: pacijentID, registarID, sifre: asked.map(({ sifra }) => sifra).join() })
      : null,
  );
  const points = byDate(data?.podaci ?? []);
  // What is no number, a therapy for example, stands under the course on the patient's page.
  const lines = asked.filter(isNumeric(points));
  const right = onTheRight(lines, points);
  const isEmpty = lines.length === 0;
  return (
    <figure className={style.chart}>
      <figcaption className={style.name}>
        <span className={field.ispisujeSeLabela ? undefined : 'sr-only'}>{field.naziv}</span>
        {field.htmlInfo && <InfoButton name={field.naziv} html={field.htmlInfo} />}
      </figcaption>
      {error && !data ? (
        <LoadFailed title={t.entries.chartFailed} error={error} retry={() => void mutate()} />
      ) : !data && pacijentID !== null ? (
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
          <MarkedValues lines={lines} points={points} />
          <ChartTable lines={lines} points={points} shown={(value) => formatNumber(typeof value === 'number' ? value : null)} />
        </>
      )}
    </figure>
  );
}

interface Drawn {
  name: string;
  lines: readonly ChartLine[];
  points: readonly ChartPoint[];
  right: ReadonlySet<string>;
}

function Drawing({ name, lines, points, right }: Drawn) {
  const { WIDTH, HEIGHT } = SIZES[useIsNarrow() ? 'narrow' : 'wide'];
  const width = WIDTH - SIDES.left - (right.size > 0 ? SIDES.left : SIDES.right);
  const end = SIDES.left + width;
  const axis = (onRight: boolean) => {
    const own = lines.filter(({ sifra }) => right.has(sifra) === onRight);
    const known = own.flatMap((line) => numbersOf(points, line)).map(({ value }) => value);
    const steps = known.length > 0 ? stepsWithZero(Math.min(...known), Math.max(...known)) : [];
    return { steps, y: upwards(steps, TOP, HEIGHT - TOP - BOTTOM) };
  };
  const [left, onRight] = [axis(false), axis(true)];
  const dates = points.map(({ date }) => date);
  const x = across(dates, SIDES.left, width);
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      width={WIDTH}
      height={HEIGHT}
      role="img"
      aria-label={t.entries.chart(name)}
      className={style.drawing}
    >
      <AxisSteps {...left} width={width} />
      {onRight.steps.map((step) => (
        <text key={step} x={end + 8} y={onRight.y(step) + 4}>
          {formatNumber(step)}
        </text>
      ))}
      {datesUnder(dates, x, SIDES.left, end).map(({ date, at, anchor }) => (
        <text key={date} x={at} y={HEIGHT - 12} textAnchor={anchor}>
          {formatDate(date)}
        </text>
      ))}
      {lines.map((line) => {
        const isRight = right.has(line.sifra);
        return (
          <Course key={line.sifra} line={line} dots={numbersOf(points, line)} x={x} y={(isRight ? onRight : left).y} dashed={isRight} />
        );
      })}
    </svg>
  );
}
