// A tile of a board on a wall: its title, its lines or its drawing as large as there is room, of when they are, and what does not fit.
import { useEffect, useRef, useState } from 'react';
import { seriesColour } from '../../charts/colours';
import { formatDateTime } from '../../format';
import { t } from '../../messages';
import { useIsNarrow } from '../../ui/useIsNarrow';
import { LineRow } from '../onScreen/LinesTable';
import lines from '../onScreen/onScreen.module.css';
import { Drawn } from '../onScreen/ReportChart';
import { TextLine } from '../onScreen/TextBlock';
import type { WallBoard } from './useWallBoard';
import style from './wall.module.css';

type Tile = WallBoard['plocice'][number];

/** Tiles of so few columns have the drawing for a narrow screen. */
const FEW_COLUMNS = 5;
const NONE: ReadonlySet<string> = new Set();

export function WallTileView({ tile, from }: { tile: Tile; from: number }) {
  const { body, unseen } = useUnseen(tile);
  const { naslov, x, y, sirina, visina, vreme, greska, blok, linije, ceka } = tile;
  const cut = unseen + Math.max(0, (blok?.linija ?? 0) - linije.length);
  return (
    <article
      className={style.tile}
      aria-label={naslov}
      style={{ gridColumn: `${String(x + 1)} / span ${String(sirina)}`, gridRow: `${String(y - from + 1)} / span ${String(visina)}` }}
    >
      <h2>{naslov}</h2>
      <div ref={body} className={style.body}>
        {greska ? <p className={style.told}>{greska}</p> : ceka ? <p className={style.told}>{t.wall.making}</p> : <Content tile={tile} />}
      </div>
      <footer>
        <small>{vreme && t.wall.asOf(formatDateTime(vreme))}</small>
        {cut > 0 && blok?.vrsta !== 'grafikon' && <small>{t.wall.hidden(cut)}</small>}
      </footer>
    </article>
  );
}

function Content({ tile: { blok, linije, grafikon, sirina, naslov } }: { tile: Tile }) {
  const narrow = useIsNarrow();
  if (!blok) return null;
  if (blok.vrsta === 'grafikon') {
    const drawing = narrow || sirina <= FEW_COLUMNS ? grafikon?.crtezi.at(-1) : grafikon?.crtezi[0];
    if (!grafikon || !drawing) return <p className={style.told}>{grafikon?.odbijeno ?? t.wall.noRows}</p>;
    return (
      <figure className={style.chart}>
        {grafikon.serije.length > 0 && (
          <ul className={style.legend}>
            {grafikon.serije.map(({ naziv, boja }) => (
              <li key={naziv}>
                <span style={{ background: seriesColour(boja) ?? boja }} aria-hidden /> {naziv}
              </li>
            ))}
          </ul>
        )}
        <Drawn drawing={drawing} off={NONE} description={grafikon.opis || naslov} />
      </figure>
    );
  }
  if (linije.length === 0) return <p className={style.told}>{t.wall.noRows}</p>;
  if (blok.vrsta === 'tekst')
    return (
      <section className={lines.text}>
        {linije.map((line, place) => (
          <TextLine key={place} line={line} />
        ))}
      </section>
    );
  return (
    <table className={lines.lines}>
      <thead>
        <tr>
          {blok.kolone.map(({ naslov: head, desno }, column) =>
            head ? (
              <th key={column} scope="col" data-right={desno}>
                {head}
              </th>
            ) : (
              <td key={column} />
            ),
          )}
        </tr>
      </thead>
      <tbody>
        {linije.map((line, place) => (
          <LineRow key={place} at={{ 'aria-rowindex': place + 2 }} line={line} block={blok} />
        ))}
      </tbody>
    </table>
  );
}

/** How many rows are below what can be seen: nobody scrolls a wall. */
function useUnseen(tile: Tile) {
  const body = useRef<HTMLDivElement>(null);
  const [unseen, setUnseen] = useState(0);
  useEffect(() => {
    const element = body.current;
    if (!element || typeof ResizeObserver === 'undefined') return;
    const observer = new ResizeObserver(() => {
      const { bottom } = element.getBoundingClientRect();
      const rows = [...element.querySelectorAll('tbody tr, section > *')];
      setUnseen(rows.filter((row) => row.getBoundingClientRect().bottom > bottom + 1).length);
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [tile]);
  return { body, unseen };
}
