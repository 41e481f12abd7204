// A patient (A 2.6): who it is, the newest entry of each form, all entries by form, and who looked.
import { Button } from 'primereact/button';
import { Message } from 'primereact/message';
import { useState } from 'react';
import { Navigate, useNavigate, useParams } from 'react-router';
import { at } from '../api/address';
import type { Reply, Schema } from '../schema';
import { useApi, useList } from '../api/hooks';
import { formatDate, formatDateTime, toServerDate } from '../format';
import { t } from '../messages';
import { rememberedRegister, rememberRegister } from '../places';
import { VisitStrip } from '../plans/VisitStrip';
import { EmptyState, Loading, LoadFailed } from '../ui/states';
import { NotFound } from '../ui/NotFound';
import { Page } from '../ui/Page';
import { Panel } from '../ui/Panel';
import { DeletedEntries } from './Deleted';
import { EntryTree } from './EntryTree';
import { LatestEntries } from './LatestEntries';
import { Merges } from './merging/Merges';
import { NewEntryDialog } from './NewEntryDialog';
import { PatientBanner, patientName } from './PatientBanner';
import { PatientConsentsPanel } from './PatientConsents';
import { PatientData } from './PatientData';
import { DeathNotice, PatientStatusPanel, StatusTag } from './PatientStatus';
import style from './page.module.css';
import { SinceLastVisit, summaryOf } from './SinceLastVisit';
import { Trend } from './Trend';
import { UnsavedEntries } from './UnsavedEntries';
import { Views } from './Views';
import { Visits, visitsOf } from './Visits';

const text = t.patients.page;

/** The register that was chosen last; of one who comes straight to a patient, that of the newest entry, or the first there is. */
function useRegister(patient: Schema<'Patient'> | undefined) {
  const { data, error, mutate } = useList('/api/registers');
  const [chosen, setChosen] = useState(rememberedRegister);
  const named = (wanted: number | null | undefined) => data?.data.find(({ id }) => id === wanted);
  const register = named(chosen) ?? (patient && (patient.registri.map(({ id }) => named(id)).find(Boolean) ?? data?.data[0]));
  const others = patient?.registri.filter(({ id, brojUnosa }) => brojUnosa > 0 && id !== register?.id && named(id)) ?? [];
  const choose = (id: number) => {
    rememberRegister(id);
    setChosen(id);
  };
  return {
    register,
    others: others.map(({ id, brojUnosa }) => ({ id, brojUnosa, naziv: named(id)?.naziv ?? '' })),
    choose,
    isPending: !data && !error,
    failure: data ? undefined : error,
    retry: () => void mutate(),
  };
}

export default function PatientScreen() {
  const { id = '' } = useParams();
  const isNumber = /^\d+$/.test(id);
  const {
    data: patient,
    error,
    mutate,
  } = useApi(isNumber ? at('/api/patients/{id}', { id: Number(id) }) : null, { revalidateOnFocus: false });
  const { register, others, choose, isPending, failure, retry } = useRegister(patient);
  const flags = useApi('/api/parameter/pacijent');
  const { data: setup } = useApi(register ? at('/api/registers/{id}/search-setup', { id: register.id }) : null);
  const [asked, setAsked] = useState<AskedEntry | null>(null);

  if (!isNumber) return <NotFound />;
  const here = patient?.registri.find(({ id }) => id === register?.id);
  // A record that was merged into another one: the address becomes that one's.
  if (patient && patient.id !== Number(id)) return <Navigate to={`/pacijenti/${String(patient.id)}`} replace />;
  const crumbs = [
    { label: t.registers.title, to: '/registri' },
    ...(register ? [{ label: register.naziv, to: `/registri/${register.id}` }] : []),
    { label: patient ? patientName(patient) : '…' },
  ];
  // All at once: what comes later would push down what is there.
  if (!patient || error?.status === 404 || isPending || (!flags.data && !flags.error)) {
    return (
      <Page title={text.data} breadcrumb={crumbs}>
        <Panel>
          {error?.status === 404 ? (
            <EmptyState icon="pi-lock" title={text.unknown} />
          ) : error ? (
            <LoadFailed title={text.loadFailed} error={error} retry={() => void mutate()} />
          ) : (
            <Loading lines={8} />
          )}
        </Panel>
      </Page>
    );
  }
  return (
    <Page
      title={patientName(patient)}
      about={
        <>
          {/* The age of the dead is that of the last day. */}
          <PatientBanner
            patient={{ ...patient, datumSmrti: patient.smrt?.dan ?? null }}
            on={patient.smrt?.dan ?? toServerDate(new Date())}
            named={false}
          />
          <StatusTag status={here?.status === 'preminuo' ? null : here?.status} day={here?.statusDan && formatDate(here.statusDan)} />
        </>
      }
      breadcrumb={crumbs}
      actions={
        <>
          {patient.pravoIzmene && register && <NewEntryButton types={setup?.tipoviUnosa} create={(types) => setAsked({ types })} />}
          {register && <SummaryButton patient={patient.id} register={register.id} />}
          {patient.pravoBrisanja && <DeletedEntries patient={patient.id} />}
        </>
      }
    >
      {patient.anonimizovan && (
        <Message severity="info" className={style.anonymous} text={text.anonymous(formatDateTime(patient.anonimizovan))} />
      )}
      <DeathNotice death={patient.smrt} />
      <PatientData patient={patient} register={register?.id ?? null} reload={() => void mutate()} />
      {others.length > 0 && (
        <div className={style.others}>
          <span>{text.otherRegisters}</span>
          {others.map(({ id, naziv, brojUnosa }) => (
            <Button key={id} label={text.otherRegister(naziv, brojUnosa)} outlined size="small" onClick={() => choose(id)} />
          ))}
        </div>
      )}
      {register && <VisitStrip key={`plan ${register.id}`} patient={patient.id} register={register.id} />}
      <UnsavedEntries patient={patient.id} />
      {register && (
        <Entries key={register.id} patient={patient} register={register.id} types={setup?.tipoviUnosa ?? []} create={setAsked} />
      )}
      {failure && (
        <Panel title={text.tree}>
          <LoadFailed title={text.registersFailed} error={failure} retry={retry} />
        </Panel>
      )}
      <PatientConsentsPanel patient={patient} reload={() => void mutate()} />
      <PatientStatusPanel patient={patient} reload={() => void mutate()} />
      <Merges patient={patient.id} reload={() => void mutate()} />
      <Views patient={patient.id} />
      {asked && (
        <NewEntryDialog
          pacijentID={patient.id}
          types={asked.types}
          day={asked.day ?? null}
          datePicked={setup?.odabirDatumaPregledaPreUnosa ?? true}
          onClose={() => setAsked(null)}
        />
      )}
    </Page>
  );
}

/** What a new entry may be of, and the day of the visit that it joins. */
interface AskedEntry {
  types: readonly Reply<'EntryType'>[];
  day?: string;
}

function SummaryButton({ patient, register }: { patient: number; register: number }) {
  const navigate = useNavigate();
  return (
    <Button
      type="button"
      label={t.patients.summary.open}
      icon="pi pi-id-card"
      outlined
      onClick={() => void navigate(`/pacijenti/${patient}/sazetak?registar=${register}`)}
    />
  );
}

/** The first thing that the keyboard comes to below the path of the page. */
function NewEntryButton({
  types,
  create,
}: {
  types: readonly Reply<'EntryType'>[] | undefined;
  create: (types: readonly Reply<'EntryType'>[]) => void;
}) {
  const possible = types?.filter(({ mozeSeInstancirati }) => mozeSeInstancirati);
  if (possible?.length === 0) return null;
  return (
    <Button
      type="button"
      label={t.patients.search.newEntry}
      icon="pi pi-plus"
      disabled={!possible}
      onClick={() => possible && create(possible)}
    />
  );
}

interface EntriesProps {
  patient: Schema<'Patient'>;
  register: number;
  types: readonly Reply<'EntryType'>[];
  create: (asked: AskedEntry) => void;
}

function Entries({ patient, register, types, create }: EntriesProps) {
  const about = { patient: patient.id, register, mayChange: patient.pravoIzmene };
  // Both grow when they come, and what stands below would move away from under the hand.
  const summary = useApi(summaryOf(patient.id, register));
  const visits = useApi(visitsOf(patient.id, register));
  if ((!summary.data && !summary.error) || (!visits.data && !visits.error)) {
    return (
      <Panel>
        <Loading lines={8} />
      </Panel>
    );
  }
  const lists = { ...about, create: (type: Reply<'EntryType'>) => create({ types: [type] }) };
  return (
    <div className={style.columns}>
      {/* On a phone the visits come first. */}
      <div className={style.visits}>
        <Visits {...about} begin={(day) => create({ types, day })} />
        <EntryTree {...lists} />
      </div>
      <SinceLastVisit patient={patient.id} register={register} />
      <Trend patient={patient.id} register={register} />
      <LatestEntries {...lists} />
    </div>
  );
}
