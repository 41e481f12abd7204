// Recomputations of a form's stored results: what is marked, how far the one under way has come, and what became of the others.
import { Button } from 'primereact/button';
import { Message } from 'primereact/message';
import { ProgressBar } from 'primereact/progressbar';
import { useEffect, useState } from 'react';
import { useSWRConfig } from 'swr';
import { at } from '../../api/address';
import { api } from '../../api/client';
import { useApi } from '../../api/hooks';
import { formatDateTime } from '../../format';
import type { Reply } from '../../schema';
import { t } from '../../messages';
import { useConfirm } from '../../ui/confirm';
import { Loading, LoadFailed } from '../../ui/states';
import { useToast } from '../../ui/toast';
import { LeftEntries } from './LeftEntries';
import { RecomputeDialog } from './RecomputeDialog';
import { SIGNATURES_STAY } from './SignatureChoice';
import style from './registers.module.css';

const text = t.recomputation;

const isOpen = ({ status }: Reply<'Recomputation'>) => status === 'queued' || status === 'running';
/** While one is under way. */
const EVERY = 1_000;

/** `mayOrder`: the form is opened to be changed. */
export function Recomputations({ form, mayOrder }: { form: number; mayOrder: boolean }) {
  const path = at('/api/forms/{id}/recomputations', { id: form });
  const { data, error, mutate } = useApi(path, {
    refreshInterval: (latest) => (latest?.data.some(isOpen) ? EVERY : 0),
  });
  const confirm = useConfirm();
  const toast = useToast();
  const [busy, setBusy] = useState(false);
  const [ordering, setOrdering] = useState(false);
  const underWay = data?.data.some(isOpen) ?? false;
  // Entries go over to the version while it is under way, and the list of versions counts them.
  const { mutate: anew } = useSWRConfig();
  useEffect(() => {
    if (!underWay) void anew(at('/api/forms/{id}/versions', { id: form }));
  }, [underWay, form, anew]);
  if (error && !data) return <LoadFailed title={text.loadFailed} error={error} retry={() => void mutate()} />;
  if (!data) return <Loading lines={2} />;
  if (data.data.length === 0 && data.oznaceno === 0) return null;

  async function change(question: Parameters<typeof confirm>[0], order: () => Promise<unknown>, failed: string) {
    if (!(await confirm(question))) return;
    setBusy(true);
    try {
      await order();
    } catch (error) {
      toast.failure(failed, error);
    }
    await mutate().catch(() => undefined);
    setBusy(false);
  }
  const order = (count: number) =>
    change({ message: text.question(count), accept: text.recompute }, () => api.post(path, SIGNATURES_STAY), text.failed);
  const cancel = (id: number) =>
    change(
      { message: text.cancelQuestion, accept: text.cancel, danger: true },
      () => api.post(at('/api/recomputations/{id}/cancel', { id })),
      text.cancelFailed,
    );

  return (
    <section className={style.recomputations} aria-label={text.title}>
      <h2>{text.title}</h2>
      {data.oznaceno > 0 && !underWay && (
        <div className={style.marked}>
          <Message severity="warn" text={text.marked(data.oznaceno)} />
          {data.oznaceno === data.ostaje && <p>{text.leftForGood}</p>}
          {mayOrder && (data.oznaceno > data.ostaje || data.potpisano > 0) && (
            <Button
              label={text.recompute}
              icon="pi pi-calculator"
              loading={busy}
              onClick={() => (data.potpisano > 0 ? setOrdering(true) : void order(data.oznaceno))}
            />
          )}
        </div>
      )}
      <ul>
        {data.data.map((one) => (
          <li key={one.id}>
            <p>
              <strong>{text.status[one.status]}</strong> <small>{text.about(one.verzija, one.radnik, formatDateTime(one.vreme))}</small>
            </p>
            {isOpen(one) && <Progress one={one} />}
            <p>{text.counts(one.promenjeno, one.prevedeno, one.ostavljeno)}</p>
            {one.razlogPotpisa !== null && <p>{text.signatures.ended(one.potpisa, one.razlogPotpisa)}</p>}
            {one.ostavljeno > 0 && <LeftEntries id={one.id} count={one.ostavljeno} reasons={one.razlozi} />}
            {isOpen(one) && mayOrder && !one.otkazujeSe && (
              <Button
                label={text.cancel}
                icon="pi pi-times"
                severity="danger"
                outlined
                size="small"
                loading={busy}
                onClick={() => void cancel(one.id)}
              />
            )}
          </li>
        ))}
      </ul>
      {ordering && (
        <RecomputeDialog
          form={form}
          marked={data.oznaceno}
          signed={data.potpisano}
          onDone={async () => {
            setOrdering(false);
            await mutate().catch(() => undefined);
          }}
          onClose={() => setOrdering(false)}
        />
      )}
    </section>
  );
}

function Progress({ one: { status, ukupno, pregledano, otkazujeSe } }: { one: Reply<'Recomputation'> }) {
  const share = ukupno > 0 ? Math.min(100, Math.round((100 * pregledano) / ukupno)) : 0;
  return (
    <div className={style.progress} role="status">
      <ProgressBar
        {...(pregledano > 0 ? { value: share, showValue: false } : { mode: 'indeterminate' as const })}
        aria-label={text.status[status]}
      />
      <small>{otkazujeSe ? text.cancelling : text.progress(pregledano, ukupno)}</small>
    </div>
  );
}
