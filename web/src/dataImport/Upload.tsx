// Where a file is chosen, with the register that it is for and the institution whose all of it becomes.
import { Button } from 'primereact/button';
import { Dropdown } from 'primereact/dropdown';
import { useId, useRef, useState, type SyntheticEvent } from 'react';
import { api, ApiError } from '../api/client';
import type { Schema } from '../schema';
import { useApi } from '../api/hooks';
import { formatNumber } from '../format';
import { label, t } from '../messages';
import { Field } from '../ui/Field';
import { useFaultFocus } from '../ui/formFocus';
import { Loading, LoadFailed } from '../ui/states';
import { useToast } from '../ui/toast';
import style from './dataImport.module.css';

const text = t.dataImport;
const MEGABYTE = 1024 * 1024;
const named = (list: readonly { id: number; naziv: string }[]) => list.map(({ id, naziv }) => ({ value: id, label: naziv }));

export function Upload({ open }: { open: (id: number) => void }) {
  const { data, error, mutate } = useApi('/api/data-import-options', { revalidateOnFocus: false });
  if (data) return <UploadForm options={data} open={open} />;
  return error ? <LoadFailed title={text.loadFailed} error={error} retry={() => void mutate()} /> : <Loading lines={5} />;
}

interface Fault {
  field: string;
  message: string;
}

function UploadForm({ options, open }: { options: Schema<'ImportOptions'>; open: (id: number) => void }) {
  const own = options.ustanove.find(({ id }) => id === options.ustanovaID) ?? options.ustanove[0];
  const [register, setRegister] = useState<number | null>(null);
  const [institution, setInstitution] = useState<number | null>(own?.id ?? null);
  const [file, setFile] = useState<File | null>(null);
  const [fault, setFault] = useState<Fault | null>(null);
  const [busy, setBusy] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const form = useId();
  const toast = useToast();
  useFaultFocus(form, fault);
  const most = formatNumber(options.najviseMegabajta);
  const message = (field: string) => (fault?.field === field ? fault.message : null);

  function missing(): Fault | null {
    if (register === null) return { field: 'registarID', message: text.missingRegister };
    if (institution === null) return { field: 'ustanovaID', message: text.missingInstitution };
    if (!file) return { field: 'sadrzaj', message: text.missingFile };
    return file.size > options.najviseMegabajta * MEGABYTE ? { field: 'sadrzaj', message: text.tooLong(most) } : null;
  }

  async function send(event: SyntheticEvent) {
    event.preventDefault();
    toast.clear();
    const found = missing();
    setFault(found);
    if (found || !file || register === null || institution === null)
      return toast.error(text.sendFailed, found?.message ?? text.missingFile);
    setBusy(true);
    try {
      const sadrzaj = await base64Of(file);
      const { id } = await api.post('/api/data-imports', {
        registarID: register,
        ustanovaID: institution,
        fajl: file.name,
        sadrzaj,
      });
      open(id);
    } catch (error) {
      if (error instanceof ApiError && error.field) setFault({ field: error.field, message: error.message });
      toast.failure(text.sendFailed, error);
      setBusy(false);
    }
  }

  return (
    <form id={form} className={style.form} onSubmit={(event) => void send(event)} noValidate>
      <div className={style.row}>
        <Field label={label('uvoz.registar')} required error={message('registarID')}>
          {({ id, ...control }) => (
            <Dropdown
              {...control}
              inputId={id}
              value={register}
              options={named(options.registri)}
              onChange={(e) => setRegister(e.value as number)}
              placeholder={t.common.choose}
            />
          )}
        </Field>
        <Field label={label('uvoz.ustanova')} required error={message('ustanovaID')} help={text.institutionHelp}>
          {({ id, ...control }) => (
            <Dropdown
              {...control}
              inputId={id}
              value={institution}
              options={named(options.ustanove)}
              onChange={(e) => setInstitution(e.value as number)}
              placeholder={t.common.choose}
            />
          )}
        </Field>
      </div>
      <Field label={label('uvoz.fajl')} required error={message('sadrzaj')} help={text.fileHelp(most)}>
        {({ id, 'aria-describedby': note, invalid }) => (
          <div className={style.file}>
            <input
              ref={input}
              id={id}
              type="file"
              accept=".csv,.txt,.tsv,text/csv,text/plain"
              aria-describedby={note}
              aria-invalid={invalid}
              className={style.hidden}
              tabIndex={-1}
              onChange={(e) => setFile(e.target.files?.[0] ?? null)}
            />
            <Button type="button" label={text.chooseFile} icon="pi pi-folder-open" outlined onClick={() => input.current?.click()} />
            <span>{file ? file.name : text.noFile}</span>
          </div>
        )}
      </Field>
      <div className={style.submit}>
        <p className={style.help}>{text.kept}</p>
        <Button type="submit" label={text.send} icon="pi pi-upload" loading={busy} disabled={busy} />
      </div>
    </form>
  );
}

function base64Of(file: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => {
      const address = reader.result as string;
      resolve(address.slice(address.indexOf(',') + 1));
    };
    reader.onerror = () => reject(new Error('the file cannot be read', { cause: reader.error }));
    reader.readAsDataURL(file);
  });
}
