// One tile: a block of its report's run, with the moment that it is of, and the way to the whole. While the board is arranged it is moved by its
// handle, or by arrows; with Shift they size it.
import { Button } from 'primereact/button';
import { InputText } from 'primereact/inputtext';
import { useRef, type KeyboardEvent, type PointerEvent, type RefObject } from 'react';
import { Link } from 'react-router';
import { at } from '../../api/address';
import { useApi } from '../../api/hooks';
import { formatDateTime } from '../../format';
import { t } from '../../messages';
import type { Reply } from '../../schema';
import { Loading, LoadFailed } from '../../ui/states';
import { BlockView } from '../onScreen/BlockView';
import style from './board.module.css';
import { ListTile } from './ListTile';
import { COLUMNS, stepped, type Place, type Tile } from './grid';

interface Props {
  tile: Tile;
  run: Reply<'BoardTileRun'> | undefined;
  arranging: boolean;
  /** The grid, by whose width a column is measured. */
  sheet: RefObject<HTMLDivElement | null>;
  place: (place: Place) => void;
  change: (part: Partial<Tile>) => void;
  remove: () => void;
  renew: () => void;
}

/** Pixels of a row of the grid, as the stylesheet has them. */
const ROW = 80;

const isOpen = (report: Reply<'ScreenReport'> | undefined) => report?.status === 'queued' || report?.status === 'running';

export function BoardTileView({ tile, run, arranging, sheet, place, change, remove, renew }: Props) {
  const { data, error, mutate } = useApi(run?.run ? at('/api/report-runs/{id}/screen', { id: run.run }) : null, {
    refreshInterval: (latest) => (isOpen(latest) ? 2_000 : 0),
    revalidateOnFocus: false,
    dedupingInterval: 500,
  });
  const blocks = data?.sadrzaj?.blokovi ?? [];
  const block = blocks[Math.min(tile.blok, blocks.length - 1)];
  const title = tile.spisak
    ? (tile.naslov ?? t.board.kinds[tile.spisak])
    : (tile.naslov ?? block?.naslov ?? data?.sadrzaj?.naslov ?? data?.naziv ?? (run ? t.common.loading : t.board.newTile));
  const from = useRef<{ x: number; y: number; place: Place; sizes: boolean } | null>(null);

  const press = (event: KeyboardEvent) => {
    const next = stepped(tile, event.key, event.shiftKey);
    if (!next) return;
    event.preventDefault();
    place(next);
  };
  const begin = (event: PointerEvent<HTMLButtonElement>, sizes: boolean) => {
    event.currentTarget.setPointerCapture(event.pointerId);
    const { x, y, sirina, visina } = tile;
    from.current = { x: event.clientX, y: event.clientY, place: { x, y, sirina, visina }, sizes };
  };
  const drag = (event: PointerEvent) => {
    const begun = from.current;
    if (!begun) return;
    const column = (sheet.current?.clientWidth ?? 1200) / COLUMNS;
    const [across, down] = [Math.round((event.clientX - begun.x) / column), Math.round((event.clientY - begun.y) / ROW)];
    const { x, y, sirina, visina } = begun.place;
    place(begun.sizes ? { x, y, sirina: sirina + across, visina: visina + down } : { x: x + across, y: y + down, sirina, visina });
  };
  const end = () => {
    from.current = null;
  };
  const step = (by: number) => change({ blok: Math.min(Math.max(tile.blok + by, 0), Math.max(blocks.length - 1, 0)) });

  return (
    <article
      className={style.tile}
      aria-label={title}
      style={{
        gridColumn: `${String(tile.x + 1)} / span ${String(tile.sirina)}`,
        gridRow: `${String(tile.y + 1)} / span ${String(tile.visina)}`,
      }}
    >
      <header className={style.head}>
        {arranging ? (
          <>
            <button
              type="button"
              className={style.handle}
              aria-label={t.board.move(title)}
              onKeyDown={press}
              onPointerDown={(event) => begin(event, false)}
              onPointerMove={drag}
              onPointerUp={end}
            >
              <span className="pi pi-arrows-alt" aria-hidden />
            </button>
            <InputText
              aria-label={t.board.titleOf}
              value={tile.naslov ?? ''}
              placeholder={title}
              maxLength={120}
              onChange={({ target }) => change({ naslov: target.value || null })}
            />
            {!tile.spisak && (
              <>
                <Button
                  text
                  icon="pi pi-angle-left"
                  aria-label={t.board.previousPart}
                  disabled={tile.blok === 0}
                  onClick={() => step(-1)}
                />
                <Button
                  text
                  icon="pi pi-angle-right"
                  aria-label={t.board.nextPart}
                  disabled={tile.blok >= blocks.length - 1}
                  onClick={() => step(1)}
                />
              </>
            )}
            <Button text severity="danger" icon="pi pi-trash" aria-label={t.board.remove(title)} onClick={remove} />
          </>
        ) : (
          <>
            <h2>{title}</h2>
            {run?.run && (
              <Link to={`/izvestaji/${run.run}/prikaz`} aria-label={t.board.openOf(title)}>
                <span className="pi pi-external-link" aria-hidden />
              </Link>
            )}
          </>
        )}
      </header>
      <div className={style.body}>
        {tile.spisak ? (
          <ListTile tile={tile} />
        ) : run?.greska ? (
          <p role="alert">{run.greska}</p>
        ) : error ? (
          <LoadFailed error={error} retry={() => void mutate()} />
        ) : data && !isOpen(data) && data.status !== 'succeeded' ? (
          <p role="alert">{data.greska ?? t.reportView.notMade}</p>
        ) : run?.run && block ? (
          <BlockView run={run.run} place={blocks.indexOf(block)} block={block} whole={data?.potpun ?? false} />
        ) : data?.potpun ? (
          <p className={style.muted}>{t.reportView.noRows}</p>
        ) : arranging && !run ? (
          <p className={style.muted}>{t.board.afterSaving}</p>
        ) : (
          <Loading />
        )}
      </div>
      <footer className={style.foot}>
        <small>{run?.ceka ? t.board.waits : run?.vreme && t.board.asOf(formatDateTime(run.vreme))}</small>
        {!arranging && !tile.spisak && (
          <Button text size="small" icon="pi pi-refresh" aria-label={t.board.renewOf(title)} onClick={renew} />
        )}
      </footer>
      {arranging && (
        <button
          type="button"
          tabIndex={-1}
          className={style.corner}
          aria-label={t.board.size(title)}
          onPointerDown={(event) => begin(event, true)}
          onPointerMove={drag}
          onPointerUp={end}
        />
      )}
    </article>
  );
}
