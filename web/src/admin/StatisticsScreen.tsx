// Who entered how much into a register (B 2.9).
import { Column } from 'primereact/column';
import { ColumnGroup } from 'primereact/columngroup';
import { DataTable } from 'primereact/datatable';
import { Dropdown } from 'primereact/dropdown';
import { Row } from 'primereact/row';
import { useState } from 'react';
import { at } from '../api/address';
import type { Schema } from '../schema';
import { useApi, useList } from '../api/hooks';
import type { ListPage } from '../api/types';
import { formatNumber, toServerDate } from '../format';
import { t } from '../messages';
import { Field } from '../ui/Field';
import type { FoundChoice } from '../ui/found';
import { Page } from '../ui/Page';
import { Panel } from '../ui/Panel';
import { periodFault } from '../ui/period';
import { PeriodFields } from '../ui/PeriodFields';
import { SearchForm } from '../ui/SearchForm';
import { SearchOutcome, useSearchTurns } from '../ui/SearchOutcome';
import { EmptyState, Loading, LoadFailed } from '../ui/states';
import { tableDefaults } from '../ui/table';
import { useToast } from '../ui/toast';
import style from './admin.module.css';
import { named } from './choices';
import { SeveralFound } from './SeveralFound';

const text = t.statistics;

interface Fault {
  field: 'datumOd' | 'datumDo' | 'registarID';
  message: string;
}

function monthAgo(): string | null {
  const day = new Date();
  day.setMonth(day.getMonth() - 1);
  return toServerDate(day);
}

export default function StatisticsScreen() {
  const [from, setFrom] = useState(monthAgo);
  const [until, setUntil] = useState<string | null>(() => toServerDate(new Date()));
  const [register, setRegister] = useState<number | null>(null);
  const [ustanove, setUstanove] = useState<FoundChoice[]>([]);
  const [radnici, setRadnici] = useState<FoundChoice[]>([]);
  const [fault, setFault] = useState<Fault | null>(null);
  const { asked, ask } = useSearchTurns();
  const toast = useToast();
  const registers = useList('/api/registers');
  const ids = (chosen: readonly FoundChoice[]) => chosen.map(({ value }) => value).join(',');

  function search() {
    const found =
      periodFault(from, until) ?? (register === null ? ({ field: 'registarID', message: text.missingRegister } as const) : null);
    setFault(found);
    if (found) return toast.error(text.failed, found.message);
    ask({
      registarID: String(register),
      datumOd: from ?? '',
      ...(until ? { datumDo: until } : {}),
      ...(ustanove.length > 0 ? { ustanovaArray: ids(ustanove) } : {}),
      ...(radnici.length > 0 ? { radniciArray: ids(radnici) } : {}),
    });
  }

  const message = (field: Fault['field']) => (fault?.field === field ? fault.message : null);
  return (
    <Page title={text.title}>
      <Panel>
        {registers.error && !registers.data && (
          <LoadFailed title={t.log.criteriaFailed} error={registers.error} retry={() => void registers.mutate()} />
        )}
        <SearchForm fault={fault} onSearch={search}>
          <PeriodFields {...{ from, until, setFrom, setUntil, message }} />
          <Field label={text.register} required error={message('registarID')}>
            {({ id, ...control }) => (
              <Dropdown
                {...control}
                inputId={id}
                value={register}
                options={named(registers.data?.data)}
                onChange={(e) => setRegister(e.value as number)}
                placeholder={t.common.choose}
              />
            )}
          </Field>
          <SeveralFound<ListPage<Schema<'Institution'>>>
            label={text.institutions}
            all={t.log.allFeminine}
            path="/api/institutions"
            read={({ data, total }) => ({ choices: named(data), total })}
            value={ustanove}
            onChange={(chosen) => {
              setUstanove(chosen);
              // The workers of other institutions are not offered any more.
              setRadnici([]);
            }}
          />
          <SeveralFound<ListPage<Schema<'WorkerOption'>>>
            label={text.workers}
            all={t.log.all}
            path="/api/log/workers"
            query={ustanove.length > 0 ? { ustanovaArray: ids(ustanove) } : {}}
            read={({ data, total }) => ({ choices: data, total })}
            value={radnici}
            onChange={setRadnici}
          />
        </SearchForm>
      </Panel>
      <SearchOutcome asked={asked} icon="pi-chart-bar" start={text.start}>
        {(query) => <Results query={query} />}
      </SearchOutcome>
    </Page>
  );
}

const COUNTS = ['prvi', 'podrazumevani', 'ostali', 'ukupno', 'pacijenti', 'izmenjeno'] as const;

function Results({ query }: { query: Record<string, string> }) {
  const { data, error, mutate } = useApi(at('/api/log/entry-statistics', query), { revalidateOnFocus: false });
  if (!data)
    return (
      <Panel flush>{error ? <LoadFailed title={text.failed} error={error} retry={() => void mutate()} /> : <Loading lines={6} />}</Panel>
    );
  if (data.vrednost.length === 0) {
    return (
      <Panel flush>
        <EmptyState icon="pi-chart-bar" title={text.none} />
      </Panel>
    );
  }
  const sum = (field: (typeof COUNTS)[number]) => data.vrednost.reduce((all, row) => all + row[field], 0);
  const heads = [data.prviUnos, data.podrazumevaniUnos, text.others, text.total];
  return (
    <Panel flush>
      <DataTable
        {...tableDefaults}
        value={data.vrednost}
        pt={{ table: { 'aria-label': text.title } }}
        headerColumnGroup={
          <ColumnGroup>
            <Row>
              <Column header={text.institution} rowSpan={2} field="ustanova" sortable />
              <Column header={text.worker} rowSpan={2} field="radnik" sortable />
              <Column header={text.made} colSpan={4} headerClassName={style.group} />
              <Column header={text.patients} rowSpan={2} field="pacijenti" headerClassName={style.count} sortable />
              <Column header={text.changed} rowSpan={2} field="izmenjeno" headerClassName={style.count} sortable />
            </Row>
            <Row>
              {heads.map((head, i) => (
                <Column key={head} header={head} field={COUNTS[i]} headerClassName={style.count} sortable />
              ))}
            </Row>
          </ColumnGroup>
        }
        footerColumnGroup={
          <ColumnGroup>
            <Row>
              <Column footer={text.sum} colSpan={2} />
              {/* A patient may have entries of several workers: their numbers do not add up. */}
              {COUNTS.map((field) => (
                <Column key={field} footer={field === 'pacijenti' ? '' : formatNumber(sum(field))} footerClassName={style.count} />
              ))}
            </Row>
          </ColumnGroup>
        }
      >
        <Column field="ustanova" className={style.words} />
        <Column field="radnik" className={style.words} />
        {COUNTS.map((field) => (
          <Column key={field} field={field} body={(row: Schema<'StatisticsRow'>) => formatNumber(row[field])} className={style.count} />
        ))}
      </DataTable>
    </Panel>
  );
}
