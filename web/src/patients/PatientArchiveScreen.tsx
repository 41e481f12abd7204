// A patient's history (A 2.10): the current record, then every state it had before.
import { Button } from 'primereact/button';
import { Column } from 'primereact/column';
import { DataTable } from 'primereact/datatable';
import { useNavigate, useParams } from 'react-router';
import { useApi } from '../api/hooks';
import type { Page as List } from '../api/types';
import { EMPTY, formatDateTime } from '../format';
import { label, t, type Label } from '../messages';
import { NotFound } from '../ui/NotFound';
import { Page } from '../ui/Page';
import { Panel } from '../ui/Panel';
import { EmptyState, Loading, LoadFailed } from '../ui/states';
import { tableDefaults } from '../ui/table';
import { useIsNarrow } from '../ui/useIsNarrow';
import { HistoryCard } from './HistoryCard';
import style from './page.module.css';
import { fieldText, shownFields } from './patientColumns';
import type { ArchivedPatient, PatientFlags } from './types';
import { yesNo } from './values';

const text = t.patients.archive;
const sexLetter = (male: boolean | null) => (male === null ? EMPTY : male ? text.male : text.female);
const until = ({ vremePrestankaVazenja }: ArchivedPatient) => (vremePrestankaVazenja ? formatDateTime(vremePrestankaVazenja) : text.current);

const columnsOf = (flags: PatientFlags | undefined): readonly (readonly [Label, (state: ArchivedPatient) => string])[] => [
  ...shownFields(flags).map((field) => [`patient.${field}`, (state: ArchivedPatient) => fieldText(state, field, sexLetter)] as const),
  ['patient.vremeKreiranja', (state) => formatDateTime(state.vremeKreiranja)],
  ['patient.vremePoslednjeIzmene', (state) => formatDateTime(state.vremePoslednjeIzmene)],
  ['patient.vremePrestankaVazenja', until],
  ['patient.radnik', (state) => state.radnik ?? EMPTY],
  ['patient.aktivan', (state) => yesNo(state.aktivan)],
];

export default function PatientArchiveScreen() {
  const { id = '' } = useParams();
  const isNumber = /^\d+$/.test(id);
  const navigate = useNavigate();
  const isNarrow = useIsNarrow();
  const { data: flags } = useApi<PatientFlags>('/api/parameter/pacijent');
  const { data, error, mutate } = useApi<List<ArchivedPatient>>(isNumber ? `/api/patients/${id}/archive` : null, undefined, { revalidateOnFocus: false });

  if (!isNumber) return <NotFound />;
  const now = data?.data[0];
  const columns = columnsOf(flags);
  return (
    <Page
      title={text.patientTitle}
      lead={now && `${now.ime ?? ''} ${now.prezime ?? ''}`}
      actions={<Button label={text.backToPatient} icon="pi pi-arrow-left" outlined onClick={() => void navigate(`/pacijenti/${id}`)} />}
    >
      <Panel title={text.table} flush>
        {error?.status === 404 ? (
          <EmptyState icon="pi-lock" title={t.patients.page.unknown} />
        ) : error ? (
          <LoadFailed title={text.failed} error={error} retry={() => void mutate()} />
        ) : !data ? (
          <Loading lines={6} />
        ) : (
          <DataTable {...tableDefaults} className={style.states} rows={10} rowsPerPageOptions={[5, 10, 15, 20]} value={data.data} pt={{ table: { 'aria-label': text.table }, wrapper: { tabIndex: 0 } }}>
            {isNarrow ? (
              <Column
                header={text.state}
                body={(state: ArchivedPatient) => <HistoryCard title={until(state)} columns={columns.map(([name, body]) => ({ name: label(name), shown: body(state) }))} />}
              />
            ) : (
              columns.map(([name, body]) => <Column key={name} header={label(name)} body={body} />)
            )}
          </DataTable>
        )}
      </Panel>
    </Page>
  );
}
