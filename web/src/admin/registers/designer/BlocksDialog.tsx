// The library of blocks: what each is, whose and on which terms; one goes into the form in one step. A hospital's own come and go as files.
import { Button } from 'primereact/button';
import { Dialog } from 'primereact/dialog';
import { InputText } from 'primereact/inputtext';
import { useId, useRef, useState } from 'react';
import { at } from '../../../api/address';
import { api, messageOf } from '../../../api/client';
import { useApi } from '../../../api/hooks';
import type { Reply } from '../../../schema';
import { fold } from '../../../fold';
import { t } from '../../../messages';
import { useConfirm } from '../../../ui/confirm';
import { Field } from '../../../ui/Field';
import { GuideButton } from '../../../ui/GuideButton';
import { Loading, LoadFailed } from '../../../ui/states';
import { useToast } from '../../../ui/toast';
import { MAX_FILE_BYTES, readFile } from '../exchange/readFile';
import { asBlock, type Block } from './blocks';
import style from './blocks.module.css';

const text = t.blocks;

interface Props {
  onTake: (block: Block) => void;
  onClose: () => void;
}

const saysOf = ({ naziv, oblast, opis }: Reply<'BlockRow'>) => fold(`${naziv} ${oblast} ${opis}`);

export function BlocksDialog({ onTake, onClose }: Props) {
  const { data, error, mutate } = useApi('/api/blocks');
  const [sought, setSought] = useState('');
  const [busy, setBusy] = useState<string | null>(null);
  const [refused, setRefused] = useState<string | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const confirm = useConfirm();
  const toast = useToast();
  const list = useId();
  const rows = (data ?? []).filter((row) =>
    fold(sought)
      .split(/\s+/)
      .every((word) => saysOf(row).includes(word)),
  );

  async function take({ sifra, naziv }: Reply<'BlockRow'>) {
    setBusy(sifra);
    try {
      onTake(asBlock(await api.get(at('/api/blocks/{sifra}', { sifra }))));
    } catch (failure) {
      toast.failure(text.takeFailed(naziv), failure);
      setBusy(null);
    }
  }
  async function bring(file: File | undefined) {
    if (!file) return;
    if (file.size > MAX_FILE_BYTES) return setRefused(t.exchange.tooLarge);
    setRefused(null);
    try {
      const { naziv } = await api.post('/api/blocks', await readFile(file));
      await mutate();
      setSought('');
      toast.success(text.kept(naziv));
    } catch (failure) {
      setRefused(messageOf(failure));
    }
  }
  async function remove({ sifra, naziv }: Reply<'BlockRow'>) {
    if (!(await confirm({ message: text.removeQuestion(naziv), accept: text.remove, danger: true }))) return;
    try {
      await api.delete(at('/api/blocks/{sifra}', { sifra }));
      await mutate();
    } catch (failure) {
      toast.failure(text.removeFailed, failure);
    }
  }
  const save = ({ sifra }: Reply<'BlockRow'>) =>
    void api
      .download(at('/api/blocks/{sifra}/file', { sifra }))
      .catch((failure: unknown) => toast.failure(t.exchange.exportFailed, failure));

  return (
    <Dialog visible header={text.title} className={style.dialog} onHide={onClose} closable={busy === null}>
      <div className={style.head}>
        <Field label={text.search}>
          {(control) => <InputText {...control} value={sought} autoComplete="off" onChange={(event) => setSought(event.target.value)} />}
        </Field>
        <input
          ref={input}
          type="file"
          accept=".toml"
          className="sr-only"
          tabIndex={-1}
          aria-label={text.bring}
          onChange={(event) => {
            void bring(event.target.files?.[0]);
            // The same file may be chosen again, corrected.
            event.target.value = '';
          }}
        />
        <Button type="button" label={text.bring} icon="pi pi-upload" outlined onClick={() => input.current?.click()} />
        <GuideButton page="blocks" />
      </div>
      {refused !== null && (
        <p className={style.refused} role="alert">
          {refused}
        </p>
      )}
      {error ? <LoadFailed error={error} retry={() => void mutate()} /> : !data && <Loading />}
      {data && rows.length === 0 && <p className={style.help}>{text.none}</p>}
      <ul id={list} className={style.list} aria-label={text.title}>
        {rows.map((row) => (
          <li key={row.sifra}>
            <div className={style.row}>
              <strong>{row.naziv}</strong>
              <span className={style.help}>
                {row.oblast} · {row.isporucen ? text.shipped : text.own} · {text.edition(row.izdanje)}
              </span>
            </div>
            <span>{row.opis}</span>
            {row.nedostaje && (
              <span className={style.missing}>
                <span className="pi pi-exclamation-triangle" aria-hidden /> {row.nedostaje}
              </span>
            )}
            <small className={style.help}>
              {text.source}: {row.izvor}
            </small>
            <small className={style.help}>
              {text.licence}: {row.licenca}
            </small>
            <div className={style.actions}>
              <Button
                type="button"
                label={text.take}
                icon="pi pi-plus"
                size="small"
                aria-label={text.takeOf(row.naziv)}
                loading={busy === row.sifra}
                disabled={busy !== null}
                onClick={() => void take(row)}
              />
              <Button
                type="button"
                label={t.exchange.exportFile}
                icon="pi pi-download"
                size="small"
                text
                aria-label={text.exportOf(row.naziv)}
                onClick={() => save(row)}
              />
              {!row.isporucen && (
                <Button
                  type="button"
                  label={text.remove}
                  icon="pi pi-trash"
                  size="small"
                  text
                  severity="danger"
                  aria-label={text.removeOf(row.naziv)}
                  onClick={() => void remove(row)}
                />
              )}
            </div>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
