// Report templates: dropped from the engines' memory one by one or all together; the files stay (A 2.13).
import { Button } from 'primereact/button';
import { Column } from 'primereact/column';
import { DataTable } from 'primereact/datatable';
import { InputText } from 'primereact/inputtext';
import { useState } from 'react';
import { api } from '../api/client';
import type { Schema } from '../schema';
import { useApi } from '../api/hooks';
import { contains } from '../fold';
import { label, t } from '../messages';
import { useConfirm } from '../ui/confirm';
import { Panel } from '../ui/Panel';
import { EmptyState, Loading, LoadFailed } from '../ui/states';
import { tableDefaults } from '../ui/table';
import { useToast } from '../ui/toast';
import { Maintenance } from './Maintenance';
import style from './maintenance.module.css';

const text = t.maintenance;
const FILTERED = { filter: true, showFilterMenu: false, showClearButton: false };

export default function TemplatesScreen() {
  const { data, error, mutate } = useApi('/api/jasperi');
  const [busy, setBusy] = useState(false);
  const confirm = useConfirm();
  const toast = useToast();

  /** An empty path means all. */
  async function drop(putanjaJaspera: string, done: string) {
    setBusy(true);
    toast.clear();
    try {
      await api.post('/api/obrisi-jasper', { putanjaJaspera });
      toast.success(done, text.removedHelp);
    } catch (error) {
      toast.failure(text.removeFailed, error);
    }
    // A template whose file is gone is refused, and disappears.
    await mutate();
    setBusy(false);
  }
  async function dropAll() {
    if (await confirm({ message: text.removeAllQuestion, accept: text.removeAll, danger: true })) await drop('', text.removedAll);
  }

  return (
    <Maintenance
      title={text.templates}
      lead={text.templatesLead}
      actions={
        <Button
          label={text.removeAll}
          icon="pi pi-trash"
          severity="danger"
          outlined
          disabled={busy || !data?.total}
          onClick={() => void dropAll()}
        />
      }
    >
      <Panel flush>
        {data ? (
          <TemplateTable templates={data.data} busy={busy} drop={({ putanja, naziv }) => void drop(putanja, text.removedOne(naziv))} />
        ) : error ? (
          <LoadFailed title={text.templatesFailed} error={error} retry={() => void mutate()} />
        ) : (
          <Loading lines={6} />
        )}
      </Panel>
    </Maintenance>
  );
}

function TemplateTable({
  templates,
  busy,
  drop,
}: {
  templates: Schema<'ReportTemplateFile'>[];
  busy: boolean;
  drop: (template: Schema<'ReportTemplateFile'>) => void;
}) {
  const [wanted, setWanted] = useState('');
  const [page, setPage] = useState({ first: 0, rows: 10 });
  const found = templates.filter(({ putanja }) => contains(putanja, wanted));
  const name = label('template.naziv');
  return (
    <DataTable
      {...tableDefaults}
      {...page}
      onPage={({ first, rows }) => setPage({ first, rows })}
      value={found}
      dataKey="putanja"
      filterDisplay="row"
      pt={{ table: { 'aria-label': text.templates } }}
      emptyMessage={<EmptyState title={templates.length ? t.common.empty : text.noTemplates} />}
    >
      <Column
        {...FILTERED}
        field="naziv"
        header={name}
        sortable
        body={Name}
        className={style.name}
        filterElement={() => (
          <InputText
            value={wanted}
            onChange={(e) => {
              setWanted(e.target.value);
              setPage({ ...page, first: 0 });
            }}
            aria-label={t.table.filter(name)}
            className="p-column-filter"
          />
        )}
      />
      <Column
        {...FILTERED}
        header={<span className="sr-only">{t.table.actions}</span>}
        filterElement={() => <span className="sr-only">{t.table.noFilter(t.table.actions)}</span>}
        className={style.narrow}
        body={(template: Schema<'ReportTemplateFile'>) => (
          <Button
            icon="pi pi-trash"
            text
            severity="danger"
            aria-label={text.removeOne(template.naziv)}
            title={text.removeOne(template.naziv)}
            disabled={busy}
            onClick={() => drop(template)}
          />
        )}
      />
    </DataTable>
  );
}

const Name = ({ naziv, putanja }: Schema<'ReportTemplateFile'>) => (
  <>
    {naziv}
    <small className={style.path}>{putanja}</small>
  </>
);
