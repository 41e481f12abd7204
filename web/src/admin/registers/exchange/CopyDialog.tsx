// What the copy of a register or of a form is called.
import { Button } from 'primereact/button';
import { Dialog } from 'primereact/dialog';
import { InputText } from 'primereact/inputtext';
import { useId, useState, type SyntheticEvent } from 'react';
import { at } from '../../../api/address';
import { api, ApiError, messageOf } from '../../../api/client';
import { useReload } from '../../../crud/useCrud';
import { t } from '../../../messages';
import { Field } from '../../../ui/Field';
import { useToast } from '../../../ui/toast';
import style from './exchange.module.css';

const text = t.exchange;

interface Props {
  path: '/api/registers' | '/api/forms';
  of: { id: number; naziv: string };
  code: string | null;
  onClose: () => void;
}

export function CopyDialog({ path, of, code, onClose }: Props) {
  const [naziv, setNaziv] = useState(text.suffix(of.naziv));
  const [sifra, setSifra] = useState(code ? `${code}2` : '');
  const [problem, setProblem] = useState<{ field: string | null; message: string } | null>(null);
  const [busy, setBusy] = useState(false);
  const reload = useReload(path);
  const toast = useToast();
  const id = useId();
  const said = (field: string) => (problem?.field === field ? problem.message : null);

  async function copy(event: SyntheticEvent) {
    event.preventDefault();
    setBusy(true);
    try {
      await api.post(at(`${path}/{id}/copies`, { id: of.id }), { naziv, sifra });
      await reload();
      toast.success(text.copied(naziv));
      onClose();
    } catch (error) {
      setProblem({ field: error instanceof ApiError ? error.field : null, message: messageOf(error) });
      toast.failure(text.copyFailed, error);
      setBusy(false);
    }
  }

  return (
    <Dialog
      visible
      header={text.copyTitle(of.naziv)}
      onHide={onClose}
      closable={!busy}
      className={style.dialog}
      footer={
        <>
          <Button type="button" label={t.common.cancel} severity="secondary" outlined disabled={busy} onClick={onClose} />
          <Button type="submit" form={id} label={text.copy} icon="pi pi-copy" loading={busy} />
        </>
      }
    >
      <form id={id} className={style.fields} onSubmit={(event) => void copy(event)} noValidate>
        <p className={style.help}>{path === '/api/forms' ? text.copyFormHelp : text.copyHelp}</p>
        <Field label={text.copyName} required error={said('naziv')}>
          {(control) => <InputText {...control} value={naziv} onChange={(event) => setNaziv(event.target.value)} />}
        </Field>
        <Field label={text.copyCode} required error={said('sifra')}>
          {(control) => <InputText {...control} value={sifra} onChange={(event) => setSifra(event.target.value)} />}
        </Field>
      </form>
    </Dialog>
  );
}
