// A choice as a file: taken away from a version that is kept, and brought in from another register or another server, to be looked at and saved.
import { Button } from 'primereact/button';
import { useRef, useState } from 'react';
import { at } from '../../../api/address';
import { api, messageOf } from '../../../api/client';
import { t } from '../../../messages';
import type { Reply } from '../../../schema';
import style from './simple.module.css';

const text = t.simpleReport.file;
/** As much as the server takes. */
const LARGEST = 512 * 1024;

interface Props {
  report: number;
  /** The kept version that stands on the screen; none: it is not kept as it stands. */
  broj: number | null;
  /** The form that was chosen for what comes in; none: the one that the file names. */
  form: number | null;
  busy: boolean;
  onRead: (choice: Reply<'SimpleReport'>) => Promise<void>;
}

export function ChoiceFile({ report, broj, form, busy, onRead }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const [refused, setRefused] = useState<string | null>(null);

  async function bring(file: File | undefined) {
    if (!file) return;
    if (file.size > LARGEST) return setRefused(text.tooLarge);
    setRefused(null);
    try {
      const fajl = await file.text();
      await onRead(await api.post(at('/api/reports/{id}/simple-definition-file', { id: report }), { fajl, tipUnosaID: form }));
    } catch (error) {
      setRefused(messageOf(error));
    }
  }
  const take = () => {
    setRefused(null);
    api
      .download(at('/api/reports/{id}/definitions/{broj}/file', { id: report, broj: broj ?? 0 }))
      .catch((error: unknown) => setRefused(messageOf(error)));
  };
  return (
    <div className={style.file}>
      <input
        ref={input}
        type="file"
        accept=".json"
        className="sr-only"
        tabIndex={-1}
        aria-label={text.bring}
        onChange={(event) => {
          void bring(event.target.files?.[0]);
          // The same file may be chosen again, corrected.
          event.target.value = '';
        }}
      />
      <Button
        type="button"
        text
        size="small"
        label={text.take}
        icon="pi pi-download"
        disabled={busy || broj === null}
        onClick={take}
        tooltip={broj === null ? text.keepFirst : undefined}
        tooltipOptions={{ showOnDisabled: true }}
      />
      <Button
        type="button"
        text
        size="small"
        label={text.bring}
        icon="pi pi-upload"
        disabled={busy}
        onClick={() => input.current?.click()}
      />
      {refused !== null && (
        <p className={style.refused} role="alert">
          {refused}
        </p>
      )}
    </div>
  );
}
