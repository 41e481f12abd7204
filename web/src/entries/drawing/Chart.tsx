// A patient's scores over time, 800x400: one line for each configured code, points by date of examination.
import { use } from 'react';
import { at } from '../../api/address';
import { useApi } from '../../api/hooks';
import { Drawing, SpotTitles } from '../../charts/Drawing';
import { ChartTable, MarkedValues } from '../../charts/drawers';
import { byDate, type ChartLine, type ChartPoint } from '../../charts/plot';
import { formatNumber } from '../../format';
import { t } from '../../messages';
import { EmptyState, Loading, LoadFailed } from '../../ui/states';
import { useIsNarrow } from '../../ui/useIsNarrow';
import style from './entry.module.css';
import { useOpenEntry } from './form';
import { InfoButton } from './InfoButton';
import { SightContext } from './later';
import type { FormField } from '../model/types';

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
      ? at('/api/patients/{id}/chart', {
          id: pacijentID,
          registarID,
          sifre: asked.map(({ sifra }) => sifra).join(),
          linije: JSON.stringify(asked),
        })
      : null,
  );
  const points = byDate(data?.podaci ?? []);
  // What is no number, a therapy for example, stands under the course on the patient's page.
  const lines = asked.filter(isNumeric(points));
  const isNarrow = useIsNarrow();
  const drawing = isNarrow ? data?.crtezi.at(-1) : data?.crtezi[0];
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
          {drawing && (
            <Drawing drawing={drawing} label={t.entries.chart(field.naziv)} width={drawing.sirina} height={drawing.visina}>
              <SpotTitles drawing={drawing} />
            </Drawing>
          )}
          <MarkedValues lines={lines} points={points} />
          <ChartTable lines={lines} points={points} shown={(value) => formatNumber(typeof value === 'number' ? value : null)} />
        </>
      )}
    </figure>
  );
}
