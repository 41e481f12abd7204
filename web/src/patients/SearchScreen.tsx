// A register's search (A 2.5): what to look for, and who was found. What was typed outlives a visit to a patient.
import { Button } from 'primereact/button';
import { useEffect, useId, useRef, useState, type KeyboardEvent, type SyntheticEvent } from 'react';
import { useLocation, useNavigate, useParams, useSearchParams } from 'react-router';
import { at } from '../api/address';
import { ApiError } from '../api/client';
import { useApi } from '../api/hooks';
import { changesPatients, mayOpen, REPORT_RIGHTS } from '../auth/rights';
import { useWorker } from '../api/session';
import { useForm } from '../crud/useForm';
import { t } from '../messages';
import { rememberRegister } from '../places';
import { RegisterReports } from '../registers/RegisterReports';
import { FoldingPanel } from '../ui/FoldingPanel';
import { focusFirst, useFaultFocus } from '../ui/formFocus';
import { NotFound } from '../ui/NotFound';
import { Page } from '../ui/Page';
import { Loading, LoadFailed } from '../ui/states';
import { CountedEntry } from './CountedEntry';
import { CriteriaRows } from './CriteriaRows';
import { criteriaOf, emptyForm, keepSearch, keptSearch, misreadRow, searchRequest, unfinishedRow, type SearchCriteria } from './criteria';
import { DeletedPatients } from './Deleted';
import { FixedFields } from './FixedFields';
import { OwnEntryFields } from './OwnEntryFields';
import { PatientDialog } from './PatientDialog';
import { SavedSearches } from './SavedSearches';
import { hashOf, searchIn, searchOf } from './searchLink';
import { SearchResults } from './SearchResults';
import style from './search.module.css';
import type { SearchSetup } from './types';
import { useSearch } from './useSearch';

const text = t.patients.search;
/** The server's names of fields, and the form's. */
const FIELDS: Readonly<Record<string, keyof SearchCriteria>> = {
  redPretrage: 'redovi',
  brojRezultatePretrage: 'brojRezultata',
  godinaOd: 'godinaOd',
  godinaDo: 'godinaDo',
  pol: 'pol',
  ime: 'ime',
  prezime: 'prezime',
  jmbg: 'jmbg',
  lbo: 'lbo',
  stanjeUnosa: 'stanjeUnosa',
  unosOd: 'unosOd',
  unosDo: 'unosDo',
  unosUslova: 'unosUslova',
};

export default function SearchScreen() {
  const { id = '' } = useParams();
  const isNumber = /^\d+$/.test(id);
  const { data: setup, error, mutate } = useApi(isNumber ? at('/api/registers/{id}/search-setup', { id: Number(id) }) : null);
  const asked = Number(useSearchParams()[0].get('snimljena')) || null;
  const saved = useApi(isNumber && asked !== null ? at('/api/saved-searches', { registarID: Number(id) }) : null);
  const crumbs = [{ label: t.registers.title, to: '/registri' }, { label: setup?.naziv ?? '…' }];

  if (!isNumber || error?.status === 404) return <NotFound />;
  if (setup && (asked === null || saved.data || saved.error)) {
    const search = saved.data?.data.find((one) => one.id === asked);
    return <Search key={setup.id} setup={setup} saved={search ? searchOf(search.upit, setup) : null} />;
  }
  return (
    <Page title={t.common.loading} breadcrumb={crumbs}>
      {error ? <LoadFailed title={text.setupFailed} error={error} retry={() => void mutate()} /> : <Loading lines={6} />}
    </Page>
  );
}

/** What was typed here, unless the address brings other criteria or a saved search: these are searched by at once. */
function firstSearch(worker: number, setup: SearchSetup, hash: string, saved: SearchCriteria | null) {
  const kept = keptSearch(worker, setup);
  const brought = saved ?? (hash === hashOf(kept.form, setup) ? null : searchIn(hash, setup));
  return brought ? { form: brought, request: searchRequest(setup.id, brought) } : kept;
}

/** In the results: arrows go from patient to patient, N begins an entry of the one at whom the focus is, or of the first. */
function onResultKey(event: KeyboardEvent<HTMLDivElement>): void {
  const { target, currentTarget, key } = event;
  if (!(target instanceof HTMLElement) || target.closest('input, textarea, [role="combobox"], [role="dialog"]')) return;
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (key === 'n' || key === 'N') {
    const begin = (target.closest('tr') ?? currentTarget).querySelector<HTMLElement>('[data-begin]');
    if (!begin) return;
    event.preventDefault();
    begin.click();
  } else if (key === 'ArrowDown' || key === 'ArrowUp') {
    const patients = [...currentTarget.querySelectorAll<HTMLElement>('tbody a[data-patient]')];
    const now = patients.findIndex((link) => link.closest('tr') === target.closest('tr'));
    const next = patients[key === 'ArrowDown' ? now + 1 : now - 1];
    if (!next) return;
    event.preventDefault();
    next.focus();
  }
}

function Search({ setup, saved }: { setup: SearchSetup; saved: SearchCriteria | null }) {
  const { id: worker, ustanovaID, prava, pacijenti } = useWorker();
  const { hash } = useLocation();
  const [kept] = useState(() => firstSearch(worker, setup, hash, saved));
  const [request, setRequest] = useState(kept.request);
  const [registering, setRegistering] = useState(false);
  const [wrongRow, setWrongRow] = useState<string | null>(null);
  const form = useForm<SearchCriteria>(kept.form);
  const search = useSearch(request, ustanovaID);
  const navigate = useNavigate();

  useEffect(() => rememberRegister(setup.id), [setup.id]);
  useEffect(() => keepSearch(worker, setup.id, { form: form.record, request }), [worker, setup.id, form.record, request]);

  // What the server refuses is shown at its field.
  const { error } = search;
  const refused = error instanceof ApiError && error.field ? { field: FIELDS[error.field] ?? null, message: error.message } : null;
  const problem = form.problem ?? refused;
  const id = useId();
  useFaultFocus(id, form.problem ?? error);
  // Whoever comes to look for somebody types at once; after a way back from a patient the answer is what one comes for.
  const [isFresh] = useState(kept.request === null);
  useEffect(() => {
    if (isFresh && window.matchMedia('(pointer: fine)').matches) focusFirst(id);
  }, [isFresh, id]);
  const rowsProblem = problem?.field === 'redovi' ? { key: wrongRow, message: problem.message } : null;

  // After Enter the answer comes into view, wherever the page was.
  const found = useRef<HTMLDivElement>(null);
  const awaited = useRef(false);
  const { answer, isRunning } = search;
  useEffect(() => {
    if (!awaited.current || isRunning || !(answer ?? error)) return;
    awaited.current = false;
    // A field that was refused has the focus instead.
    if (error?.field) return;
    found.current?.scrollIntoView({ block: 'start' });
    found.current?.focus({ preventScroll: true });
  }, [isRunning, answer, error]);

  function submit(event: SyntheticEvent) {
    event.preventDefault();
    const { record } = form;
    const unfinished = unfinishedRow(record.redovi);
    setWrongRow(unfinished?.key ?? null);
    if (unfinished) return form.fail({ field: 'redovi', message: text.incomplete });
    const misread = misreadRow(record.redovi, setup);
    if (misread) {
      setWrongRow(misread.key);
      return form.fail({ field: 'redovi', message: misread.message });
    }
    if (form.misread) return form.fail(form.misread);
    if (record.godinaOd !== null && record.godinaDo !== null && record.godinaOd > record.godinaDo)
      return form.fail({ field: 'godinaDo', message: text.years });
    if (record.unosOd !== null && record.unosDo !== null && record.unosOd > record.unosDo)
      return form.fail({ field: 'unosDo', message: text.ownEntriesOrder });
    form.fail(null);
    awaited.current = true;
    void navigate({ hash: hashOf(record, setup) }, { replace: true });
    const next = searchRequest(setup.id, record);
    if (JSON.stringify(next) === JSON.stringify(request)) search.again();
    else setRequest(next);
  }

  function clear() {
    form.reset(emptyForm(setup));
    void navigate({ hash: '' }, { replace: true });
    setRequest(null);
  }

  return (
    <Page
      title={setup.naziv}
      lead={setup.opis}
      breadcrumb={[{ label: t.registers.title, to: '/registri' }, { label: setup.naziv }]}
      actions={
        <>
          <Button label={text.back} icon="pi pi-arrow-left" outlined severity="secondary" onClick={() => void navigate('/registri')} />
          <Button
            label={t.patients.worklist.title}
            icon="pi pi-list"
            outlined
            severity="secondary"
            onClick={() => void navigate('/mojaLista')}
          />
          {changesPatients(pacijenti) && <DeletedPatients />}
          {changesPatients(pacijenti) && <Button label={text.newPatient} icon="pi pi-user-plus" onClick={() => setRegistering(true)} />}
        </>
      }
    >
      <FoldingPanel title={setup.naziv}>
        <form id={id} onSubmit={submit} noValidate className={style.form} role="search" aria-label={setup.naziv}>
          <FixedFields form={{ ...form, problem }} shown={setup.kriterijumi} />
          <OwnEntryFields form={{ ...form, problem }} />
          <CountedEntry
            setup={setup}
            frame={form.record.unosUslova}
            problem={problem?.field === 'unosUslova' ? problem.message : null}
            drop={() => form.set('unosUslova', null)}
          />
          <CriteriaRows
            setup={setup}
            rows={form.record.redovi}
            scope={form.record.opseg}
            onScope={(opseg) => form.set('opseg', opseg)}
            problem={rowsProblem}
            onChange={(redovi) => form.set('redovi', redovi)}
          />
          <div className={style.submit}>
            <SavedSearches setup={setup} criteria={form.record} use={(criteria) => form.reset(criteria)} />
            <Button type="button" label={text.clear} icon="pi pi-eraser" text severity="secondary" onClick={clear} />
            <Button type="submit" label={text.submit} icon="pi pi-search" loading={search.isRunning} />
          </div>
        </form>
      </FoldingPanel>
      {/* Focus goes where the answer stands; from there the keyboard reads on. */}
      {/* eslint-disable-next-line jsx-a11y/no-static-element-interactions -- keys of the links and buttons in it */}
      <div ref={found} tabIndex={-1} className={style.found} onKeyDown={onResultKey}>
        <SearchResults
          setup={setup}
          search={search}
          request={request}
          reorder={(order) => setRequest((now) => now && { ...criteriaOf(now), ...(order && { redosled: order }) })}
        />
      </div>
      {mayOpen(prava, REPORT_RIGHTS) && <RegisterReports id={setup.id} />}
      {registering && (
        <PatientDialog
          patient={null}
          register={setup.id}
          onClose={() => setRegistering(false)}
          onSaved={(patient) => void navigate(`/pacijenti/${patient}`)}
        />
      )}
    </Page>
  );
}
