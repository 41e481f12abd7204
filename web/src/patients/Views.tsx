// Who looked at the patient and at its entries; asked for when the panel is opened.
import { Column } from 'primereact/column';
import { DataTable } from 'primereact/datatable';
import { useState } from 'react';
import { at } from '../api/address';
import type { Reply } from '../schema';
import { usePages } from '../api/usePages';
import { formatDateTime } from '../format';
import { label, t } from '../messages';
import { FoldingPanel } from '../ui/FoldingPanel';
import { OlderRows } from '../ui/OlderRows';
import { EmptyState, Loading, LoadFailed } from '../ui/states';
import { tableDefaults } from '../ui/table';
import style from './page.module.css';

const text = t.patients.page;

/** An opening says what was opened, every other way is told by its name. */
function viewed({ klasa, akcija, nacin }: Reply<'View'>): string {
  if (nacin !== 'otvaranje') return t.looks.ways[nacin];
  const names: Readonly<Record<string, string>> = akcija.includes('istorije') ? text.viewedHistory : text.viewed;
  return names[klasa] ?? akcija;
}

export function Views({ patient }: { patient: number }) {
  const [open, setOpen] = useState(false);
  const { rows, error, again, ...pages } = usePages(open ? at('/api/patients/{id}/views', { id: patient }) : null);
  return (
    <FoldingPanel title={text.views} startsClosed flush onToggle={setOpen}>
      {error ? (
        <LoadFailed title={text.viewsFailed} error={error} retry={again} />
      ) : !rows ? (
        <Loading />
      ) : (
        <>
          <DataTable
            {...tableDefaults}
            rows={10}
            value={rows}
            pt={{ table: { 'aria-label': text.views } }}
            emptyMessage={<EmptyState icon="pi-eye" title={text.noViews} />}
          >
            <Column
              field="vremePristupa"
              header={label('view.vremePristupa')}
              sortable
              body={(view: Reply<'View'>) => formatDateTime(view.vremePristupa)}
            />
            <Column
              field="radnik"
              header={label('view.radnik')}
              sortable
              body={({ radnik, ustanova }: Reply<'View'>) => (
                <>
                  {radnik ?? t.looks.nobody}
                  <small className={style.below}>{ustanova}</small>
                </>
              )}
            />
            <Column header={label('view.pregledano')} body={viewed} />
            <Column field="ustanova" header={label('view.ustanova')} sortable headerClassName={style.beside} bodyClassName={style.beside} />
          </DataTable>
          <OlderRows {...pages} />
        </>
      )}
    </FoldingPanel>
  );
}
