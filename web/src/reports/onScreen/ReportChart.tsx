// A chart of a report: drawn by the server's own geometry, its values by pointer and by keys, its series switched off and on, a table beside.
import { Button } from 'primereact/button';
import { useId, useState, type PointerEvent } from 'react';
import { useNavigate } from 'react-router';
import { at } from '../../api/address';
import { saveFile } from '../../api/client';
import { useApi } from '../../api/hooks';
import { useWorker } from '../../api/session';
import { seriesColour } from '../../charts/colours';
import { Drawing } from '../../charts/Drawing';
import { t } from '../../messages';
import type { Reply } from '../../schema';
import { Loading, LoadFailed } from '../../ui/states';
import { useToast } from '../../ui/toast';
import { useIsNarrow } from '../../ui/useIsNarrow';
import { countedPath } from './countedSearch';
import style from './onScreen.module.css';
import { pictureOf, type PictureKind } from './picture';

type Chart = Reply<'ScreenChart'>;
type Spot = Reply<'ScreenSpot'>;

/** A pointer reaches a value from so far, in units of the drawing. */
const REACH = 28;

export function ReportChart({ run, place }: { run: string; place: number }) {
  const { data, error, mutate } = useApi(at('/api/report-runs/{id}/screen/chart', { id: run, blok: place }), {
    // What was drawn never changes.
    revalidateOnFocus: false,
    revalidateIfStale: false,
  });
  if (error) return <LoadFailed error={error} retry={() => void mutate()} title={t.reportView.chartFailed} />;
  return data ? <ChartFigure chart={data} /> : <Loading lines={6} />;
}

export function ChartFigure({ chart }: { chart: Chart }) {
  const narrow = useIsNarrow();
  const { pacijenti } = useWorker();
  const navigate = useNavigate();
  const drawing = narrow ? chart.crtezi.at(-1) : chart.crtezi[0];
  const [off, setOff] = useState<ReadonlySet<string>>(new Set());
  const toggle = (series: string) =>
    setOff((known) => {
      const next = new Set(known);
      if (!next.delete(series)) next.add(series);
      return next;
    });
  return (
    <figure className={style.chart}>
      {chart.naslov && <figcaption>{chart.naslov}</figcaption>}
      {chart.serije.length > 0 && (
        <div className={style.series} role="group" aria-label={t.reportView.series}>
          {chart.serije.map(({ naziv, boja }) => (
            <button key={naziv} type="button" aria-pressed={!off.has(naziv)} onClick={() => toggle(naziv)}>
              <span style={{ background: seriesColour(boja) ?? boja }} aria-hidden /> {naziv}
            </button>
          ))}
        </div>
      )}
      {chart.odbijeno && <p className={style.refusal}>{chart.odbijeno}</p>}
      {drawing && (
        <Drawn
          key={drawing.sirina}
          drawing={drawing}
          off={off}
          description={chart.opis}
          open={pacijenti === 'ne' ? undefined : (search) => void navigate(countedPath(search))}
        />
      )}
      {pacijenti !== 'ne' && <LeadingNotes drawing={drawing} />}
      <div className={style.beside}>
        {chart.svg !== null && <Downloads svg={chart.svg} name={chart.naslov} />}
        {chart.redovi.length > 0 && <ValueTable chart={chart} />}
      </div>
    </figure>
  );
}

/** Where its values lead, and why a search may show another number. */
function LeadingNotes({ drawing }: { drawing: Reply<'ScreenDrawing'> | undefined }) {
  const searches = drawing?.mesta.flatMap(({ pretraga }) => pretraga ?? []) ?? [];
  if (searches.length === 0) return null;
  const { leads, ofEntries, ofAll } = t.reportView.searchNotes;
  const notes = [leads, searches.some(({ unosi }) => unosi) && ofEntries, searches.some(({ sveUstanove }) => sveUstanove) && ofAll];
  return notes.map(
    (note) =>
      note && (
        <p key={note} className={style.note}>
          {note}
        </p>
      ),
  );
}

interface DrawnProps {
  drawing: Reply<'ScreenDrawing'>;
  off: ReadonlySet<string>;
  description: string;
  /** Goes to those whom a value counts: not where nobody is signed in. */
  open?: (search: NonNullable<Spot['pretraga']>) => void;
}

export function Drawn({ drawing, off, description, open }: DrawnProps) {
  const spots = drawing.mesta.filter(({ serija }) => !off.has(serija));
  const [chosen, setChosen] = useState<number | null>(null);
  const id = useId();
  const spot = chosen === null ? undefined : spots[Math.min(chosen, spots.length - 1)];

  const point = ({ currentTarget, clientX, clientY }: PointerEvent<SVGSVGElement>) => {
    const { left, top, width } = currentTarget.getBoundingClientRect();
    const scale = width > 0 ? drawing.sirina / width : 1;
    setChosen(nearest(spots, (clientX - left) * scale, (clientY - top) * scale));
  };
  const search = open && spot?.pretraga;
  const follow = () => {
    if (search) open(search);
  };
  return (
    <>
      <Drawing
        drawing={drawing}
        label={description}
        isShown={(shape) => !off.has(shape.serija ?? '')}
        className={style.drawing}
        data-leads={Boolean(search)}
        onClick={follow}
        onPointerMove={point}
        onPointerLeave={() => setChosen(null)}
      >
        {spot && <circle cx={spot.x} cy={spot.y} r={7} className={style.spot} />}
      </Drawing>
      {spots.length > 0 && (
        <div className={style.values}>
          <label htmlFor={id}>{t.reportView.values}</label>
          <input
            id={id}
            type="range"
            min={0}
            max={spots.length - 1}
            value={Math.min(chosen ?? 0, spots.length - 1)}
            aria-valuetext={spots[Math.min(chosen ?? 0, spots.length - 1)]?.tekst}
            onChange={({ target }) => setChosen(Number(target.value))}
            onFocus={() => setChosen((known) => known ?? 0)}
            onKeyDown={({ key }) => {
              if (key === 'Enter') follow();
            }}
          />
          <output htmlFor={id}>{spot?.tekst ?? t.reportView.valuesHelp}</output>
          {search && <Button type="button" text size="small" icon="pi pi-search" label={t.reportView.openSearch} onClick={follow} />}
        </div>
      )}
    </>
  );
}

export function nearest(spots: readonly Spot[], x: number, y: number): number | null {
  let best: number | null = null;
  let least = REACH * REACH;
  spots.forEach((spot, place) => {
    const distance = (spot.x - x) ** 2 + (spot.y - y) ** 2;
    if (distance < least) [best, least] = [place, distance];
  });
  return best;
}

function Downloads({ svg, name }: { svg: string; name: string }) {
  const toast = useToast();
  const save = async (kind: PictureKind) => {
    try {
      saveFile({ content: await pictureOf(svg, kind), name: `${name || t.reportView.picture}.${kind}` });
    } catch (error) {
      toast.failure(t.reportView.pictureFailed, error);
    }
  };
  return (
    <>
      <Button type="button" label={t.reportView.svg} icon="pi pi-download" text size="small" onClick={() => void save('svg')} />
      <Button type="button" label={t.reportView.png} icon="pi pi-download" text size="small" onClick={() => void save('png')} />
    </>
  );
}

function ValueTable({ chart: { zaglavlja, redovi, tabelaSkracena, naslov } }: { chart: Chart }) {
  // A column that no row fills says nothing.
  const used = zaglavlja.map((_, column) => redovi.some((row) => row[column] !== ''));
  return (
    <details>
      <summary>{t.reportView.valueTable}</summary>
      {/* It scrolls, by the keyboard too. */}
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className={style.besideFrame} tabIndex={0} role="group" aria-label={`${t.reportView.valueTable}: ${naslov}`}>
        <table>
          <thead>
            <tr>{zaglavlja.map((head, column) => used[column] && <th key={head}>{head}</th>)}</tr>
          </thead>
          <tbody>
            {redovi.map((row, place) => (
              <tr key={place}>{row.map((cell, column) => used[column] && <td key={column}>{cell}</td>)}</tr>
            ))}
          </tbody>
        </table>
      </div>
      {tabelaSkracena && <p className={style.muted}>{t.reportView.valueTableCut}</p>}
    </details>
  );
}
