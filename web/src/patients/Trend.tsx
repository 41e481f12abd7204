// The patient's course: each measure of the register's charts on an axis of its own, with its reference bounds; under them what is no
// number, a therapy for example. Which measures these are, their names and bounds are the register's configuration.
import { useState } from 'react';
import { at } from '../api/address';
import { useApi } from '../api/hooks';
import { Drawing, SpotTitles } from '../charts/Drawing';
import { ChartTable, MarkedValues } from '../charts/drawers';
import { byDate, isOutside, numbersOf, type ChartPoint, type Dot } from '../charts/plot';
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
          <Measure key={line.sifra} line={line} points={numbersOf(points, line)} />
        ))}
      {written
        .filter(({ sifra }) => !off.has(sifra))
        .map((line) => (
          <Written key={line.sifra} line={line} points={withEnds(points, line)} />
        ))}
      {hasRings && <p className={style.note}>{text.rings}</p>}
      <MarkedValues lines={all} points={points} />
      <ChartTable lines={all} points={points} shown={shown} />
    </FoldingPanel>
  );
}

function bounds({ donjaReferentnaBrojnaVrednost: low, gornjaReferentnaBrojnaVrednost: high }: Schema<'TrendLine'>): string | null {
  if (typeof low !== 'number' && typeof high !== 'number') return null;
  return t.entries.reference(
    t.entries.range(typeof low === 'number' ? formatNumber(low) : null, typeof high === 'number' ? formatNumber(high) : null),
  );
}

function Measure({ line, points }: { line: Schema<'TrendLine'>; points: readonly Dot[] }) {
  const last = points.at(-1);
  const latest = last && text.latest(withUnit(last.value, line.jedinica), formatDate(last.date));
  return <Figure line={line} latest={latest} bounds={bounds(line)} />;
}

const withUnit = (value: number, unit: string | null | undefined) => (unit ? `${formatNumber(value)} ${unit}` : formatNumber(value));

/** What is no number: a stretch from the visit that first has it to the one that has another. */
function Written({ line, points }: { line: Schema<'TrendLine'>; points: readonly { date: string; text: string }[] }) {
  const now = points.at(-1);
  return <Figure line={line} latest={now && text.latest(now.text || EMPTY, formatDate(now.date))} bounds={null} />;
}

function Figure({ line, latest, bounds }: { line: Schema<'TrendLine'>; latest: string | undefined; bounds: string | null }) {
  const isNarrow = useIsNarrow();
  const drawing = isNarrow ? line.crtezi.at(-1) : line.crtezi[0];
  return (
    <figure className={style.measure}>
      <figcaption>
        <strong>{line.oznaka}</strong> {latest && <span>{latest}</span>} {bounds && <small>{bounds}</small>}
      </figcaption>
      {drawing && (
        <Drawing drawing={drawing} label={text.drawing(line.oznaka, latest ?? '')}>
          <SpotTitles drawing={drawing} />
        </Drawing>
      )}
    </figure>
  );
}
