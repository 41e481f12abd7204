// Mappings under a name: applying one, saving this one, deleting one, and having it as the command's file.
import { Button } from 'primereact/button';
import { Dropdown } from 'primereact/dropdown';
import { InputText } from 'primereact/inputtext';
import { useState } from 'react';
import type { Reply } from '../schema';
import { at } from '../api/address';
import { api } from '../api/client';
import { t } from '../messages';
import { useConfirm } from '../ui/confirm';
import { Field } from '../ui/Field';
import { useToast } from '../ui/toast';
import style from './dataImport.module.css';
import type { Mapping } from './mapping';

const text = t.dataImport;

interface Props {
  id: number;
  saved: readonly Reply<'SavedMapping'>[];
  /** What has been changed is kept first. */
  before: () => Promise<boolean>;
  reload: () => Promise<unknown>;
  apply: (mapping: Mapping, source: string) => void;
}

export function SavedMappings({ id, saved, before, reload, apply }: Props) {
  const [chosen, setChosen] = useState<number | null>(null);
  const [name, setName] = useState('');
  const [busy, setBusy] = useState(false);
  const confirm = useConfirm();
  const toast = useToast();
  const one = saved.find(({ id }) => id === chosen);

  async function act(work: () => Promise<unknown>, failed: string) {
    toast.clear();
    setBusy(true);
    try {
      if (await before()) await work();
    } catch (error) {
      toast.failure(failed, error);
    }
    setBusy(false);
  }
  const save = () =>
    act(async () => {
      await api.post(at('/api/data-imports/{id}/saved-mapping', { id }), { naziv: name });
      toast.success(text.savedDone);
      setName('');
      await reload();
    }, text.saveFailed);
  async function forget(mapping: Reply<'SavedMapping'>) {
    if (!(await confirm({ message: text.forgetQuestion(mapping.naziv), accept: text.forget, danger: true }))) return;
    await act(async () => {
      await api.delete(at('/api/import-mappings/{id}', { id: mapping.id }));
      setChosen(null);
      await reload();
    }, text.forgetFailed);
  }

  return (
    <div className={style.saved}>
      {saved.length > 0 && (
        <div className={style.pair}>
          <Field label={text.savedChoose}>
            {({ id, ...control }) => (
              <Dropdown
                {...control}
                inputId={id}
                value={chosen}
                options={saved.map(({ id: value, naziv }) => ({ value, label: naziv }))}
                placeholder={t.common.choose}
                onChange={(e) => {
                  setChosen(e.value as number);
                  const found = saved.find(({ id: known }) => known === e.value);
                  if (found) apply(found.mapiranje as unknown as Mapping, found.izvor);
                }}
              />
            )}
          </Field>
          {one && <Button label={text.forget} icon="pi pi-trash" severity="danger" text disabled={busy} onClick={() => void forget(one)} />}
        </div>
      )}
      <div className={style.pair}>
        <Field label={text.savedName}>
          {({ id, ...control }) => (
            <InputText
              id={id}
              aria-describedby={control['aria-describedby']}
              value={name}
              maxLength={100}
              onChange={(e) => setName(e.target.value)}
            />
          )}
        </Field>
        <Button label={text.save} icon="pi pi-save" outlined disabled={busy || !name.trim()} onClick={() => void save()} />
        <Button
          label={text.forCommand}
          icon="pi pi-download"
          text
          disabled={busy}
          onClick={() => void act(() => api.download(at('/api/data-imports/{id}/mapping-file', { id })), text.downloadFailed)}
        />
      </div>
    </div>
  );
}
