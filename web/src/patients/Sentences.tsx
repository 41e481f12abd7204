// A history as sentences, changes only: what became what, who changed it, and when. A switch stands between it and the table.
import { Column } from 'primereact/column';
import { DataTable } from 'primereact/datatable';
import { SelectButton } from 'primereact/selectbutton';
import type { Schema } from '../schema';
import { FileLinks } from '../files/FileLink';
import { EMPTY, formatDateTime } from '../format';
import { t } from '../messages';
import { EmptyState } from '../ui/states';
import { tableDefaults } from '../ui/table';
import style from './page.module.css';

const text = t.patients.archive;

export interface Sentence {
  subject: string;
  before: string;
  after: string;
  /** Of a section that repeats: what became of its rows, in place of before and after. */
  rows?: readonly string[];
  /** Those that it was about. */
  files?: readonly Schema<'EntryFile'>[];
  who: string | null;
  when: string | null;
  /** What it was, where it was no correction. */
  deed?: string;
}

export type HistoryView = 'table' | 'sentences';

const VIEWS: readonly { value: HistoryView; label: string }[] = [
  { value: 'table', label: text.asTable },
  { value: 'sentences', label: text.asSentences },
];

export const HistorySwitch = ({ view, choose }: { view: HistoryView; choose: (view: HistoryView) => void }) => (
  <SelectButton
    aria-label={text.view}
    value={view}
    options={[...VIEWS]}
    optionLabel="label"
    optionValue="value"
    allowEmpty={false}
    onChange={({ value }: { value: HistoryView | null }) => value && choose(value)}
  />
);

const Said = ({ subject, before, after, rows = [], files = [], who, when, deed }: Sentence) => (
  <span className={style.sentence}>
    <strong>{subject}</strong> {rows.length > 0 ? rows.join('; ') : `${before} → ${after}`}, {who ?? EMPTY}, {formatDateTime(when)}
    {deed && `, ${deed}`}
    {files.length > 0 && <FileLinks files={files} />}
  </span>
);

export const Sentences = ({ said, label }: { said: readonly Sentence[]; label: string }) => (
  <DataTable
    {...tableDefaults}
    rows={10}
    value={[...said]}
    pt={{ table: { 'aria-label': label } }}
    emptyMessage={<EmptyState icon="pi-history" title={text.neverChanged} />}
  >
    <Column header={text.change} body={Said} />
  </DataTable>
);
