// Analyses without SQL: a cohort, variables, a view, and the result as a report of its own.
import { Button } from 'primereact/button';
import { Dropdown } from 'primereact/dropdown';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import useSWR from 'swr';
import { at } from '../api/address';
import { api } from '../api/client';
import { useApi } from '../api/hooks';
import { t } from '../messages';
import type { Reply } from '../schema';
import { Field } from '../ui/Field';
import { Page } from '../ui/Page';
import { Panel } from '../ui/Panel';
import { Loading, LoadFailed } from '../ui/states';
import { CohortPanel } from './CohortPanel';
import { ResultPanel } from './ResultPanel';
import { VariablePanel } from './VariablePanel';
import { ViewPanel } from './ViewPanel';
import style from './analyses.module.css';
import {
  analysisDraftOf,
  analysisProblemOf,
  emptyAnalysis,
  inLanguage,
  variableOptions,
  type Analysis,
  type AnalysisDraft,
  type Cohort,
  type Problem,
} from './model';

const text = t.analyses;

export default function AnalysisScreen() {
  const cohorts = useApi('/api/cohorts');
  const analyses = useApi('/api/analyses');
  const registers = useApi('/api/analysis-registers');
  const [search, setSearch] = useSearchParams();
  const asked = Number(search.get('analiza')) || null;
  const brought = Number(search.get('kohorta')) || null;
  const error = cohorts.error ?? analyses.error ?? registers.error;
  const retry = () => void Promise.all([cohorts.mutate(), analyses.mutate(), registers.mutate()]);
  if (!cohorts.data || !analyses.data || !registers.data) {
    return (
      <Page title={text.title} lead={text.lead}>
        <Panel>{error ? <LoadFailed title={text.loadFailed} error={error} retry={retry} /> : <Loading lines={8} />}</Panel>
      </Page>
    );
  }
  const open = (id: number | null) => setSearch(id === null ? {} : { analiza: String(id) }, { replace: true });
  const saved = analyses.data.find(({ id }) => id === asked) ?? null;
  return (
    <Page
      title={text.title}
      lead={text.lead}
      actions={saved && <Button type="button" label={text.fresh} icon="pi pi-plus" outlined onClick={() => open(null)} />}
    >
      {analyses.data.length > 0 && (
        <Field label={text.open}>
          {({ id }) => (
            <Dropdown
              inputId={id}
              value={saved?.id ?? null}
              options={analyses.data?.map((one) => ({ value: one.id, label: one.moja ? one.naziv : text.shared(one.naziv, one.vlasnik) }))}
              placeholder={text.fresh}
              filter={(analyses.data?.length ?? 0) > 10}
              onChange={({ value }: { value: number }) => open(value)}
            />
          )}
        </Field>
      )}
      <Builder
        key={saved?.id ?? 'new'}
        saved={saved}
        brought={brought}
        cohorts={cohorts.data}
        registers={registers.data}
        reloadCohorts={() => cohorts.mutate()}
        stored={async (id) => {
          await analyses.mutate();
          open(id);
        }}
        removed={async () => {
          open(null);
          await analyses.mutate();
        }}
      />
    </Page>
  );
}

interface Props {
  saved: Analysis | null;
  /** The cohort with which the address begins. */
  brought: number | null;
  cohorts: readonly Cohort[];
  registers: readonly Reply<'SimpleReportRegister'>[];
  reloadCohorts: () => Promise<unknown>;
  stored: (id: number) => Promise<void>;
  removed: () => Promise<void>;
}

function Builder({ saved, brought, cohorts, registers, reloadCohorts, stored, removed }: Props) {
  const [draft, setDraft] = useState<AnalysisDraft>(() => (saved ? analysisDraftOf(saved) : emptyAnalysis()));
  const [chosen, setChosen] = useState<number | null>(
    saved?.kohortaID ?? brought ?? (cohorts.length === 1 ? (cohorts[0]?.id ?? null) : null),
  );
  const [problem, setProblem] = useState<Problem | null>(null);
  const cohort = cohorts.find(({ id }) => id === chosen) ?? null;
  const { own, all } = useFields(cohort);
  const change = (next: Partial<AnalysisDraft>) => {
    setProblem(null);
    setDraft((now) => ({ ...(next.jezik && next.jezik !== now.jezik ? inLanguage(now, next.jezik, all) : now), ...next }));
  };
  const names = variableOptions(all);
  const nameOf = (key: string) => names.find(({ value }) => value === key)?.label ?? t.simpleReport.gone;
  const check = () => {
    const found = analysisProblemOf(draft, nameOf);
    setProblem(found);
    return found === null;
  };
  // What is saved has a version that the next saving must name.
  const current = saved && saved.id === draft.id ? { ...draft, verzija: saved.verzija } : draft;
  return (
    <div className={style.steps}>
      <CohortPanel cohorts={cohorts} registers={registers} chosen={cohort} choose={setChosen} reload={reloadCohorts} />
      {cohort && (
        <>
          <VariablePanel draft={draft} change={change} polja={all} own={own} problem={problem} />
          <ViewPanel draft={draft} change={change} polja={all} problem={problem} />
          <ResultPanel
            draft={current}
            change={change}
            usualName={`${text.view.names[draft.prikaz]} – ${cohort.naziv}`.slice(0, 200)}
            kohortaID={cohort.id}
            saved={saved}
            problem={problem}
            check={check}
            refused={setProblem}
            stored={stored}
            removed={removed}
          />
        </>
      )}
    </div>
  );
}

/** Fields of the cohort's form, and of all its forms. */
function useFields(cohort: Cohort | null) {
  const ids = cohort ? [cohort.izbor.tipUnosaID, ...cohort.izbor.drugiFormulari.map(({ tipUnosaID }) => tipUnosaID)] : [];
  const { data } = useSWR(ids.length > 0 ? ['analysis-forms', ...ids] : null, () =>
    Promise.all(ids.map((id) => api.get(at('/api/analysis-forms/{id}', { id })))),
  );
  return { own: data?.[0]?.polja ?? [], all: data?.flatMap(({ polja }) => polja) ?? [] };
}
