// A file of an entry by its name: a PDF or a picture opens in a tab of its own, a text is saved.
import type { Schema } from '../schema';
import { api, saveFile } from '../api/client';
import { formatBytes } from '../format';
import { t } from '../messages';
import { openTab, showPdf } from '../ui/pdfTab';
import { useToast } from '../ui/toast';
import { filePath } from './attached';
import style from './files.module.css';

const text = t.files;

export function FileLink({ file }: { file: Schema<'EntryFile'> }) {
  const toast = useToast();
  async function open() {
    const tab = file.tip === 'txt' ? null : openTab(text.opening(file.naziv));
    try {
      const found = await api.file(filePath(file.id, { prikaz: true }));
      if (tab) showPdf(tab, found);
      else saveFile(found);
    } catch (error) {
      tab?.close();
      toast.failure(text.openFailed(file.naziv), error);
    }
  }
  return (
    <span className={style.link}>
      <button type="button" onClick={() => void open()} aria-label={text.open(file.naziv)}>
        {file.naziv}
      </button>
      <small>{formatBytes(file.velicina)}</small>
    </span>
  );
}

export const FileLinks = ({ files }: { files: readonly Schema<'EntryFile'>[] }) => (
  <span className={style.links}>
    {files.map((file) => (
      <FileLink key={file.id} file={file} />
    ))}
  </span>
);
