// The institution's board on a wall, outside every session: the token behind `#` shows it, stays there, and is sent nowhere but to the one
// call that takes it. Its pages follow one another; on a telephone they are one column.
import { Button } from 'primereact/button';
import { useEffect, useState, type ReactNode } from 'react';
import { useLocation } from 'react-router';
import { formatDateTime } from '../../format';
import { t } from '../../messages';
import { applyTheme, DEFAULT_THEME } from '../../theme/theme';
import { EmptyState, Loading } from '../../ui/states';
import { useIsNarrow } from '../../ui/useIsNarrow';
import { pagesOf } from './pages';
import { useCycle } from './useCycle';
import { EVERY, useWallBoard, type WallBoard } from './useWallBoard';
import style from './wall.module.css';
import { WallTileView } from './WallTileView';

const DARK_THEME = 'darkly';

export default function WallScreen() {
  const token = useLocation().hash.slice(1);
  const { board, lost, busy, closed } = useWallBoard(token);
  useThemeOfSystem();
  if (board) return <Board board={board} lost={lost} busy={busy} />;
  return (
    <Frame title={t.wall.title}>
      {closed || !token ? (
        <EmptyState icon="pi-ban" title={t.wall.closed} help={closed ?? t.wall.noToken} />
      ) : lost || busy ? (
        <EmptyState icon="pi-exclamation-triangle" title={busy ?? t.wall.neverReached} />
      ) : (
        <Loading lines={8} />
      )}
    </Frame>
  );
}

function Frame({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main className={style.wall}>
      <title>{`${title} – ${t.product}`}</title>
      <h1 className="sr-only">{title}</h1>
      {children}
    </main>
  );
}

function Board({ board, lost, busy }: { board: WallBoard; lost: boolean; busy: string | null }) {
  const narrow = useIsNarrow();
  const pages = pagesOf(board.plocice);
  const { page, go, stopped, setStopped, attention } = useCycle(pages.length, !narrow);
  const isOld = useIsOld(board);
  const since = formatDateTime(board.vreme);
  const shown = narrow ? pages : pages.slice(page, page + 1);
  return (
    <main className={style.wall} {...attention}>
      <title>{`${board.naziv} – ${t.product}`}</title>
      <header className={style.head}>
        <h1>{board.ustanova}</h1>
        <span>{board.naziv}</span>
      </header>
      <p role="status" className={style.warning} hidden={!lost && !busy && !isOld}>
        {lost ? t.wall.lost(since) : busy ? t.wall.busy(busy, since) : isOld ? t.wall.old(since) : ''}
      </p>
      {pages.length === 0 && <EmptyState icon="pi-th-large" title={t.wall.empty} />}
      {shown.map(({ tiles, from, rows }) => (
        <div key={from} className={style.grid} style={{ gridTemplateRows: `repeat(${String(rows)}, minmax(0, 1fr))` }}>
          {tiles.map((tile) => (
            <WallTileView key={tile.id} tile={tile} from={from} />
          ))}
        </div>
      ))}
      {!narrow && pages.length > 1 && (
        <nav className={style.pages} aria-label={t.wall.pages}>
          <Button text icon="pi pi-angle-left" aria-label={t.wall.previous} onClick={() => go(-1)} />
          <span>{t.wall.page(page + 1, pages.length)}</span>
          <Button text icon="pi pi-angle-right" aria-label={t.wall.next} onClick={() => go(1)} />
          <Button
            text
            icon={stopped ? 'pi pi-play' : 'pi pi-pause'}
            aria-label={stopped ? t.wall.resume : t.wall.pause}
            onClick={() => setStopped(!stopped)}
          />
        </nav>
      )}
    </main>
  );
}

/** Whether the board has not been told anew for three turns: a computer that slept has lost no call. */
function useIsOld(board: WallBoard): boolean {
  const [old, setOld] = useState<WallBoard | null>(null);
  useEffect(() => {
    const timer = setTimeout(() => setOld(board), 3 * EVERY);
    return () => clearTimeout(timer);
  }, [board]);
  return old === board;
}

/** Dark or light as the system of the screen is: nobody has chosen a theme there. */
function useThemeOfSystem(): void {
  useEffect(() => {
    const media = window.matchMedia('(prefers-color-scheme: dark)');
    const apply = () => applyTheme(media.matches ? DARK_THEME : DEFAULT_THEME);
    apply();
    media.addEventListener('change', apply);
    return () => media.removeEventListener('change', apply);
  }, []);
}
