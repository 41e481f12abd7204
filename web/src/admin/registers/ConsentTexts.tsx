// The texts of consents of a register: the versions that there are, and a new one.
import { Button } from 'primereact/button';
import { Dropdown } from 'primereact/dropdown';
import { InputTextarea } from 'primereact/inputtextarea';
import { useState, type SyntheticEvent } from 'react';
import { at } from '../../api/address';
import { api, messageOf } from '../../api/client';
import { useApi } from '../../api/hooks';
import type { Schema } from '../../schema';
import { formatDateTime } from '../../format';
import { label, t } from '../../messages';
import { Field } from '../../ui/Field';
import { EmptyState, Loading, LoadFailed } from '../../ui/states';
import { useToast } from '../../ui/toast';
import style from './registers.module.css';

const text = t.consents;
const PURPOSES = (Object.keys(text.purposes) as Schema<'Purpose'>[]).map((value) => ({ value, label: text.purposes[value] }));

export function ConsentTexts({ register, mayChange }: { register: number; mayChange: boolean }) {
  const path = at('/api/registers/{id}/consent-texts', { id: register });
  const { data, error, mutate } = useApi(path);
  if (error && !data) return <LoadFailed error={error} retry={() => void mutate()} />;
  if (!data) return <Loading lines={4} />;
  return (
    <>
      <p>{text.textsHelp}</p>
      {data.data.length === 0 ? (
        <EmptyState icon="pi-file" title={text.noTexts} />
      ) : (
        <ul className={style.texts}>
          {data.data.map(({ id, svrha, broj, tekst, radnik, vreme, saglasnosti }) => (
            <li key={id}>
              <details>
                <summary>
                  {text.purposes[svrha]}, {text.version(broj)} ({text.consented(saglasnosti)})
                </summary>
                <p className={style.consentText}>{tekst}</p>
                <small>
                  {radnik}, {formatDateTime(vreme)}
                </small>
              </details>
            </li>
          ))}
        </ul>
      )}
      {mayChange && <NewText register={register} onAdded={() => void mutate()} />}
    </>
  );
}

function NewText({ register, onAdded }: { register: number; onAdded: () => void }) {
  const [svrha, setSvrha] = useState<Schema<'Purpose'>>('registar');
  const [tekst, setTekst] = useState('');
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const toast = useToast();

  async function add(event: SyntheticEvent) {
    event.preventDefault();
    setBusy(true);
    setError(null);
    try {
      await api.post(at('/api/registers/{id}/consent-texts', { id: register }), { svrha, tekst });
      setTekst('');
      toast.success(text.textSaved);
      onAdded();
    } catch (failure) {
      setError(messageOf(failure));
    }
    setBusy(false);
  }

  return (
    <form className={style.newText} onSubmit={(event) => void add(event)} noValidate>
      <h3>{text.newText}</h3>
      <Field label={label('consent.svrha')} required>
        {({ id, invalid, ...aria }) => (
          <Dropdown
            {...aria}
            inputId={id}
            invalid={invalid}
            value={svrha}
            options={PURPOSES}
            onChange={({ value }: { value: Schema<'Purpose'> }) => setSvrha(value)}
          />
        )}
      </Field>
      <Field label={label('consent.tekst')} required error={error}>
        {(control) => <InputTextarea {...control} value={tekst} rows={6} autoResize onChange={({ target }) => setTekst(target.value)} />}
      </Field>
      <Button type="submit" label={text.addText} loading={busy} />
    </form>
  );
}
