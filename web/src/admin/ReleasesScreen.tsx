// What changed in which version of both parts of the product (A 2.14).
import { Button } from 'primereact/button';
import { Column } from 'primereact/column';
import { DataTable, type DataTableExpandedRows } from 'primereact/datatable';
import { Tag } from 'primereact/tag';
import { useState } from 'react';
import type { Schema } from '../schema';
import { useApi } from '../api/hooks';
import { formatDate } from '../format';
import { label, t } from '../messages';
import { FoldingPanel } from '../ui/FoldingPanel';
import { Page } from '../ui/Page';
import { Panel } from '../ui/Panel';
import { EmptyState, Loading, LoadFailed } from '../ui/states';
import { tableDefaults } from '../ui/table';
import { useToast } from '../ui/toast';
import style from './admin.module.css';

const text = t.admin.releases;

export default function ReleasesScreen() {
  const { data, error, mutate } = useApi('/api/releases');
  return (
    <Page title={text.title} actions={<Environment />}>
      {data ? (
        <>
          <FoldingPanel title={text.frontend} flush>
            <ReleaseTable title={text.frontend} releases={data.frontend} />
          </FoldingPanel>
          <FoldingPanel title={text.backend} flush startsClosed>
            <ReleaseTable title={text.backend} releases={data.backend} />
          </FoldingPanel>
        </>
      ) : (
        <Panel flush>{error ? <LoadFailed error={error} retry={() => void mutate()} /> : <Loading lines={8} />}</Panel>
      )}
    </Page>
  );
}

/** Where one is: told in full to whoever asks. */
function Environment() {
  const { data } = useApi('/api/application');
  const toast = useToast();
  if (!data) return null;
  const environment = data.demo ? text.demo : text.production;
  return (
    <Button
      label={environment}
      icon="pi pi-server"
      severity={data.demo ? 'secondary' : 'success'}
      outlined
      aria-label={text.environment(environment)}
      onClick={() => toast.info(text.environment(environment), text.version(data.nazivAplikacije, data.verzija))}
    />
  );
}

function ReleaseTable({ title, releases }: { title: string; releases: Schema<'Release'>[] }) {
  const [open, setOpen] = useState<DataTableExpandedRows>({});
  const name = (field: 'oznaka' | 'datumOd' | 'datumDo' | 'kratakOpis') => label(`release.${field}`);
  return (
    <DataTable
      {...tableDefaults}
      value={releases}
      dataKey="oznaka"
      pt={{ table: { 'aria-label': title } }}
      expandedRows={open}
      onRowToggle={({ data }) => setOpen(data as DataTableExpandedRows)}
      rowExpansionTemplate={(release) => <Changes release={release} />}
      emptyMessage={<EmptyState title={t.common.empty} />}
    >
      <Column expander header={<span className="sr-only">{t.table.actions}</span>} className={style.expander} />
      <Column field="oznaka" header={name('oznaka')} sortable />
      <Column
        field="datumOd"
        header={name('datumOd')}
        sortable
        body={({ datumOd }: Schema<'Release'>) => formatDate(datumOd)}
        className={style.date}
      />
      <Column
        field="datumDo"
        header={name('datumDo')}
        sortable
        className={style.date}
        body={({ datumDo }: Schema<'Release'>) => (datumDo ? formatDate(datumDo) : <Tag severity="success" value={text.current} />)}
      />
      <Column field="kratakOpis" header={name('kratakOpis')} sortable className={style.words} />
    </DataTable>
  );
}

function Changes({ release: { oznaka, izmene } }: { release: Schema<'Release'> }) {
  const name = (field: 'broj' | 'naslov' | 'opis' | 'napomena' | 'tiket') => label(`releaseChange.${field}`);
  return (
    <DataTable
      value={izmene}
      dataKey="broj"
      scrollable
      pt={{ table: { 'aria-label': text.changes(oznaka) } }}
      emptyMessage={<EmptyState title={text.noChanges} />}
    >
      <Column field="broj" header={name('broj')} />
      <Column field="naslov" header={name('naslov')} className={style.words} />
      <Column field="opis" header={name('opis')} className={style.words} />
      <Column field="napomena" header={name('napomena')} className={style.words} />
      <Column field="tiket" header={name('tiket')} />
    </DataTable>
  );
}
