// The displays of the institution's board on walls: which there are, one more, and the end of one. The link of a new one is shown once.
import { Button } from 'primereact/button';
import { Dialog } from 'primereact/dialog';
import { InputText } from 'primereact/inputtext';
import { useState } from 'react';
import { at } from '../../api/address';
import { api, messageOf } from '../../api/client';
import { useApi } from '../../api/hooks';
import { formatDateTime } from '../../format';
import { t } from '../../messages';
import { WALL } from '../../places';
import type { Reply } from '../../schema';
import { useConfirm } from '../../ui/confirm';
import { Field } from '../../ui/Field';
import { GuideButton } from '../../ui/GuideButton';
import { EmptyState, Loading, LoadFailed } from '../../ui/states';
import { useToast } from '../../ui/toast';
import { useDeed } from '../../ui/useDeed';
import { useFocusReturn } from '../../ui/useFocusReturn';
import style from './board.module.css';

type Display = Reply<'WallDisplay'>;

export function WallDisplays({ close }: { close: () => void }) {
  useFocusReturn();
  const { data, error, mutate } = useApi('/api/wall-displays', { revalidateOnFocus: false });
  const reload = () => void mutate();
  return (
    <Dialog
      visible
      header={
        <>
          {t.wall.title} <GuideButton page="wall" />
        </>
      }
      onHide={close}
      draggable={false}
      style={{ width: 'min(44rem, 96vw)' }}
    >
      <p>{t.wall.lead}</p>
      {error ? (
        <LoadFailed error={error} retry={reload} title={t.wall.failed} />
      ) : !data ? (
        <Loading />
      ) : data.length === 0 ? (
        <EmptyState icon="pi-desktop" title={t.wall.none} />
      ) : (
        <ul className={style.displays} aria-label={t.wall.list}>
          {data.map((display) => (
            <DisplayRow key={display.id} display={display} reload={reload} />
          ))}
        </ul>
      )}
      <NewDisplay reload={reload} />
    </Dialog>
  );
}

function DisplayRow({
  display: { id, naziv, radnik, vremeKreiranja, poslednjiPrikaz, vazi },
  reload,
}: {
  display: Display;
  reload: () => void;
}) {
  const confirm = useConfirm();
  const { busy, act } = useDeed(reload);
  const revoke = async () => {
    if (await confirm({ message: t.wall.revokeAsk(naziv), accept: t.wall.revokeDo, danger: true }))
      await act(() => api.delete(at('/api/wall-displays/{id}', { id })), t.wall.revokeFailed);
  };
  return (
    <li>
      <div>
        <strong>{naziv}</strong>
        <small>
          {t.wall.madeBy(radnik, formatDateTime(vremeKreiranja))};{' '}
          {poslednjiPrikaz ? t.wall.lastShown(formatDateTime(poslednjiPrikaz)) : t.wall.neverShown}
        </small>
        {!vazi && <small role="note">{t.wall.invalid}</small>}
      </div>
      <Button text severity="danger" icon="pi pi-ban" aria-label={t.wall.revoke(naziv)} loading={busy} onClick={() => void revoke()} />
    </li>
  );
}

function NewDisplay({ reload }: { reload: () => void }) {
  const toast = useToast();
  const [name, setName] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [link, setLink] = useState<string | null>(null);
  const create = async () => {
    if (!name.trim()) return setFault(t.wall.missingName);
    setBusy(true);
    try {
      const { token } = await api.post('/api/wall-displays', { naziv: name });
      setLink(new URL(`${WALL}#${token}`, window.location.href).href);
      setName('');
      setFault(null);
      reload();
    } catch (error) {
      setFault(messageOf(error));
    }
    setBusy(false);
  };
  const copy = async (text: string) => {
    try {
      await navigator.clipboard.writeText(text);
      toast.success(t.wall.copied);
    } catch (error) {
      toast.failure(t.wall.copyFailed, error);
    }
  };
  return (
    <>
      <form
        className={style.newDisplay}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void create();
        }}
      >
        <Field label={t.wall.name} help={t.wall.nameHelp} error={fault}>
          {(control) => <InputText {...control} value={name} maxLength={120} onChange={({ target }) => setName(target.value)} />}
        </Field>
        <Button type="submit" icon="pi pi-plus" label={t.wall.create} loading={busy} />
      </form>
      {link !== null && (
        <div className={style.newDisplay}>
          <Field label={t.wall.link} help={t.wall.linkHelp}>
            {(control) => <InputText {...control} value={link} readOnly autoFocus onFocus={({ target }) => target.select()} />}
          </Field>
          <Button type="button" icon="pi pi-copy" label={t.wall.copy} outlined onClick={() => void copy(link)} />
        </div>
      )}
    </>
  );
}
