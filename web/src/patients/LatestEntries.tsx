// The newest entry of each form, its values in two columns (A 2.7).
import { useNavigate } from 'react-router';
import { at } from '../api/address';
import { useApi } from '../api/hooks';
import { formatDate } from '../format';
import { t } from '../messages';
import { entryPath } from '../places';
import { FoldingPanel } from '../ui/FoldingPanel';
import { Panel } from '../ui/Panel';
import { EmptyState, Loading, LoadFailed } from '../ui/states';
import { LatestValues } from './LatestValues';
import style from './page.module.css';
import { ToolButton } from './ToolButton';
import { asLatest, type EntryLists, type LatestEntry } from './types';

const text = t.patients.page;

export function LatestEntries({ patient, register, mayChange, create }: EntryLists) {
  const { data, error, mutate } = useApi(at('/api/patients/{id}/latest-entries', { id: patient, registarID: register }));
  if (error && !data) {
    return (
      <Panel title={text.latest}>
        <LoadFailed title={text.latestFailed} error={error} retry={() => void mutate()} />
      </Panel>
    );
  }
  if (!data) {
    return (
      <Panel title={text.latest}>
        <div className={style.waiting}>
          <Loading lines={8} />
        </div>
      </Panel>
    );
  }
  return (
    <div className={style.latest}>
      {asLatest(data.data).map((entry) => (
        <LatestPanel key={entry.tsaID} entry={entry} mayChange={mayChange} create={create} />
      ))}
    </div>
  );
}

function LatestPanel({ entry, mayChange, create }: { entry: LatestEntry } & Pick<EntryLists, 'mayChange' | 'create'>) {
  const { tsaID, unosNaziv, snimljenUnosID, datumUnosa, mozeSeInstancirati, autsi, vrednosti, zastareli } = entry;
  const navigate = useNavigate();
  return (
    <FoldingPanel
      title={
        <>
          {unosNaziv} {datumUnosa && <span className={style.when}>{formatDate(datumUnosa)}</span>}
        </>
      }
      actions={
        <div className={style.tools}>
          {snimljenUnosID !== null && (
            <ToolButton
              icon="pi-pencil"
              does={text.openEntry}
              name={`${text.openEntry}: ${unosNaziv}`}
              onClick={() => void navigate(entryPath(snimljenUnosID))}
            />
          )}
          {mozeSeInstancirati && mayChange && (
            <ToolButton
              icon="pi-plus"
              does={t.patients.search.newEntry}
              name={text.newEntry(unosNaziv)}
              onClick={() => create({ id: tsaID, naziv: unosNaziv, mozeSeInstancirati, maxInstanci: null })}
            />
          )}
        </div>
      }
    >
      {snimljenUnosID === null ? (
        <p className={style.nothing}>{text.noEntry}</p>
      ) : autsi.length === 0 ? (
        <EmptyState icon="pi-file" title={text.noValues} />
      ) : (
        <LatestValues fields={autsi} values={vrednosti} marks={zastareli} />
      )}
    </FoldingPanel>
  );
}
