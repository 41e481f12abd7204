// Makes export files beside the page, so that a result of any size never stops it.
import { tableOf, type Format, type Result } from './table';

export interface ExportOrder {
  format: Format;
  result: Result;
  title: string;
  /** What the reader of the file must know. */
  note: string | null;
}

export type Exported = { file: Blob } | { failure: string };

async function make({ format, result, title, note }: ExportOrder): Promise<Blob> {
  switch (format) {
    case 'PDF':
      return (await import('./pdf')).pdf(tableOf(result), title, note);
    case 'XLSX':
      return (await import('./xlsx')).xlsx(tableOf(result), title, note);
    case 'XLS':
      return new Blob([(await import('./text')).xls(tableOf(result), title, note)], { type: 'application/vnd.ms-excel' });
    case 'CSV':
      return new Blob([(await import('./text')).csv(tableOf(result), note)], { type: 'text/csv;charset=utf-8' });
    case 'JSON':
      return new Blob([(await import('./text')).json(result.rows, note)], { type: 'application/json' });
  }
}

const deliver = (delivery: Exported) => self.postMessage(delivery);

self.addEventListener('message', ({ data }: MessageEvent<ExportOrder>) => {
  make(data).then(
    (file) => deliver({ file }),
    (error: unknown) => deliver({ failure: String(error) }),
  );
});
