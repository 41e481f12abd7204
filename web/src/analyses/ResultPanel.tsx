// The last step: the analysis is saved, run, and its run is followed here.
import { Button } from 'primereact/button';
import { Dropdown } from 'primereact/dropdown';
import { InputText } from 'primereact/inputtext';
import { useState } from 'react';
import { Link } from 'react-router';
import { at } from '../api/address';
import { api, ApiError } from '../api/client';
import { useApi } from '../api/hooks';
import { newKey } from '../api/key';
import { useWorker } from '../api/session';
import { mayOpen, Right } from '../auth/rights';
import { t } from '../messages';
import { useReportEvents } from '../reports/events';
import reports from '../reports/reports.module.css';
import { RunCard } from '../reports/RunCard';
import { RunResult } from '../reports/RunResult';
import { asRuns } from '../reports/types';
import { useConfirm } from '../ui/confirm';
import { Field } from '../ui/Field';
import { Panel } from '../ui/Panel';
import { useToast } from '../ui/toast';
import { Check } from './CohortPanel';
import style from './analyses.module.css';
import { analysisChoiceOf, type Analysis, type AnalysisDraft, type Problem } from './model';

const text = t.analyses.result;
const LANGUAGES = (Object.keys(text.languages) as AnalysisDraft['jezik'][]).map((value) => ({ value, label: text.languages[value] }));
const SCOPES = (Object.keys(text.scopes) as AnalysisDraft['obim'][]).map((value) => ({ value, label: text.scopes[value] }));
/** Refusals that another step shows beside what they are about. */
const ELSEWHERE = [
  ...['promenljive', 'po', 'sa', 'dogadjaj', 'konkurentni', 'doVremena', 'vreme', 'model', 'proizvodi', 'slojevi', 'ishod', 'vremena'],
  ...['granice', 'na', 'prikaz', 'naziv'],
];

interface Props {
  draft: AnalysisDraft;
  change: (next: Partial<AnalysisDraft>) => void;
  /** The name where none was typed. */
  usualName: string;
  kohortaID: number;
  /** The analysis that is open; none: a new one. */
  saved: Analysis | null;
  problem: Problem | null;
  /** Refuses what cannot be sent, and shows it. */
  check: () => boolean;
  refused: (problem: Problem) => void;
  stored: (id: number) => Promise<void>;
  removed: () => Promise<void>;
}

export function ResultPanel(props: Props) {
  const { draft, change, usualName, kohortaID, saved, problem, check, refused, stored, removed } = props;
  const toast = useToast();
  const confirm = useConfirm();
  const { id: worker, prava } = useWorker();
  const [busy, setBusy] = useState(false);
  const mine = saved?.moja ?? true;

  const order = (izvestajID: number) =>
    api.post('/api/report-queue', {
      siID: izvestajID,
      radnikID: worker,
      parametri: {},
      emails: [],
      primaoci: [],
      grupe: [],
      kljuc: newKey(),
    });
  const act = async (work: () => Promise<void>) => {
    setBusy(true);
    try {
      await work();
    } catch (error) {
      if (error instanceof ApiError && error.field) refused({ field: error.field, message: error.message });
      else toast.failure(text.failed, error);
    } finally {
      setBusy(false);
    }
  };
  const save = (run: boolean) =>
    act(async () => {
      if (!check()) return;
      const body = {
        naziv: draft.naziv.trim() || usualName,
        kohortaID,
        deljena: draft.deljena,
        verzija: draft.verzija,
        izbor: analysisChoiceOf(draft),
      };
      const made =
        draft.id === null ? await api.post('/api/analyses', body) : await api.put(at('/api/analyses/{id}', { id: draft.id }), body);
      if (run) await order(made.izvestajID);
      else toast.success(text.saved);
      await stored(made.id);
    });
  const again = async (shared: Analysis | null) => {
    if (shared) await order(shared.izvestajID);
  };
  const download = async (id: number) => {
    try {
      await api.download(at('/api/analyses/{id}/r-script', { id }));
    } catch (error) {
      toast.failure(text.scriptFailed, error);
    }
  };
  const remove = async (schedules: number | null) => {
    if (!saved) return;
    const ends = schedules === null ? '' : ` ${text.removeSchedules(String(schedules))}`;
    if (!(await confirm({ message: `${text.removeQuestion(saved.naziv)}${ends}`, accept: text.remove, danger: true }))) return;
    try {
      await api.delete(at('/api/analyses/{id}', { id: saved.id, potvrdjenoZakazivanja: schedules }));
      await removed();
    } catch (error) {
      const ending = error instanceof ApiError ? (error.answer as { zavrsava?: { zakazivanja: number } } | null)?.zavrsava : undefined;
      if (ending && schedules === null) await remove(ending.zakazivanja);
      else toast.failure(text.removeFailed, error);
    }
  };
  return (
    <Panel title={text.title}>
      <div className={style.step}>
        {mine ? (
          <>
            <div className={style.three}>
              <Field label={text.name} error={problem?.field === 'naziv' ? problem.message : null}>
                {({ id }) => (
                  <InputText
                    id={id}
                    value={draft.naziv}
                    placeholder={usualName}
                    maxLength={200}
                    onChange={({ target }) => change({ naziv: target.value })}
                  />
                )}
              </Field>
              <Field label={text.language}>
                {({ id }) => (
                  <Dropdown
                    inputId={id}
                    value={draft.jezik}
                    options={LANGUAGES}
                    onChange={({ value }: { value: AnalysisDraft['jezik'] }) => change({ jezik: value })}
                  />
                )}
              </Field>
              {mayOpen(prava, [Right.ReportSetup]) && (
                <Field label={text.scope}>
                  {({ id }) => (
                    <Dropdown
                      inputId={id}
                      value={draft.obim}
                      options={SCOPES}
                      onChange={({ value }: { value: AnalysisDraft['obim'] }) => change({ obim: value })}
                    />
                  )}
                </Field>
              )}
            </div>
            <Check label={text.share} checked={draft.deljena} onChange={(deljena) => change({ deljena })} />
          </>
        ) : (
          <p className={style.help}>{text.ofColleague(saved?.vlasnik ?? '')}</p>
        )}
        {problem && !ELSEWHERE.includes(problem.field) && (
          <p role="alert" className={style.problem}>
            {problem.message}
          </p>
        )}
        <div className={style.actions}>
          {mine ? (
            <>
              <Button type="button" label={text.run} icon="pi pi-play" loading={busy} onClick={() => void save(true)} />
              <Button type="button" label={text.save} icon="pi pi-check" outlined disabled={busy} onClick={() => void save(false)} />
            </>
          ) : (
            <Button type="button" label={text.runShared} icon="pi pi-play" loading={busy} onClick={() => void act(() => again(saved))} />
          )}
          {saved && (
            <Link className={style.link} to={`/izvestaji?izvestaj=${String(saved.izvestajID)}&prikaz=parametri`}>
              <i className="pi pi-calendar" aria-hidden /> {text.schedule}
            </Link>
          )}
          {saved && saved.izbor.obim === 'ustanova' && mayOpen(prava, [Right.DataExport]) && (
            <Button type="button" label={text.script} icon="pi pi-code" outlined disabled={busy} onClick={() => void download(saved.id)} />
          )}
          {saved && mine && (
            <Button
              type="button"
              label={text.remove}
              icon="pi pi-trash"
              text
              severity="danger"
              disabled={busy}
              onClick={() => void remove(null)}
            />
          )}
        </div>
        {saved ? <LastRun report={saved.izvestajID} /> : <p className={style.help}>{text.none}</p>}
      </div>
    </Panel>
  );
}

/** The newest run of the analysis. */
function LastRun({ report }: { report: number }) {
  const { pollEvery } = useReportEvents();
  const { data, mutate } = useApi(at('/api/report-runs', { izvestaj: report, page: 0, size: 1 }), { refreshInterval: pollEvery });
  const runs = asRuns(data?.data ?? []);
  return (
    <>
      <ul className={reports.cards}>
        {runs.map((run) => (
          <RunCard key={run.giID} run={run} named={false} reload={() => void mutate()} ordered={() => void mutate()} />
        ))}
      </ul>
      {runs.map((run) => run.ekran && run.status === 'succeeded' && <RunResult key={run.giID} run={run.giID} />)}
    </>
  );
}
