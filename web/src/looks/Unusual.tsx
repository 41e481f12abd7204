// Days on which a worker looked at unusually many patients, with the rule by which that is said.
import { Button } from 'primereact/button';
import { Column } from 'primereact/column';
import { DataTable } from 'primereact/datatable';
import { at } from '../api/address';
import { useApi } from '../api/hooks';
import type { UnusualDay } from '../api/types';
import { formatDate, formatNumber } from '../format';
import { t } from '../messages';
import { Panel } from '../ui/Panel';
import { EmptyState, Loading, LoadFailed } from '../ui/states';
import { tableDefaults } from '../ui/table';
import style from './looks.module.css';

const text = t.looks;

interface Props {
  query: Record<string, string>;
  /** Leads to the worker's looks of that day. */
  onShow: (day: UnusualDay) => void;
}

export function Unusual({ query, onShow }: Props) {
  const { data, error, mutate } = useApi(at('/api/looks/unusual', query), { revalidateOnFocus: false });
  if (error) {
    return (
      <Panel>
        <LoadFailed title={text.failed} error={error} retry={() => void mutate()} />
      </Panel>
    );
  }
  if (!data) {
    return (
      <Panel>
        <Loading lines={6} />
      </Panel>
    );
  }
  const { najmanjeOtvorenih, najmanjeIzlistanih, najmanjeOdbijenih, najmanjeProverenih, puta, danaPre } = data.pravilo;
  return (
    <Panel title={text.unusual} flush>
      <p className={style.rule}>
        {text.rule({
          opened: formatNumber(najmanjeOtvorenih),
          listed: formatNumber(najmanjeIzlistanih),
          refused: formatNumber(najmanjeOdbijenih),
          checked: formatNumber(najmanjeProverenih),
          times: formatNumber(puta),
          days: formatNumber(danaPre),
        })}
      </p>
      {data.data.length === 0 ? (
        <EmptyState icon="pi-check" title={text.noneUnusual} />
      ) : (
        <DataTable
          {...tableDefaults}
          value={data.data.map((day) => ({ ...day, id: `${String(day.radnikID)}-${day.dan}-${day.mera}` }))}
          paginator={data.data.length > tableDefaults.rows}
          dataKey="id"
          pt={{ table: { 'aria-label': text.unusual } }}
        >
          <Column field="radnik" header={text.worker} sortable className={style.who} />
          <Column
            field="dan"
            header={text.day}
            sortable
            body={({ dan }: UnusualDay) => <span className={style.when}>{formatDate(dan)}</span>}
          />
          <Column field="mera" header={text.measure} sortable body={({ mera }: UnusualDay) => text.measures[mera]} />
          <Column field="broj" header={text.count} sortable className={style.count} body={({ broj }: UnusualDay) => formatNumber(broj)} />
          <Column
            field="obicno"
            header={text.usual}
            sortable
            className={style.count}
            body={({ obicno }: UnusualDay) => formatNumber(obicno)}
          />
          <Column
            header={<span className="sr-only">{t.table.actions}</span>}
            body={(day: UnusualDay) => (
              <Button
                type="button"
                icon="pi pi-eye"
                text
                aria-label={`${text.showDay}: ${day.radnik}, ${formatDate(day.dan)}`}
                onClick={() => onShow(day)}
              />
            )}
          />
        </DataTable>
      )}
    </Panel>
  );
}
