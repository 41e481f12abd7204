// Bringing patients and entries in: the file, its mapping, the check, the import. Where an import stands is the server's to say, so a
// reload loses nothing; which one is looked at stands in the address.
import { Button } from 'primereact/button';
import { Message } from 'primereact/message';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { useSWRConfig } from 'swr';
import { at } from '../api/address';
import { api } from '../api/client';
import type { Reply } from '../schema';
import { useApi } from '../api/hooks';
import { formatNumber } from '../format';
import { t } from '../messages';
import { useConfirm } from '../ui/confirm';
import { Page } from '../ui/Page';
import { Panel } from '../ui/Panel';
import { Loading, LoadFailed } from '../ui/states';
import { useToast } from '../ui/toast';
import { Attempt } from './Attempt';
import style from './dataImport.module.css';
import { MappingStep } from './MappingStep';
import { Outcome } from './Outcome';
import { OwnImports } from './OwnImports';
import { Upload } from './Upload';

const text = t.dataImport;
const PARAMETER = 'uvoz';
/** While something is under way. */
const EVERY = 1_000;

export const isUnderWay = ({ status }: Reply<'DataImport'>): boolean => status === 'checking' || status === 'importing';

export default function DataImportScreen() {
  const [address, setAddress] = useSearchParams();
  const chosen = address.get(PARAMETER);
  const id = chosen && /^\d+$/.test(chosen) ? Number(chosen) : null;
  const open = (next: number | null) => setAddress(next === null ? {} : { [PARAMETER]: String(next) });
  return (
    <Page title={text.title} lead={text.lead}>
      {id === null ? (
        <div className={style.sheets}>
          <Steps at={0} />
          <Panel title={text.upload}>
            <Upload open={open} />
          </Panel>
          <Panel title={text.own}>
            <OwnImports open={open} />
          </Panel>
        </div>
      ) : (
        <One key={id} id={id} close={() => open(null)} />
      )}
    </Page>
  );
}

function Steps({ at }: { at: number }) {
  return (
    <ol className={style.steps} aria-label={text.stepsLabel}>
      {text.steps.map((name, place) => (
        <li key={name} aria-current={place === at ? 'step' : undefined} data-done={place < at}>
          <span aria-hidden>{place < at ? <i className="pi pi-check" /> : place + 1}</span>
          {name}
        </li>
      ))}
    </ol>
  );
}

function One({ id, close }: { id: number; close: () => void }) {
  const { data, error, mutate } = useApi(at('/api/data-imports/{id}', { id }), {
    refreshInterval: (latest) => (latest && isUnderWay(latest) ? EVERY : 0),
  });
  const [mapping, setMapping] = useState(false);
  const confirm = useConfirm();
  const toast = useToast();
  const { mutate: anew } = useSWRConfig();
  if (!data) return error ? <LoadFailed title={text.loadFailed} error={error} retry={() => void mutate()} /> : <Loading lines={8} />;
  const rests = data.status === 'open' || data.status === 'checked';
  const maps = data.status === 'open' || (data.status === 'checked' && mapping);
  const step = data.status === 'done' ? 4 : data.status === 'importing' ? 3 : maps || data.status === 'left' ? 1 : 2;

  async function back() {
    await anew('/api/data-imports').catch(() => undefined);
    close();
  }
  async function leave() {
    if (!(await confirm({ message: text.leaveQuestion, accept: text.leave, danger: true }))) return;
    try {
      await api.delete(at('/api/data-imports/{id}', { id }));
      toast.success(text.left);
      await back();
    } catch (error) {
      toast.failure(text.leaveFailed, error);
      await mutate();
    }
  }
  const reload = async () => {
    setMapping(false);
    await mutate();
  };

  return (
    <div className={style.sheets}>
      <Steps at={step} />
      <div className={style.head}>
        <div>
          <h2>{data.fajl}</h2>
          <p className={style.meta}>{text.about(data.registar, data.ustanova, formatNumber(data.redova))}</p>
        </div>
        <div className={style.actions}>
          <Button label={text.backToList} icon="pi pi-arrow-left" text onClick={() => void back()} />
          {rests && <Button label={text.leave} icon="pi pi-trash" severity="danger" text onClick={() => void leave()} />}
        </div>
      </div>
      {data.prekid && (
        <Message
          className={style.message}
          severity={data.prekid === 'otkazan' ? 'info' : 'warn'}
          text={data.prekidPoruka ?? text.ended[data.prekid] ?? data.prekid}
        />
      )}
      {maps && <MappingStep id={id} reload={reload} />}
      {isUnderWay(data) && <Attempt data={data} reload={reload} />}
      {!maps && !isUnderWay(data) && data.ishod && (
        <Outcome data={data} reload={reload} toMapping={() => setMapping(true)} close={() => void back()} />
      )}
    </div>
  );
}
