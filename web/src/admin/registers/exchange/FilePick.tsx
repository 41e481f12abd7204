// The file that is brought in: chosen with a button.
import { Button } from 'primereact/button';
import { useRef } from 'react';
import { t } from '../../../messages';
import type { Control } from '../../../ui/Field';
import style from './exchange.module.css';
import { MAX_FILE_BYTES, readFile, type ChosenFile } from './readFile';

const text = t.exchange;

interface Props {
  control: Control;
  file: ChosenFile | null;
  onChoose: (file: ChosenFile) => void;
  onRefuse: (message: string) => void;
}

export function FilePick({ control, file, onChoose, onRefuse }: Props) {
  const input = useRef<HTMLInputElement>(null);

  async function take(chosen: File | undefined) {
    if (!chosen) return;
    if (chosen.size > MAX_FILE_BYTES) return onRefuse(text.tooLarge);
    try {
      onChoose(await readFile(chosen));
    } catch {
      onRefuse(text.unread);
    }
  }
  return (
    <div className={style.pick}>
      <input
        ref={input}
        id={control.id}
        type="file"
        accept=".toml,.xlsx,.csv,.json"
        className="sr-only"
        tabIndex={-1}
        aria-describedby={control['aria-describedby']}
        onChange={(event) => {
          void take(event.target.files?.[0]);
          // The same file may be chosen again, corrected.
          event.target.value = '';
        }}
      />
      <Button type="button" label={file ? text.replace : text.choose} icon="pi pi-file" outlined onClick={() => input.current?.click()} />
      {file && <strong className={style.name}>{file.imeFajla}</strong>}
    </div>
  );
}
