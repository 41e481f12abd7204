// A parameter that is typed: it is saved by its button, and the server's refusal stands under it.
import { Button } from 'primereact/button';
import { InputText } from 'primereact/inputtext';
import { InputTextarea } from 'primereact/inputtextarea';
import { useState } from 'react';
import { useSWRConfig } from 'swr';
import { api, messageOf } from '../api/client';
import { t } from '../messages';
import { Field } from '../ui/Field';
import { useToast } from '../ui/toast';
import style from './admin.module.css';

const text = t.admin.parameters;

interface Props {
  naziv: string;
  label: string;
  help: string;
  /** What is wrong with the value that is saved. */
  fault: string | null;
  value: string;
  lines?: number;
}

export function TextParameter({ naziv, label, help, fault, value, lines = 1 }: Props) {
  const [typed, setTyped] = useState<string | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [saving, setSaving] = useState(false);
  const { mutate } = useSWRConfig();
  const toast = useToast();
  const shown = typed ?? value;
  const changed = shown.trim() !== value;
  const change = (next: string | null) => {
    setTyped(next);
    setError(null);
  };

  async function save() {
    setSaving(true);
    toast.clear();
    try {
      await api.post('/api/parameters', { naziv, vrednost: shown.trim() });
      await mutate((key) => typeof key === 'string' && key.startsWith('/api/parameter'));
      setTyped(null);
      toast.success(t.crud.updated(label));
    } catch (failure) {
      setError(messageOf(failure));
      toast.failure(`${text.failed}: ${label}`, failure);
    }
    setSaving(false);
  }

  return (
    <li>
      <form
        className={style.typed}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (changed) void save();
        }}
      >
        <Field label={label} help={help} error={error ?? (changed ? null : fault)}>
          {(control) =>
            lines > 1 ? (
              <InputTextarea {...control} value={shown} rows={lines} autoResize onChange={({ target }) => change(target.value)} />
            ) : (
              <InputText {...control} value={shown} autoComplete="off" onChange={({ target }) => change(target.value)} />
            )
          }
        </Field>
        {changed && (
          <div className={style.actions}>
            <Button type="submit" label={t.common.save} aria-label={`${t.common.save}: ${label}`} loading={saving} />
            <Button type="button" label={t.common.cancel} severity="secondary" outlined disabled={saving} onClick={() => change(null)} />
          </div>
        )}
      </form>
    </li>
  );
}
