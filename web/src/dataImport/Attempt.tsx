// A check or an import under way: how far it is, and how to stop it.
import { Button } from 'primereact/button';
import { ProgressBar } from 'primereact/progressbar';
import { useState } from 'react';
import type { Reply } from '../schema';
import { at } from '../api/address';
import { api } from '../api/client';
import { formatNumber } from '../format';
import { t } from '../messages';
import { useConfirm } from '../ui/confirm';
import { Panel } from '../ui/Panel';
import { useToast } from '../ui/toast';
import style from './dataImport.module.css';

const text = t.dataImport;

export function Attempt({ data, reload }: { data: Reply<'DataImport'>; reload: () => Promise<void> }) {
  const confirm = useConfirm();
  const toast = useToast();
  const [busy, setBusy] = useState(false);
  const { korak, obradjeno, ukupno } = data;
  const name = text.status[data.status] ?? data.status;

  async function cancel() {
    if (!(await confirm({ message: text.cancelQuestion, accept: text.cancel, danger: true }))) return;
    setBusy(true);
    try {
      await api.post(at('/api/data-imports/{id}/cancel', { id: data.id }));
    } catch (error) {
      toast.failure(text.cancelFailed, error);
    }
    await reload();
    setBusy(false);
  }

  return (
    <Panel title={name}>
      <div className={style.form}>
        <div className={style.progress} role="status">
          <ProgressBar
            {...(ukupno > 0
              ? { value: Math.min(100, Math.round((100 * obradjeno) / ukupno)), showValue: false }
              : { mode: 'indeterminate' as const })}
            aria-label={name}
          />
          <small className={style.meta}>
            {korak || text.waiting}
            {ukupno > 0 && ` · ${text.progress(formatNumber(obradjeno), formatNumber(ukupno))}`}
          </small>
        </div>
        <div className={style.actions}>
          <Button label={text.cancel} icon="pi pi-times" severity="danger" outlined loading={busy} onClick={() => void cancel()} />
        </div>
      </div>
    </Panel>
  );
}
