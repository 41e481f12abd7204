// A worker's board: what she wants before her, each tile a piece of a report that is made once a day. It is arranged by mouse or by keys, has a
// period for all of it, and leads to each report whole.
import { Button } from 'primereact/button';
import { useEffect, useRef, useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { at } from '../../api/address';
import { api } from '../../api/client';
import { useApi } from '../../api/hooks';
import { useWorker } from '../../api/session';
import { mayOpen, Right } from '../../auth/rights';
import { t } from '../../messages';
import { chooseHome, chosenHome } from '../../places';
import type { Reply } from '../../schema';
import { Field } from '../../ui/Field';
import { Page } from '../../ui/Page';
import { Panel } from '../../ui/Panel';
import { EmptyState, Loading, LoadFailed } from '../../ui/states';
import { useToast } from '../../ui/toast';
import { DayInput } from '../DayInput';
import { AddTile } from './AddTile';
import style from './board.module.css';
import { BoardTileView } from './BoardTileView';
import { freePlace, MOST_TILES, placed, type Tile } from './grid';
import { WallDisplays } from './WallDisplays';

type Board = Reply<'Board'>;
type TileRun = Reply<'BoardTileRun'>;

/** Tiles that had no room in the queue are asked for again after so long. */
const WAIT = 3_000;

const OWN = '/api/board';
const SHARED = '/api/institution-board';

export default function BoardScreen() {
  const [search] = useSearchParams();
  const shared = search.get('tabla') === 'ustanove';
  const { data, error, mutate } = useApi(shared ? SHARED : OWN, { revalidateOnFocus: false });
  if (!data)
    return (
      <Page title={t.board.title}>
        <Panel>{error ? <LoadFailed error={error} retry={() => void mutate()} title={t.board.failed} /> : <Loading lines={8} />}</Panel>
      </Page>
    );
  const key = `${String(shared)} ${String(data.verzija)}`;
  return <Arranged key={key} shared={shared} board={data} saved={(board) => void mutate(board, { revalidate: false })} />;
}

interface ArrangedProps {
  board: Board;
  /** It is the institution's: arranged by who holds the right. */
  shared: boolean;
  saved: (board: Board) => void;
}

function Arranged({ board, shared, saved }: ArrangedProps) {
  const { id, prava } = useWorker();
  const own = shared ? '/tabla?tabla=ustanove' : '/tabla';
  const [isHome, setIsHome] = useState(() => chosenHome(id) === own);
  const mayArrange = !shared || mayOpen(prava, [Right.Boards]);
  const toast = useToast();
  const navigate = useNavigate();
  const [arranging, setArranging] = useState(mayArrange && board.plocice.length === 0);
  const [tiles, setTiles] = useState<readonly Tile[]>(board.plocice);
  const [filters, setFilters] = useState(board.filteri);
  const [saving, setSaving] = useState(false);
  const [adding, setAdding] = useState(false);
  const [walls, setWalls] = useState(false);
  const { runs, renew } = useTileRuns(board, shared);
  const { data: relative } = useApi(at('/api/report-days', {}));
  const sheet = useRef<HTMLDivElement>(null);

  const save = async (plocice: readonly Tile[], filteri: Board['filteri']) => {
    setSaving(true);
    try {
      saved(await api.put(shared ? SHARED : OWN, { plocice: [...plocice], filteri, verzija: board.verzija }));
    } catch (error) {
      toast.failure(t.board.saveFailed, error);
    } finally {
      setSaving(false);
    }
  };
  const mail = async () => {
    try {
      const { izvestajID } = await api.post('/api/board/report', { zajednicka: shared });
      void navigate(`/izvestaji?izvestaj=${String(izvestajID)}&prikaz=parametri`);
    } catch (error) {
      toast.failure(t.board.mailFailed, error);
    }
  };
  const leave = () => {
    setTiles(board.plocice);
    setFilters(board.filteri);
    setArranging(false);
  };
  const period = (part: Partial<Board['filteri']>) => setFilters((known) => ({ ...known, ...part }));
  const hasChanged = filters.od !== board.filteri.od || filters.do !== board.filteri.do;

  return (
    <Page
      title={shared ? t.board.shared : t.board.title}
      lead={
        <>
          {shared ? t.board.sharedLead : t.board.lead}{' '}
          <Link to={shared ? '/tabla' : '/tabla?tabla=ustanove'}>{shared ? t.board.title : t.board.shared}</Link>
        </>
      }
      actions={
        arranging ? (
          <>
            <Button icon="pi pi-plus" label={t.board.add} outlined disabled={tiles.length >= MOST_TILES} onClick={() => setAdding(true)} />
            <Button label={t.common.cancel} text onClick={leave} disabled={saving} />
            <Button icon="pi pi-save" label={t.common.save} loading={saving} onClick={() => void save(tiles, filters)} />
          </>
        ) : (
          <>
            <Button icon="pi pi-refresh" label={t.board.renewAll} outlined onClick={() => renew(tiles.map(({ id }) => id))} />
            <Button icon="pi pi-envelope" label={t.board.mail} outlined disabled={board.plocice.length === 0} onClick={() => void mail()} />
            <Button
              icon="pi pi-home"
              label={isHome ? t.board.isHome : t.board.makeHome}
              aria-pressed={isHome}
              outlined
              onClick={() => {
                chooseHome(id, isHome ? null : own);
                setIsHome(!isHome);
              }}
            />
            {shared && mayOpen(prava, [Right.WallDisplays]) && (
              <Button icon="pi pi-desktop" label={t.wall.title} outlined onClick={() => setWalls(true)} />
            )}
            {mayArrange && <Button icon="pi pi-th-large" label={t.board.arrange} outlined onClick={() => setArranging(true)} />}
          </>
        )
      }
    >
      {walls && <WallDisplays close={() => setWalls(false)} />}
      <form
        className={style.period}
        aria-label={t.board.period}
        onSubmit={(event) => {
          event.preventDefault();
          if (mayArrange) void save(tiles, filters);
        }}
      >
        {(['od', 'do'] as const).map((end) => (
          <Field key={end} label={t.board[end]} help={t.board.periodHelp}>
            {(control) => (
              <DayInput
                label={t.board[end]}
                value={filters[end] ?? ''}
                control={control}
                days={relative?.dani ?? []}
                change={(day) => period({ [end]: day || null })}
              />
            )}
          </Field>
        ))}
        {!arranging && mayArrange && hasChanged && <Button type="submit" icon="pi pi-check" label={t.board.apply} loading={saving} />}
      </form>
      {tiles.length === 0 ? (
        <Panel>
          <EmptyState icon="pi-th-large" title={t.board.empty} help={mayArrange ? t.board.emptyHelp : t.board.emptyShared} />
        </Panel>
      ) : (
        <div ref={sheet} className={style.grid} data-arranging={arranging}>
          {tiles.map((tile) => (
            <BoardTileView
              key={tile.id}
              tile={tile}
              run={runs.get(tile.id)}
              arranging={arranging}
              sheet={sheet}
              place={(place) => setTiles((known) => placed(known, tile.id, place))}
              change={(part) => setTiles((known) => known.map((one) => (one.id === tile.id ? { ...one, ...part } : one)))}
              remove={() => setTiles((known) => known.filter(({ id }) => id !== tile.id))}
              renew={() => renew([tile.id])}
            />
          ))}
        </div>
      )}
      {arranging && tiles.length > 0 && <p className={style.muted}>{t.board.keys}</p>}
      {adding && (
        <AddTile
          close={() => setAdding(false)}
          add={(tile) => {
            setTiles((known) => [...known, { ...tile, ...freePlace(known, tile.sirina, tile.visina) }]);
            setAdding(false);
          }}
        />
      )}
    </Page>
  );
}

/** The run that each tile shows. What waits for room in the queue is asked for again, and nothing else is. */
function useTileRuns(board: Board, zajednicka: boolean): { runs: ReadonlyMap<string, TileRun>; renew: (tiles: string[]) => void } {
  const toast = useToast();
  const [runs, setRuns] = useState<ReadonlyMap<string, TileRun>>(new Map());
  const [asked, setAsked] = useState<{ iznova: string[]; turn: number }>({ iznova: [], turn: 0 });
  const isEmpty = board.plocice.length === 0;
  useEffect(() => {
    if (isEmpty) return;
    let left = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    api
      .post('/api/board/refresh', { iznova: asked.iznova, zajednicka })
      .then((told) => {
        if (left) return;
        setRuns(new Map(told.map((one) => [one.id, one])));
        if (told.some(({ ceka }) => ceka)) timer = setTimeout(() => setAsked(({ turn }) => ({ iznova: [], turn: turn + 1 })), WAIT);
      })
      .catch((error: unknown) => {
        if (!left) toast.failure(t.board.refreshFailed, error);
      });
    return () => {
      left = true;
      clearTimeout(timer);
    };
  }, [isEmpty, asked, toast, zajednicka]);
  return { runs, renew: (iznova) => setAsked(({ turn }) => ({ iznova, turn: turn + 1 })) };
}
