// What the patient has agreed to: what holds in each register, the history, and the way to record one given or withdrawn.
import { Button } from 'primereact/button';
import { Tag } from 'primereact/tag';
import { useState } from 'react';
import { at } from '../api/address';
import { api, saveFile } from '../api/client';
import { useApi } from '../api/hooks';
import type { Reply, Schema } from '../schema';
import { formatDate, formatDateTime } from '../format';
import { t } from '../messages';
import { FoldingPanel } from '../ui/FoldingPanel';
import { GuideButton } from '../ui/GuideButton';
import { Loading, LoadFailed } from '../ui/states';
import { useToast } from '../ui/toast';
import { ConsentDialog } from './ConsentDialog';
import style from './status.module.css';

const text = t.consents;

export function PatientConsentsPanel({ patient, reload }: { patient: Schema<'Patient'>; reload: () => void }) {
  const [open, setOpen] = useState(false);
  const [recording, setRecording] = useState(false);
  const { data, error, mutate } = useApi(open || recording ? at('/api/patients/{id}/consents', { id: patient.id }) : null, {
    revalidateOnFocus: false,
  });
  return (
    <FoldingPanel
      title={text.title}
      startsClosed
      onToggle={setOpen}
      actions={
        <span className={style.actions}>
          {patient.pravoSaglasnosti && (
            <Button type="button" label={text.record} icon="pi pi-file-check" outlined size="small" onClick={() => setRecording(true)} />
          )}
          <GuideButton page="consents" />
        </span>
      }
    >
      {error && !data ? (
        <LoadFailed title={text.failed} error={error} retry={() => void mutate()} />
      ) : !data ? (
        open && <Loading lines={4} />
      ) : (
        <>
          {data.registri.map(({ registarID, naziv, svrhe }) => (
            <section key={registarID} className={style.register}>
              <h3>{naziv}</h3>
              <dl>
                {svrhe.map((state) => (
                  <div key={state.svrha}>
                    <dt>{text.purposes[state.svrha]}</dt>
                    <dd>
                      <State state={state} />
                    </dd>
                  </div>
                ))}
              </dl>
            </section>
          ))}
          <h3>{text.history}</h3>
          {data.istorija.length === 0 ? (
            <p className={style.muted}>{text.none}</p>
          ) : (
            <ul className={style.history}>
              {data.istorija.map((row) => (
                <Row key={row.id} row={row} />
              ))}
            </ul>
          )}
        </>
      )}
      {data && recording && (
        <ConsentDialog
          patient={patient}
          registers={data.registri}
          onClose={() => setRecording(false)}
          onDone={() => {
            setRecording(false);
            void mutate();
            reload();
          }}
        />
      )}
    </FoldingPanel>
  );
}

function State({ state: { dat, dan, trazi } }: { state: Reply<'PurposeState'> }) {
  if (dat == null) return trazi ? <Tag value={text.missing} severity="warning" /> : <span className={style.muted}>{text.notAsked}</span>;
  return <Tag value={text.since(dat ? text.given : text.withdrawn, formatDate(dan ?? null))} severity={dat ? 'success' : 'danger'} />;
}

function Row({ row }: { row: Reply<'ConsentRecord'> }) {
  const toast = useToast();
  async function open(id: number) {
    try {
      saveFile(await api.file(at('/api/consent-files/{id}', { id })));
    } catch (error) {
      toast.failure(text.openFailed, error);
    }
  }
  const { fajl, fajlID } = row;
  return (
    <li>
      <div className={style.what}>
        <p>
          <strong>
            {text.purposes[row.svrha]}: {text.since(row.dat ? text.given : text.withdrawn, formatDate(row.dan))}
          </strong>{' '}
          <span>{row.registar}</span>
          {row.tekstBroj != null && <small className={style.muted}> · {text.version(row.tekstBroj)}</small>}
        </p>
        {row.napomena && <p className={style.note}>{row.napomena}</p>}
        <p className={style.muted}>{text.by(row.radnik, row.ustanova, formatDateTime(row.vreme))}</p>
      </div>
      {fajl != null && fajlID != null && (
        <div className={style.actions}>
          <Button label={fajl} aria-label={text.open(fajl)} icon="pi pi-paperclip" text size="small" onClick={() => void open(fajlID)} />
        </div>
      )}
    </li>
  );
}
