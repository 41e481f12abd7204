// A picture chosen from a file, kept as bare base64: shown, replaced, taken away.
import { Button } from 'primereact/button';
import { useRef, useState } from 'react';
import { t } from '../messages';
import { imageSource, MAX_IMAGE_BYTES, readImage } from './image';
import style from './ImageInput.module.css';

interface Props {
  id: string;
  alt: string;
  value: string | null | undefined;
  onChange: (value: string | null) => void;
  /** Told why a chosen file was not taken; the picture stays as it was. */
  onRefuse: (message: string) => void;
  invalid?: boolean;
  disabled?: boolean;
  'aria-describedby'?: string | undefined;
}

export function ImageInput({ id, alt, value, onChange, onRefuse, invalid, disabled, 'aria-describedby': note }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const [reading, setReading] = useState(false);
  const source = imageSource(value);

  async function take(file: File | undefined) {
    if (!file) return;
    if (file.size > MAX_IMAGE_BYTES) return onRefuse(t.image.size);
    setReading(true);
    try {
      const data = await readImage(file);
      if (data) onChange(data);
      else onRefuse(t.image.kind);
    } catch {
      onRefuse(t.image.unread);
    }
    setReading(false);
  }

  return (
    <div className={style.image} data-invalid={invalid}>
      <span className={style.frame}>{source ? <img src={source} alt={alt} /> : <span className="pi pi-image" aria-hidden />}</span>
      {!disabled && (
        <div className={style.actions}>
          <input
            ref={input}
            id={id}
            type="file"
            accept="image/jpeg,image/png,image/gif,image/webp"
            className="sr-only"
            tabIndex={-1}
            aria-describedby={note}
            onChange={(event) => {
              void take(event.target.files?.[0]);
              // The same file may be chosen again.
              event.target.value = '';
            }}
          />
          <Button
            type="button"
            label={source ? t.image.replace : t.image.choose}
            icon="pi pi-upload"
            outlined
            loading={reading}
            onClick={() => input.current?.click()}
          />
          {value && (
            <Button type="button" label={t.image.remove} icon="pi pi-times" text severity="danger" onClick={() => onChange(null)} />
          )}
        </div>
      )}
    </div>
  );
}
