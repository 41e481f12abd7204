// Makes export files beside the page, so that a result of any size never stops it.
import type { SearchRow } from '../types';
import type { Format } from './table';

export interface Order {
  format: Format;
  rows: SearchRow[];
  title: string;
  /** What the reader of the file must know. */
  note: string | null;
}

export type Delivery = { file: Blob } | { failure: string };

async function make({ format, rows, title, note }: Order): Promise<Blob> {
  switch (format) {
    case 'PDF':
      return (await import('./pdf')).pdf(rows, title, note);
    case 'XLSX':
      return (await import('./xlsx')).xlsx(rows, title);
    case 'XLS':
      return new Blob([(await import('./text')).xls(rows, title)], { type: 'application/vnd.ms-excel' });
    case 'CSV':
      return new Blob([(await import('./text')).csv(rows)], { type: 'text/csv;charset=utf-8' });
    case 'JSON':
      return new Blob([(await import('./text')).json(rows)], { type: 'application/json' });
  }
}

const deliver = (delivery: Delivery) => self.postMessage(delivery);

self.addEventListener('message', ({ data }: MessageEvent<Order>) => {
  make(data).then(
    (file) => deliver({ file }),
    (error: unknown) => deliver({ failure: String(error) }),
  );
});
