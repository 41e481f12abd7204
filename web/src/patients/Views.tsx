// Who looked at the patient and at its entries; asked for when the panel is opened.
import { Column } from 'primereact/column';
import { DataTable } from 'primereact/datatable';
import { useState } from 'react';
import { useApi } from '../api/hooks';
import type { ListPage } from '../api/types';
import { formatDateTime, formatNumber } from '../format';
import { label, t } from '../messages';
import { FoldingPanel } from '../ui/FoldingPanel';
import { EmptyState, Loading, LoadFailed } from '../ui/states';
import { tableDefaults } from '../ui/table';
import style from './page.module.css';
import type { View } from './types';

const text = t.patients.page;

function viewed({ klasa, akcija }: View): string {
  const names: Readonly<Record<string, string>> = akcija.includes('istorije') ? text.viewedHistory : text.viewed;
  return names[klasa] ?? akcija;
}

export function Views({ patient }: { patient: number }) {
  const [open, setOpen] = useState(false);
  const { data, error, mutate } = useApi<ListPage<View>>(open ? `/api/patients/${patient}/views` : null);
  return (
    <FoldingPanel title={text.views} startsClosed flush onToggle={setOpen}>
      {error ? (
        <LoadFailed title={text.viewsFailed} error={error} retry={() => void mutate()} />
      ) : !data ? (
        <Loading />
      ) : (
        <>
          {data.total > data.data.length && (
            <p className={style.note}>{text.viewsCut(formatNumber(data.data.length), formatNumber(data.total))}</p>
          )}
          <DataTable
            {...tableDefaults}
            rows={10}
            value={data.data}
            pt={{ table: { 'aria-label': text.views } }}
            emptyMessage={<EmptyState icon="pi-eye" title={text.noViews} />}
          >
            <Column
              field="vremePristupa"
              header={label('view.vremePristupa')}
              sortable
              body={(view: View) => formatDateTime(view.vremePristupa)}
            />
            <Column
              field="radnik"
              header={label('view.radnik')}
              sortable
              body={({ radnik, ustanova }: View) => (
                <>
                  {radnik}
                  <small className={style.below}>{ustanova}</small>
                </>
              )}
            />
            <Column header={label('view.pregledano')} body={viewed} />
            <Column field="ustanova" header={label('view.ustanova')} sortable headerClassName={style.beside} bodyClassName={style.beside} />
          </DataTable>
        </>
      )}
    </FoldingPanel>
  );
}
