// Attribute types that nothing uses: how many they are, which, and the button that removes them all.
import { Button } from 'primereact/button';
import { Dialog } from 'primereact/dialog';
import { useState } from 'react';
import { api } from '../api/client';
import { useApi } from '../api/hooks';
import { t } from '../messages';
import { useToast } from '../ui/toast';
import style from './admin.module.css';

const text = t.admin.attributeTypes;

export function UnusedTypes({ onRemoved }: { onRemoved: () => void }) {
  const { data, mutate } = useApi('/api/unused-attribute-types');
  const [isOpen, setOpen] = useState(false);
  const [busy, setBusy] = useState(false);
  const toast = useToast();
  const types = data?.data ?? [];
  if (types.length === 0 && !isOpen) return null;
  const close = () => setOpen(false);

  async function remove() {
    setBusy(true);
    try {
      await api.post('/api/unused-attribute-types-delete', { tipovi: types.map(({ id }) => id) });
      toast.success(text.removedUnused(types.length));
      close();
      onRemoved();
    } catch (error) {
      toast.failure(text.removeUnusedFailed, error);
    }
    await mutate();
    setBusy(false);
  }

  return (
    <>
      <Button label={text.unused(types.length)} icon="pi pi-eraser" outlined severity="secondary" onClick={() => setOpen(true)} />
      <Dialog
        visible={isOpen}
        header={text.unusedTitle}
        draggable={false}
        onHide={close}
        style={{ width: 'min(40rem, 94vw)' }}
        pt={{ content: { tabIndex: 0 } }}
        footer={
          <>
            <Button label={t.common.cancel} severity="secondary" outlined disabled={busy} onClick={close} />
            <Button
              label={text.removeUnused(types.length)}
              icon="pi pi-trash"
              severity="danger"
              loading={busy}
              disabled={types.length === 0}
              onClick={() => void remove()}
            />
          </>
        }
      >
        <p>{text.unusedLead}</p>
        <ul className={style.names} aria-label={text.unusedList}>
          {types.map(({ id, naziv, nazivTipaVrednostiAtributa }) => (
            <li key={id}>
              {naziv} <span>{nazivTipaVrednostiAtributa}</span>
            </li>
          ))}
        </ul>
      </Dialog>
    </>
  );
}
