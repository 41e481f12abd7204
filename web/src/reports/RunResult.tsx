// The result of an analysis where it was chosen: the blocks of its run, as the report's own page on the screen has them.
import { at } from '../api/address';
import { useApi } from '../api/hooks';
import { t } from '../messages';
import { Loading, LoadFailed } from '../ui/states';
import { BlockView } from './onScreen/BlockView';
import style from './onScreen/onScreen.module.css';

/** Each reading is recorded, so it is read once and kept. */
const ONCE = { revalidateOnFocus: false, revalidateOnReconnect: false, revalidateIfStale: false };

export function RunResult({ run }: { run: string }) {
  const { data, error, mutate } = useApi(at('/api/report-runs/{id}/screen', { id: run }), ONCE);
  if (!data) return error ? <LoadFailed title={t.reportView.failed} error={error} retry={() => void mutate()} /> : <Loading lines={6} />;
  const { sadrzaj } = data;
  if (!sadrzaj) return <p className={style.muted}>{t.reportView.notOnScreen}</p>;
  return (
    <div className={style.blocks}>
      {sadrzaj.skraceno && (
        <p className={style.cut} role="status">
          {sadrzaj.skraceno}
        </p>
      )}
      {sadrzaj.blokovi.map((block, place) => (
        <BlockView key={place} run={run} place={place} block={block} whole={data.potpun} />
      ))}
    </div>
  );
}
