// Patients of one's own institution whom others took: who, why, and the way to object and end it.
import { Button } from 'primereact/button';
import { InputTextarea } from 'primereact/inputtextarea';
import { Tag } from 'primereact/tag';
import { useState } from 'react';
import { Link } from 'react-router';
import { at } from '../api/address';
import { api } from '../api/client';
import type { Reply } from '../schema';
import { useApi } from '../api/hooks';
import { useWorker } from '../api/session';
import { changesPatients } from '../auth/rights';
import { formatDate, formatDateTime } from '../format';
import { t } from '../messages';
import { DeedDialog } from '../ui/DeedDialog';
import { Field } from '../ui/Field';
import { Page } from '../ui/Page';
import { Panel } from '../ui/Panel';
import { EmptyState, Loading, LoadFailed } from '../ui/states';
import { useToast } from '../ui/toast';
import style from './taken.module.css';

const text = t.patients.taking;
const SHORTEST = 10;

export default function TakenPatientsScreen() {
  const { data, error, mutate } = useApi('/api/patient-takings');
  const [ending, setEnding] = useState<Reply<'TakenPatient'> | null>(null);
  return (
    <Page title={text.screen} lead={text.lead}>
      <Panel title={text.list} flush>
        {error && !data ? (
          <LoadFailed error={error} retry={() => void mutate()} />
        ) : !data ? (
          <Loading lines={6} />
        ) : data.data.length === 0 ? (
          <EmptyState icon="pi-inbox" title={text.none} help={text.noneHelp} />
        ) : (
          <ul className={style.list}>
            {data.total > data.data.length && <li>{t.table.cut(data.data.length, data.total)}</li>}
            {data.data.map((row) => (
              <Taken key={row.id} row={row} onEnd={() => setEnding(row)} onSeen={() => void mutate()} />
            ))}
          </ul>
        )}
      </Panel>
      {ending && (
        <EndDialog
          row={ending}
          onClose={() => setEnding(null)}
          onEnded={() => {
            setEnding(null);
            void mutate();
          }}
        />
      )}
    </Page>
  );
}

function Taken({ row, onEnd, onSeen }: { row: Reply<'TakenPatient'>; onEnd: () => void; onSeen: () => void }) {
  const { pacijenti } = useWorker();
  const toast = useToast();
  async function see() {
    try {
      await api.post(at('/api/patient-takings/{id}/seen', { id: row.id }));
      onSeen();
    } catch (failure) {
      toast.failure(text.failed, failure);
    }
  }
  return (
    <li>
      <div className={style.what}>
        <p>
          <Link to={`/pacijenti/${row.pacijentID}`}>{row.imePrezime}</Link>{' '}
          <span className={style.born}>{formatDate(row.datumRodjenja)}</span>
          {row.okoncano ? <Tag value={text.ended} severity="secondary" /> : row.novo && <Tag value={text.isNew} severity="warning" />}
        </p>
        <p>{text.by(row.ustanova, row.radnik, formatDateTime(row.vreme))}</p>
        <p className={style.reason}>{text.because(row.razlog)}</p>
        {row.okoncano && (
          <p className={style.reason}>{text.endedBy(row.okoncao ?? '', formatDateTime(row.okoncano), row.razlogOkoncanja ?? '')}</p>
        )}
      </div>
      {!row.okoncano && changesPatients(pacijenti) && (
        <div className={style.actions}>
          {row.novo && (
            <Button
              label={text.see}
              aria-label={`${text.see}: ${row.imePrezime}`}
              icon="pi pi-check"
              outlined
              severity="secondary"
              size="small"
              onClick={() => void see()}
            />
          )}
          <Button
            label={text.end}
            aria-label={`${text.end}: ${row.imePrezime}`}
            icon="pi pi-ban"
            outlined
            severity="danger"
            size="small"
            onClick={onEnd}
          />
        </div>
      )}
    </li>
  );
}

function EndDialog({ row, onClose, onEnded }: { row: Reply<'TakenPatient'>; onClose: () => void; onEnded: () => void }) {
  const [razlog, setRazlog] = useState('');
  const toast = useToast();
  return (
    <DeedDialog
      title={text.endTitle}
      accept={text.end}
      severity="danger"
      className={style.dialog}
      missing={() => (razlog.trim().length < SHORTEST ? text.reasonMissing : null)}
      deed={async () => {
        await api.post(at('/api/patient-takings/{id}/end', { id: row.id }), { razlog });
        toast.success(text.endedNow);
        onEnded();
      }}
      onClose={onClose}
    >
      {(fault) => (
        <>
          <p>{text.endHelp(row.imePrezime, row.ustanova)}</p>
          <Field label={text.reason} required error={fault} help={text.endReasonHelp}>
            {(control) => (
              <InputTextarea {...control} value={razlog} rows={3} autoResize onChange={({ target }) => setRazlog(target.value)} />
            )}
          </Field>
        </>
      )}
    </DeedDialog>
  );
}
