// What a tile of a list holds: how many there are now, each number leading to its list; or a saved search, which leads to the search with its
// criteria, where everything is by the reader's rights. Nothing of it is kept or made by a run.
import { Link } from 'react-router';
import { at } from '../../api/address';
import { useApi } from '../../api/hooks';
import { useWorker } from '../../api/session';
import { t } from '../../messages';
import type { Reply } from '../../schema';
import { Loading, LoadFailed } from '../../ui/states';
import style from './board.module.css';
import type { Tile } from './grid';

/** The server counts no further. */
const COUNTED = 1000;
const VISITS = ['danas', 'otvorene', 'kasni'] as const;
const QUESTIONS = ['cekaju', 'postavljeni', 'ustanova'] as const;
const FINDINGS = ['otvoreni', 'moji', 'potvrdjeni'] as const;

export type List = NonNullable<Tile['spisak']>;

export const LISTS: readonly List[] = ['mojDan', 'koKasni', 'upiti', 'nalazi', 'pretraga'];

export function ListTile({ tile }: { tile: Tile }) {
  const { pacijenti } = useWorker();
  if (pacijenti === 'ne') return <p className={style.muted}>{t.board.noPatients}</p>;
  switch (tile.spisak) {
    case 'mojDan':
      return <Visits of="moje" />;
    case 'koKasni':
      return <Visits of="ustanove" />;
    case 'upiti':
      return <Questions />;
    case 'nalazi':
      return <Findings />;
    case 'pretraga':
      return tile.registarID && tile.pretragaID ? <Search register={tile.registarID} search={tile.pretragaID} /> : null;
    default:
      return null;
  }
}

const shown = (count: number) => t.plans.awaited.count(Math.min(count, COUNTED), count > COUNTED);

function Visits({ of }: { of: 'moje' | 'ustanove' }) {
  const { id } = useWorker();
  const { data, error, mutate } = useApi('/api/my-day', { revalidateOnFocus: false });
  if (error && !data) return <LoadFailed error={error} retry={() => void mutate()} />;
  if (!data) return <Loading />;
  const counts: Reply<'VisitCounts'> = data[of];
  const doctor = of === 'moje' && { lekar: String(id) };
  return (
    <ul className={style.counts}>
      {VISITS.map((list) => (
        <li key={list}>
          <Link to={`/koKasni?${new URLSearchParams({ spisak: list, ...doctor }).toString()}`}>
            <strong>{shown(counts[list])}</strong> {t.plans.awaited.lists[list]}
          </Link>
        </li>
      ))}
    </ul>
  );
}

function Questions() {
  const { data, error, mutate } = useApi('/api/question-counts', { revalidateOnFocus: false });
  if (error && !data) return <LoadFailed error={error} retry={() => void mutate()} />;
  if (!data) return <Loading />;
  return (
    <ul className={style.counts}>
      {QUESTIONS.map((list) => (
        <li key={list}>
          <Link to={`/mojiUpiti?${new URLSearchParams({ spisak: list }).toString()}`}>
            <strong>{data[list]}</strong> {t.questions.lists[list]}
          </Link>
        </li>
      ))}
    </ul>
  );
}

function Findings() {
  const { id } = useWorker();
  const { data, error, mutate } = useApi('/api/finding-counts', { revalidateOnFocus: false });
  if (error && !data) return <LoadFailed error={error} retry={() => void mutate()} />;
  if (!data) return <Loading />;
  const asked = {
    otvoreni: { stanje: 'otvoreni' },
    moji: { stanje: 'otvoreni', radnik: String(id) },
    potvrdjeni: { stanje: 'potvrdjeni' },
  };
  return (
    <ul className={style.counts}>
      {FINDINGS.map((list) => (
        <li key={list}>
          <Link to={`/nalazi?${new URLSearchParams(asked[list]).toString()}`}>
            <strong>{data[list]}</strong> {t.board.findings[list]}
          </Link>
        </li>
      ))}
    </ul>
  );
}

function Search({ register, search }: { register: number; search: number }) {
  const { data, error, mutate } = useApi(at('/api/saved-searches/{id}/count', { id: search }), { revalidateOnFocus: false });
  if (error?.status === 404) return <p role="alert">{t.board.noSearch}</p>;
  if (error && !data) return <LoadFailed error={error} retry={() => void mutate()} />;
  if (!data) return <Loading />;
  return (
    <ul className={style.counts}>
      <li>
        <Link to={`/registri/${String(register)}?${new URLSearchParams({ snimljena: String(search) }).toString()}`}>
          <strong>{t.plans.awaited.count(data.broj, data.imaJos)}</strong> {data.naziv}
        </Link>
      </li>
      <li className={style.muted}>{t.board.countedOwn}</li>
    </ul>
  );
}
