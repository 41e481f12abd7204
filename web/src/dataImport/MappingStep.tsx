// The mapping: every change is kept at once, and the first rows are shown as they will be read by it.
import { Button } from 'primereact/button';
import { Message } from 'primereact/message';
import { useEffect, useRef, useState } from 'react';
import { at } from '../api/address';
import { api } from '../api/client';
import type { Reply } from '../schema';
import { closerTo } from '../api/closer';
import { useApi } from '../api/hooks';
import { t } from '../messages';
import { Panel } from '../ui/Panel';
import { Loading, LoadFailed } from '../ui/states';
import { useToast } from '../ui/toast';
import { Columns } from './Columns';
import { Constants } from './Constants';
import style from './dataImport.module.css';
import type { Mapping } from './mapping';
import { Preview } from './Preview';
import { SavedMappings } from './SavedMappings';
import { FormSettings, Settings } from './Settings';

const text = t.dataImport;
/** After the last of several changes. */
const PAUSE = 500;

interface Props {
  id: number;
  reload: () => Promise<void>;
}

export function MappingStep(props: Props) {
  const { data, error, mutate } = useApi(at('/api/data-imports/{id}/mapping', { id: props.id }), {
    revalidateOnFocus: false,
    revalidateIfStale: false,
  });
  if (!data) return error ? <LoadFailed title={text.loadFailed} error={error} retry={() => void mutate()} /> : <Loading lines={10} />;
  return <Editor {...props} data={data} refresh={() => mutate()} />;
}

const asMapping = closerTo<Mapping>();

interface Kept {
  mapping: Mapping;
  source: string;
}

function Editor({ id, reload, data, refresh }: Props & { data: Reply<'ImportMapping'>; refresh: () => Promise<unknown> }) {
  const [kept, setKept] = useState<Kept>({ mapping: asMapping(data.mapiranje), source: data.izvor });
  const [preview, setPreview] = useState<Reply<'ImportPreview'>>(data.pregled);
  const [busy, setBusy] = useState(false);
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined);
  const unsent = useRef<Kept | null>(null);
  const toast = useToast();

  /** Keeps what has been changed; whether it could. */
  async function send(): Promise<boolean> {
    clearTimeout(waiting.current);
    const now = unsent.current;
    if (!now) return true;
    unsent.current = null;
    try {
      setPreview(await api.put(at('/api/data-imports/{id}/mapping', { id }), { mapiranje: now.mapping, izvor: now.source }));
      return true;
    } catch (error) {
      toast.failure(text.keepFailed, error);
      return false;
    }
  }
  const latest = useRef(send);
  useEffect(() => {
    latest.current = send;
  });
  // Who goes elsewhere within the pause keeps the last change too.
  useEffect(() => () => void latest.current(), []);

  function change(part: Partial<Kept>) {
    const next = { ...kept, ...part };
    setKept(next);
    unsent.current = next;
    clearTimeout(waiting.current);
    waiting.current = setTimeout(() => void latest.current(), PAUSE);
  }
  const changeMapping = (mapping: Mapping) => {
    change({ mapping });
    const [was, now] = [kept.mapping.file, mapping.file];
    // The columns themselves are others then.
    if (was.encoding !== now.encoding || was.delimiter !== now.delimiter) void send().then((done) => (done ? refresh() : undefined));
  };

  async function check() {
    toast.clear();
    setBusy(true);
    try {
      if (await send()) {
        await api.post(at('/api/data-imports/{id}/check', { id }));
        await refresh();
        await reload();
      }
    } catch (error) {
      toast.failure(text.checkFailed, error);
    }
    setBusy(false);
  }

  const { mapping, source } = kept;
  const shared = { mapping, columns: data.kolone, forms: data.formulari, change: changeMapping };
  return (
    <>
      <Panel title={text.saved}>
        <SavedMappings
          id={id}
          saved={data.sacuvana}
          before={send}
          reload={refresh}
          apply={(saved, izvor) => change({ mapping: saved, source: izvor })}
        />
      </Panel>
      <Panel title={text.settings}>
        <Settings {...shared} found={data.prepoznato} source={source} changeSource={(next) => change({ source: next })} />
      </Panel>
      <Panel title={text.columns}>
        <Columns {...shared} />
      </Panel>
      <Panel title={text.constants}>
        <Constants mapping={mapping} forms={data.formulari} change={changeMapping} />
      </Panel>
      {mapping.entries.map((entry) => (
        <Panel key={entry.form} title={text.form(data.formulari.find(({ sifra }) => sifra === entry.form)?.naziv ?? entry.form)}>
          <FormSettings {...shared} entry={entry} />
        </Panel>
      ))}
      <Panel title={text.preview}>
        <div className={style.form}>
          {preview.nedostaci.length > 0 && (
            <Message
              className={style.message}
              severity="warn"
              content={
                <div>
                  <p>{text.lacking}</p>
                  <ul>
                    {preview.nedostaci.map((one) => (
                      <li key={one}>{one}</li>
                    ))}
                  </ul>
                </div>
              }
            />
          )}
          <Preview preview={preview} />
          <div className={style.actions}>
            <Button
              label={text.check}
              icon="pi pi-check-circle"
              loading={busy}
              disabled={busy || preview.nedostaci.length > 0}
              onClick={() => void check()}
            />
          </div>
        </div>
      </Panel>
    </>
  );
}
