// The files of a field: shown by name and picture, sent as soon as they are chosen, so that a draft keeps them; a save takes them.
import { Button } from 'primereact/button';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { at } from '../../api/address';
import { api, messageOf } from '../../api/client';
import type { Schema } from '../../schema';
import { newKey } from '../../api/key';
import { acceptOf, filePath, filesOf, isPicture, kindsOf, mostFiles, storedFiles } from '../../files/attached';
import { FileLink } from '../../files/FileLink';
import { formatBytes } from '../../format';
import { t } from '../../messages';
import type { FileUpload } from '../model/uploads';
import style from './files.module.css';
import { inputId, useOpenEntry } from './form';
import type { InputProps } from './inputs';

const text = t.files;
const MEGABYTE = 1024 * 1024;

/** A small picture of a file; what cannot be fetched is left to its name. */
function Preview({ file }: { file: Schema<'EntryFile'> }) {
  const [source, setSource] = useState<string | null>(null);
  const { id } = file;
  const shows = isPicture(file);
  useEffect(() => {
    if (!shows) return;
    let address: string | null = null;
    let gone = false;
    api
      .file(filePath(id, { umanjeno: true }))
      .then(({ content }) => {
        if (gone) return;
        address = URL.createObjectURL(content);
        setSource(address);
      })
      .catch(() => undefined);
    return () => {
      gone = true;
      if (address !== null) URL.revokeObjectURL(address);
    };
  }, [id, shows]);
  return (
    <span className={style.frame}>
      {source ? <img src={source} alt="" /> : <span className={`pi ${shows ? 'pi-image' : 'pi-file'}`} aria-hidden />}
    </span>
  );
}

export function FileAnswer({ field, value, invalid, disabled, describedBy }: InputProps) {
  const { store, pacijentID, tsaID } = useOpenEntry();
  const limits = field.tipAtributa.fajlovi;
  const files = filesOf(value);
  const { uploads } = store;
  const sending = useSyncExternalStore(uploads.subscribe, () => uploads.of(field.id));
  const [over, setOver] = useState(false);
  const [refused, setRefused] = useState<string | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const most = mostFiles(limits);
  const isFull = files.length + sending.length >= most;
  const mayAdd = !disabled && pacijentID !== null;

  const setSending = (next: (all: readonly FileUpload[]) => readonly FileUpload[]) => uploads.change(field.id, next);
  const held = () => filesOf(store.values()[String(field.id)]);
  const keep = (next: readonly Schema<'EntryFile'>[]) => store.set(field.id, storedFiles(next));
  const leave = (key: string) => setSending((all) => all.filter((one) => one.key !== key));
  const change = (key: string, next: Partial<FileUpload>) =>
    setSending((all) => all.map((one) => (one.key === key ? { ...one, ...next } : one)));

  async function send({ key, file }: FileUpload) {
    if (pacijentID === null) return;
    const largest = limits?.najviseMegabajta;
    if (largest && file.size > largest * MEGABYTE) {
      change(key, { failed: text.tooLarge(largest) });
      return;
    }
    const abort = new AbortController();
    change(key, { failed: null, stop: () => abort.abort() });
    try {
      const path = at('/api/entry-files', { pacijentID, tsaID, poljeID: field.id, naziv: file.name, obrazac: store.obrazac });
      const sent = await api.upload(path, file, abort.signal);
      // Whoever gave it up while it was on its way does not get it.
      if (uploads.of(field.id).some((one) => one.key === key)) keep([...held(), sent]);
      leave(key);
    } catch (error) {
      change(key, { failed: messageOf(error) });
    }
  }

  function giveUp({ key, stop }: FileUpload) {
    stop();
    leave(key);
    focusAdd();
  }

  /** The button that was pressed has gone. */
  const focusAdd = () => input.current?.parentElement?.querySelector('button')?.focus();

  function take(chosen: readonly File[]) {
    const room = most - files.length - sending.length;
    const tooMany = chosen.length > room;
    setRefused(tooMany ? text.tooMany(most) : null);
    const next = chosen.slice(0, Math.max(room, 0)).map((file) => ({ key: newKey(), file, failed: null, stop: () => undefined }));
    setSending((all) => [...all, ...next]);
    next.forEach((one) => void send(one));
  }

  function remove(id: number) {
    setRefused(null);
    keep(held().filter((file) => file.id !== id));
    focusAdd();
  }

  const sizes = limits?.najviseMegabajta ? `, ${text.upTo(limits.najviseMegabajta)}` : '';
  return (
    // eslint-disable-next-line jsx-a11y/no-static-element-interactions -- takes what is dragged there; the button does the same
    <div
      className={style.zone}
      data-over={over}
      data-invalid={invalid}
      data-disabled={!mayAdd}
      onDragOver={(event) => {
        if (!mayAdd) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        setOver(false);
        if (!mayAdd) return;
        event.preventDefault();
        take([...event.dataTransfer.files]);
      }}
    >
      {files.length + sending.length > 0 && (
        <ul className={style.list} aria-label={text.filesOf(field.naziv)}>
          {files.map((file) => (
            <li key={file.id} className={style.file}>
              <Preview file={file} />
              <span className={style.told}>
                <FileLink file={file} />
              </span>
              {!disabled && (
                <span className={style.buttons}>
                  <Button
                    type="button"
                    icon="pi pi-times"
                    text
                    severity="danger"
                    aria-label={text.remove(file.naziv)}
                    onClick={() => remove(file.id)}
                  />
                </span>
              )}
            </li>
          ))}
          {sending.map((one) => (
            <li key={one.key} className={style.file} aria-busy={one.failed === null}>
              <span className={style.frame}>
                <span className={`pi ${one.failed === null ? 'pi-spin pi-spinner' : 'pi-exclamation-triangle'}`} aria-hidden />
              </span>
              <span className={style.told}>
                <span>{one.file.name}</span>
                {one.failed === null ? (
                  <small role="status">{text.sending(formatBytes(one.file.size))}</small>
                ) : (
                  <small role="alert">{one.failed}</small>
                )}
              </span>
              <span className={style.buttons}>
                {one.failed !== null && (
                  <Button
                    type="button"
                    label={text.retry}
                    icon="pi pi-refresh"
                    size="small"
                    outlined
                    aria-label={text.retryOf(one.file.name)}
                    onClick={() => void send(one)}
                  />
                )}
                <Button
                  type="button"
                  icon="pi pi-times"
                  text
                  severity="danger"
                  aria-label={text.remove(one.file.name)}
                  onClick={() => giveUp(one)}
                />
              </span>
            </li>
          ))}
        </ul>
      )}
      {disabled && files.length === 0 && <span className={style.none}>{text.none}</span>}
      {mayAdd && (
        <div className={style.add}>
          <input
            ref={input}
            id={`${inputId(field.id)}-fajl`}
            type="file"
            multiple={most > 1}
            accept={acceptOf(limits)}
            className="sr-only"
            tabIndex={-1}
            aria-label={text.addTo(field.naziv)}
            onChange={({ target }) => {
              take([...(target.files ?? [])]);
              // The same file may be chosen again.
              target.value = '';
            }}
          />
          <Button
            type="button"
            id={inputId(field.id)}
            label={text.add}
            icon="pi pi-paperclip"
            size="small"
            outlined
            disabled={isFull}
            aria-label={text.addTo(field.naziv)}
            aria-describedby={describedBy}
            onClick={() => input.current?.click()}
          />
          <small>
            {isFull
              ? text.full(most)
              : `${text.dragHere} ${kindsOf(limits)
                  .map((kind) => text.kinds[kind])
                  .join(', ')}${sizes}.`}
          </small>
        </div>
      )}
      {!disabled && pacijentID === null && <span className={style.none}>{text.onlyTried}</span>}
      {refused !== null && <small role="alert">{refused}</small>}
    </div>
  );
}
