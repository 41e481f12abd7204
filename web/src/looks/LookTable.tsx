// Looks at patients, the newest first; older ones are asked for by hand.
import { Column } from 'primereact/column';
import { DataTable } from 'primereact/datatable';
import { at } from '../api/address';
import type { Reply } from '../schema';
import { usePages } from '../api/usePages';
import { formatDateTime } from '../format';
import { t } from '../messages';
import { OlderRows } from '../ui/OlderRows';
import { Panel } from '../ui/Panel';
import { EmptyState, Loading, LoadFailed } from '../ui/states';
import { tableDefaults } from '../ui/table';
import { className, fieldValue } from './logFields';
import { LookedAt } from './LookedAt';
import style from './looks.module.css';

const text = t.looks;

/** What was looked at, where that is more than a patient: a record, a report, the criteria of a search. */
function Subject({ klasa, zapis, opis, uslovi }: Reply<'LookRow'>) {
  const criteria = uslovi.map(({ naziv, nova }) => `${naziv}: ${fieldValue(nova)}`).join('; ');
  return (
    <>
      {zapis ?? className(klasa)}
      {opis && <small className={style.small}>{opis}</small>}
      {criteria && <small className={style.small}>{criteria}</small>}
    </>
  );
}

export function LookTable({ query }: { query: Record<string, string> }) {
  const { rows, error, again, ...pages } = usePages(at('/api/looks', query));
  if (error) {
    return (
      <Panel>
        <LoadFailed title={text.failed} error={error} retry={again} />
      </Panel>
    );
  }
  return (
    <Panel title={text.results} flush>
      {rows?.length === 0 ? (
        <EmptyState icon="pi-eye" title={text.none} />
      ) : rows ? (
        <DataTable
          {...tableDefaults}
          paginator={false}
          rows={rows.length}
          value={rows}
          dataKey="id"
          pt={{ table: { 'aria-label': text.results } }}
        >
          <Column
            header={text.time}
            body={({ vreme, adresa }: Reply<'LookRow'>) => (
              <>
                <span className={style.when}>{formatDateTime(vreme)}</span>
                {adresa && <small className={style.small}>{adresa}</small>}
              </>
            )}
          />
          <Column
            header={text.worker}
            className={style.who}
            body={({ radnik, ustanova }: Reply<'LookRow'>) => (
              <>
                {radnik ?? text.nobody}
                {ustanova && <small className={style.small}>{ustanova}</small>}
              </>
            )}
          />
          <Column header={text.way} body={({ nacin }: Reply<'LookRow'>) => text.ways[nacin]} />
          <Column header={text.patients} className={style.people} body={(row: Reply<'LookRow'>) => <LookedAt {...row} />} />
          <Column header={text.what} className={style.what} body={(row: Reply<'LookRow'>) => <Subject {...row} />} />
        </DataTable>
      ) : (
        <Loading lines={8} />
      )}
      <OlderRows {...pages} />
    </Panel>
  );
}
