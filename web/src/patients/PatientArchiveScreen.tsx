// A patient's history (A 2.10): the current record, then every state it had before.
import { Button } from 'primereact/button';
import { useState } from 'react';
import { Column } from 'primereact/column';
import { DataTable } from 'primereact/datatable';
import { useNavigate, useParams } from 'react-router';
import { at } from '../api/address';
import type { Schema } from '../schema';
import { useApi } from '../api/hooks';
import { EMPTY, formatDateTime, toServerDate } from '../format';
import { label, t, type Label } from '../messages';
import { ArchiveNote } from '../ui/ArchiveNote';
import { NotFound } from '../ui/NotFound';
import { Page } from '../ui/Page';
import { Panel } from '../ui/Panel';
import { EmptyState, Loading, LoadFailed } from '../ui/states';
import { tableDefaults } from '../ui/table';
import { useIsNarrow } from '../ui/useIsNarrow';
import { HistoryCard } from './HistoryCard';
import style from './page.module.css';
import { fieldText, shownPatientFields } from './patientColumns';
import { PatientBanner } from './PatientBanner';
import { HistorySwitch, Sentences, type HistoryView, type Sentence } from './Sentences';
import { asStates, type ArchivedPatient } from './types';
import { yesNoOrNone } from './values';

const text = t.patients.archive;
const sexLetter = (male: boolean | null) => (male === null ? EMPTY : male ? text.male : text.female);
const until = ({ vremePrestankaVazenja }: ArchivedPatient) =>
  vremePrestankaVazenja ? formatDateTime(vremePrestankaVazenja) : text.current;

const columnsOf = (flags: Schema<'PatientParameters'> | undefined): readonly (readonly [Label, (state: ArchivedPatient) => string])[] => [
  ...shownPatientFields(flags).map(
    (field) => [`patient.${field}`, (state: ArchivedPatient) => fieldText(state, field, sexLetter)] as const,
  ),
  ['patient.radnikUpisao', (state) => state.radnikUpisao ?? EMPTY],
  ['patient.vremeKreiranja', (state) => formatDateTime(state.vremeKreiranja)],
  ['patient.vremePoslednjeIzmene', (state) => formatDateTime(state.vremePoslednjeIzmene)],
  ['patient.vremePrestankaVazenja', until],
  ['patient.radnik', (state) => state.radnik ?? EMPTY],
  ['patient.aktivan', (state) => yesNoOrNone(state.aktivan)],
];

/** What each state has that the one before it had not, newest first. */
function changesOf(states: readonly ArchivedPatient[], flags: Schema<'PatientParameters'> | undefined): Sentence[] {
  return states.slice(1).flatMap((older, at) => {
    const newer = states[at] ?? older;
    const { radnik: who, vremePrestankaVazenja: when } = older;
    const said = (name: Label, before: string, after: string) =>
      before === after ? [] : [{ subject: label(name), before, after, who, when }];
    return [
      ...shownPatientFields(flags).flatMap((field) =>
        said(`patient.${field}`, fieldText(older, field, sexLetter), fieldText(newer, field, sexLetter)),
      ),
      ...said('patient.aktivan', yesNoOrNone(older.aktivan), yesNoOrNone(newer.aktivan)),
    ];
  });
}

export default function PatientArchiveScreen() {
  const { id = '' } = useParams();
  const isNumber = /^\d+$/.test(id);
  const navigate = useNavigate();
  const isNarrow = useIsNarrow();
  const [shown, setShown] = useState<HistoryView>('table');
  const { data: flags } = useApi('/api/parameter/pacijent');
  const { data, error, mutate } = useApi(isNumber ? at('/api/patients/{id}/archive', { id: Number(id) }) : null, {
    revalidateOnFocus: false,
  });

  if (!isNumber) return <NotFound />;
  const states = asStates<unknown>(data?.data ?? []);
  const now = states[0];
  const columns = columnsOf(flags);
  return (
    <Page
      title={text.patientTitle}
      about={now && <PatientBanner patient={{ ...now, id: Number(id) }} on={toServerDate(new Date())} linked />}
      actions={<Button label={text.backToPatient} icon="pi pi-arrow-left" outlined onClick={() => void navigate(`/pacijenti/${id}`)} />}
    >
      <Panel title={text.table} actions={<HistorySwitch view={shown} choose={setShown} />} flush>
        {error?.status === 404 ? (
          <EmptyState icon="pi-lock" title={t.patients.page.unknown} />
        ) : error ? (
          <LoadFailed title={text.failed} error={error} retry={() => void mutate()} />
        ) : !data ? (
          <Loading lines={6} />
        ) : shown === 'sentences' ? (
          <Sentences said={changesOf(states, flags)} label={text.table} />
        ) : (
          <DataTable
            {...tableDefaults}
            className={style.states}
            rows={10}
            rowsPerPageOptions={[5, 10, 15, 20]}
            value={states}
            pt={{ table: { 'aria-label': text.table }, wrapper: { tabIndex: 0 } }}
          >
            {isNarrow ? (
              <Column
                header={text.state}
                body={(state: ArchivedPatient) => (
                  <HistoryCard title={until(state)} columns={columns.map(([name, body]) => ({ name: label(name), shown: body(state) }))} />
                )}
              />
            ) : (
              columns.map(([name, body]) => <Column key={name} header={label(name)} body={body} />)
            )}
          </DataTable>
        )}
        <ArchiveNote before={data?.uArhiviPre} />
      </Panel>
    </Page>
  );
}
