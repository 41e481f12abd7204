// Signing an entry with one's own password, or taking it back into work, locking and unlocking it with a reason.
import { Dropdown } from 'primereact/dropdown';
import { InputTextarea } from 'primereact/inputtextarea';
import { useState } from 'react';
import { at } from '../../api/address';
import { api } from '../../api/client';
import { useWorker } from '../../api/session';
import { t } from '../../messages';
import type { Schema } from '../../schema';
import { DeedDialog } from '../../ui/DeedDialog';
import { Field } from '../../ui/Field';
import { PasswordInput } from '../../ui/PasswordInput';
import style from './states.module.css';

const text = t.entryStates;
const [SHORTEST, LONGEST] = [3, 500];
const MEANINGS = Object.keys(text.meanings) as Schema<'SignatureMeaning'>[];

export type AskedDeed = keyof typeof text.titles;

export const isReason = (typed: string): boolean => typed.trim().length >= SHORTEST && typed.trim().length <= LONGEST;

interface Props {
  entry: number;
  /** Of the entry, as it is shown. */
  version: number;
  deed: AskedDeed;
  onDone: () => Promise<void>;
  onClose: () => void;
}

export function StateDialog({ entry, version, deed, onDone, onClose }: Props) {
  const { spoljna } = useWorker();
  const [razlog, setRazlog] = useState('');
  const [lozinka, setLozinka] = useState('');
  const [znacenje, setZnacenje] = useState<Schema<'SignatureMeaning'>>('autor');

  async function act() {
    const address = { id: entry };
    if (deed === 'sign') await api.post(at('/api/entries/{id}/sign', address), { verzija: version, znacenje, lozinka });
    else if (deed === 'reopen') await api.post(at('/api/entries/{id}/reopen', address), { verzija: version, razlog });
    else if (deed === 'lock') await api.post(at('/api/entries/{id}/lock', address), { verzija: version, razlog });
    else await api.post(at('/api/entries/{id}/unlock', address), { verzija: version, razlog });
    await onDone();
  }

  /** Who signs in at the hospital's provider has no password here: the provider asks. */
  const missing = () => {
    if (deed !== 'sign') return isReason(razlog) ? null : text.reasonMissing;
    return lozinka === '' && !spoljna ? text.passwordMissing : null;
  };
  return (
    <DeedDialog
      title={text.titles[deed]}
      accept={text[deed]}
      className={style.dialog}
      formClassName={style.form}
      missing={missing}
      deed={act}
      onClose={onClose}
    >
      {(fault) => (
        <>
          <p className={style.help}>{text.helps[deed]}</p>
          {deed === 'sign' ? (
            <>
              <Field label={text.meaning} required>
                {({ id, ...control }) => (
                  <Dropdown
                    {...control}
                    inputId={id}
                    value={znacenje}
                    options={MEANINGS.map((value) => ({ value, label: text.meanings[value] }))}
                    onChange={({ value }: { value: Schema<'SignatureMeaning'> }) => setZnacenje(value)}
                  />
                )}
              </Field>
              {spoljna ? (
                fault && <p role="alert">{fault}</p>
              ) : (
                <Field label={text.password} required error={fault}>
                  {(control) => (
                    <PasswordInput
                      {...control}
                      value={lozinka}
                      autoComplete="current-password"
                      onChange={({ target }) => setLozinka(target.value)}
                    />
                  )}
                </Field>
              )}
            </>
          ) : (
            <Field label={text.reason} required error={fault}>
              {(control) => (
                <InputTextarea {...control} value={razlog} rows={3} autoResize onChange={({ target }) => setRazlog(target.value)} />
              )}
            </Field>
          )}
        </>
      )}
    </DeedDialog>
  );
}
