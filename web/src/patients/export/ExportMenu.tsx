// The menu of file formats. The file is made in the browser.
import { Button } from 'primereact/button';
import { Menu } from 'primereact/menu';
import { useId, useRef, useState } from 'react';
import { api, messageOf } from '../../api/client';
import { formatNumber } from '../../format';
import { t } from '../../messages';
import { useToast } from '../../ui/toast';
import { fileName, FORMATS, type Format, type Result } from './table';
import type { Exported, ExportOrder } from './worker';

const text = t.patients.export;

function make(order: ExportOrder): Promise<Blob> {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
  return new Promise<Blob>((resolve, reject) => {
    worker.addEventListener('message', ({ data }: MessageEvent<Exported>) =>
      'file' in data ? resolve(data.file) : reject(new Error(data.failure)),
    );
    worker.addEventListener('error', (event) => reject(new Error(event.message)));
    worker.postMessage(order);
  }).finally(() => worker.terminate());
}

function hand(file: Blob, name: string) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

interface Props {
  result: Result;
  title: string;
  /** More patients match than these. */
  cut: boolean;
  /** Patients of other institutions who are too few to be rows, in words. */
  others?: string | null;
  /** Under which number the log has the search. */
  zapis: number;
}

export function ExportMenu({ result, title, cut, others = null, zapis }: Props) {
  const [busy, setBusy] = useState(false);
  const [open, setOpen] = useState(false);
  const menu = useRef<Menu>(null);
  const toast = useToast();
  const id = useId();

  async function save(format: Format) {
    setBusy(true);
    try {
      // Who takes data out is written down before there is a file.
      await api.ask('/api/search-exports', { zapis, oblik: format });
    } catch (refusal) {
      toast.error(text.failed, messageOf(refusal));
      setBusy(false);
      return;
    }
    try {
      const note = [cut && text.cut(formatNumber(result.rows.length)), others && text.others(others)].filter(Boolean).join(' ') || null;
      hand(await make({ format, result, title, note }), fileName(format));
      if (note) toast.warn(note);
    } catch {
      toast.error(text.failed);
    }
    setBusy(false);
  }

  return (
    <>
      <Button
        label={text.button}
        icon="pi pi-download"
        outlined
        size="small"
        loading={busy}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onClick={(event) => menu.current?.toggle(event)}
      />
      <Menu
        ref={menu}
        id={id}
        popup
        popupAlignment="right"
        onShow={() => setOpen(true)}
        onHide={() => setOpen(false)}
        model={FORMATS.map((format) => ({ label: format, icon: 'pi pi-file', command: () => void save(format) }))}
        pt={{ root: { role: 'region', 'aria-label': text.menu }, menu: { 'aria-label': text.menu } }}
      />
    </>
  );
}
