// Patients who are offered to another keeper, or were: by one's own institution, and to it.
import { Button } from 'primereact/button';
import { Tag } from 'primereact/tag';
import { useState } from 'react';
import { at } from '../../api/address';
import { api } from '../../api/client';
import { useApi } from '../../api/hooks';
import type { Reply } from '../../schema';
import { formatDate, formatDateTime } from '../../format';
import { t } from '../../messages';
import { Page } from '../../ui/Page';
import { Panel } from '../../ui/Panel';
import { EmptyState, Loading, LoadFailed } from '../../ui/states';
import { useToast } from '../../ui/toast';
import { Guide } from './Guide';
import style from './merging.module.css';
import { ReasonDialog } from './ReasonDialog';

const text = t.merging;
const words = text.transfer;

export default function TransfersScreen() {
  const { data, error, mutate } = useApi('/api/patient-transfers');
  const [declining, setDeclining] = useState<number | null>(null);
  const toast = useToast();
  return (
    <Page title={words.screen} lead={words.lead} actions={<Guide label={words.guide} title={words.guideTitle} text={words.guideText} />}>
      <Panel title={words.list} flush>
        {error && !data ? (
          <LoadFailed error={error} retry={() => void mutate()} />
        ) : !data ? (
          <Loading lines={4} />
        ) : data.data.length === 0 ? (
          <EmptyState icon="pi-inbox" title={words.none} help={words.noneHelp} />
        ) : (
          <ul className={style.list} aria-label={words.list}>
            {data.data.map((row) => (
              <Offer key={row.id} row={row} decline={() => setDeclining(row.id)} onAnswered={() => void mutate()} />
            ))}
          </ul>
        )}
      </Panel>
      {declining !== null && (
        <ReasonDialog
          title={text.declineTitle}
          accept={text.decline}
          onClose={() => setDeclining(null)}
          give={async (razlog) => {
            await api.post(at('/api/patient-transfers/{id}/decline', { id: declining }), { razlog });
            toast.success(text.declined);
            setDeclining(null);
            void mutate();
          }}
        />
      )}
    </Page>
  );
}

function Offer({ row, decline, onAnswered }: { row: Reply<'PatientTransfer'>; decline: () => void; onAnswered: () => void }) {
  const toast = useToast();
  async function answer(accepts: boolean) {
    try {
      if (accepts) await api.post(at('/api/patient-transfers/{id}/accept', { id: row.id }));
      else await api.post(at('/api/patient-transfers/{id}/withdraw', { id: row.id }));
      toast.success(accepts ? words.accepted : words.withdrawn);
    } catch (failure) {
      toast.failure(text.saveFailed, failure);
    }
    onAnswered();
  }
  return (
    <li>
      <div className={style.what}>
        <p>
          {row.imePrezime} <span className={style.muted}>{formatDate(row.datumRodjenja)}</span>
          <Tag value={text.states[row.status]} severity={row.status === 'ceka' ? 'warning' : 'secondary'} />
        </p>
        <p>
          {row.primljen
            ? words.received(row.ustanova, row.radnik, formatDateTime(row.vreme))
            : words.sent(row.ustanova, formatDateTime(row.vreme))}
        </p>
        <p className={style.muted}>{text.because(row.razlog)}</p>
        {row.odgovoreno && (
          <p className={style.muted}>{text.answered(row.odgovorio ?? '', formatDateTime(row.odgovoreno), row.razlogOdgovora ?? null)}</p>
        )}
      </div>
      {row.status === 'ceka' && (
        <div className={style.actions}>
          {row.primljen ? (
            <>
              <Button label={text.accept} aria-label={words.acceptOf(row.imePrezime)} size="small" onClick={() => void answer(true)} />
              <Button
                label={text.decline}
                aria-label={words.declineOf(row.imePrezime)}
                size="small"
                outlined
                severity="danger"
                onClick={decline}
              />
            </>
          ) : (
            <Button
              label={text.withdraw}
              aria-label={words.withdrawOf(row.imePrezime)}
              size="small"
              outlined
              severity="secondary"
              onClick={() => void answer(false)}
            />
          )}
        </div>
      )}
    </li>
  );
}
