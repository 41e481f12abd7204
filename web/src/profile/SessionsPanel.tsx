// Where one is signed in, and ending it there.
import { Button } from 'primereact/button';
import { Tag } from 'primereact/tag';
import { at } from '../api/address';
import { api } from '../api/client';
import type { Reply } from '../schema';
import { useApi } from '../api/hooks';
import { session } from '../api/session';
import { formatDateTime } from '../format';
import { t } from '../messages';
import { useConfirm } from '../ui/confirm';
import { Panel } from '../ui/Panel';
import { Loading, LoadFailed } from '../ui/states';
import { useToast } from '../ui/toast';
import { deviceOf } from './device';
import style from './profile.module.css';

export function SessionsPanel() {
  const { data, error, mutate } = useApi('/api/sessions');
  const toast = useToast();
  const confirm = useConfirm();

  async function end(id: number) {
    toast.clear();
    try {
      await api.delete(at('/api/sessions/{id}', { id }));
      toast.success(t.account.ended);
    } catch (error) {
      toast.failure(t.account.endFailed, error);
    }
    void mutate();
  }

  async function endAll() {
    if (!(await confirm({ message: t.account.endAllQuestion, accept: t.account.endAll, danger: true }))) return;
    toast.clear();
    try {
      await api.delete('/api/sessions');
      session.end();
      window.location.replace('/');
    } catch (error) {
      toast.failure(t.account.endFailed, error);
    }
  }

  return (
    <Panel
      title={t.account.sessions}
      actions={<Button label={t.account.endAll} icon="pi pi-sign-out" severity="danger" outlined onClick={() => void endAll()} />}
    >
      {data ? (
        <ul className={style.sessions}>
          {data.map((record) => (
            <Session key={record.id} record={record} end={() => void end(record.id)} />
          ))}
        </ul>
      ) : error ? (
        <LoadFailed error={error} retry={() => void mutate()} />
      ) : (
        <Loading />
      )}
    </Panel>
  );
}

function Session({ record, end }: { record: Reply<'SessionRecord'>; end: () => void }) {
  const { vremeKreiranja, poslednjiPristup, adresa, pregledac, ova } = record;
  const device = deviceOf(pregledac) ?? t.account.unknownDevice;
  const parts = [
    t.account.since(formatDateTime(vremeKreiranja)),
    t.account.lastUsed(formatDateTime(poslednjiPristup)),
    adresa && t.account.fromAddress(adresa),
  ];
  return (
    <li className={style.session}>
      <div>
        <strong>{device}</strong> {ova && <Tag value={t.account.thisOne} />}
        <p>{parts.filter(Boolean).join(' · ')}</p>
      </div>
      {!ova && (
        <Button label={t.account.endOne} aria-label={`${t.account.endOne}: ${device}`} severity="secondary" outlined onClick={end} />
      )}
    </li>
  );
}
