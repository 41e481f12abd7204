// The designer of one report: its query and its template, or what they are made from, side by side with what is wrong with them, a trial,
// the versions and a guide.
import { Button } from 'primereact/button';
import { InputText } from 'primereact/inputtext';
import { Message } from 'primereact/message';
import { TabPanel, TabView } from 'primereact/tabview';
import { useMemo, useRef, useState } from 'react';
import { useParams } from 'react-router';
import { at } from '../../api/address';
import { api, ApiError } from '../../api/client';
import { closerTo } from '../../api/closer';
import type { Reply, Schema } from '../../schema';
import { useApi } from '../../api/hooks';
import { t } from '../../messages';
import { useConfirm } from '../../ui/confirm';
import { Field } from '../../ui/Field';
import { Page } from '../../ui/Page';
import { Panel } from '../../ui/Panel';
import { LoadFailed, Loading } from '../../ui/states';
import { useToast } from '../../ui/toast';
import { useUnsaved } from '../../ui/useUnsaved';
import { CodeEditor, type Editor } from './CodeEditor';
import { Findings } from './Findings';
import { GuidePanel } from './GuidePanel';
import { TrialPanel } from './TrialPanel';
import { Builder, Modes } from './simple/Builder';
import { ChoiceFile } from './simple/ChoiceFile';
import {
  simpleReportOf,
  simpleDraftOf,
  emptySimpleDraft,
  problemOf,
  sameChoice,
  type SimpleDraft,
  type SimpleProblem,
} from './simple/model';
import type { Finding, Part, VersionTexts } from './types';
import { ReportVersions } from './Versions';
import style from './designer.module.css';

const text = t.reportDesigner;
const PARTS: readonly Part[] = ['upit', 'sablon'];
const BLANK: VersionTexts = { upit: '', sablon: '', izbor: null };

/** What the screen was opened with, or saved as. */
interface Known {
  broj: number;
  texts: Schema<'ReportTexts'>;
  /** What the texts were made from; none: they were typed. */
  draft: SimpleDraft | null;
}

const asChoice = closerTo<Reply<'SimpleReport'>>();

const knownOf = (broj: number, { upit, sablon, izbor }: VersionTexts): Known => ({
  broj,
  texts: { upit, sablon },
  draft: izbor ? simpleDraftOf(asChoice<unknown>(izbor)) : null,
});
const same = (one: Schema<'ReportTexts'>, other: Schema<'ReportTexts'>) => one.upit === other.upit && one.sablon === other.sablon;

export default function ReportDesignerScreen() {
  const { id } = useParams();
  const report = Number(id);
  const design = useApi(at('/api/reports/{id}/definition', { id: report }), { revalidateOnFocus: false });
  const guide = useApi('/api/report-guide', { revalidateOnFocus: false });
  // The newest version, or the file, or nothing.
  const broj = design.data?.poslednja ?? 0;
  const isBlank = design.data?.poslednja === 0 && !design.data.imaFajl;
  const [first, setFirst] = useState<Known | null>(null);
  const texts = useApi(design.data && !isBlank && !first ? at('/api/reports/{id}/definitions/{broj}', { id: report, broj }) : null, {
    revalidateOnFocus: false,
  });
  const begin = isBlank ? BLANK : texts.data;
  if (!first && design.data && begin) setFirst(knownOf(broj, begin));
  const failed = design.error ?? guide.error ?? texts.error;
  const retry = () => {
    void design.mutate();
    void guide.mutate();
    void texts.mutate();
  };
  if (design.data && guide.data && first)
    return <Designer report={report} design={design.data} guide={guide.data} first={first} reload={design.mutate} />;
  return (
    <Page title={design.data ? text.title(design.data.naziv) : text.tab} breadcrumb={crumbs('')}>
      <Panel>{failed ? <LoadFailed error={failed} retry={retry} /> : <Loading lines={8} />}</Panel>
    </Page>
  );
}

const crumbs = (label: string) => [{ label: text.reports, to: '/admin/izvestaji' }, ...(label ? [{ label }] : [])];

interface Props {
  report: number;
  design: Reply<'ReportDesign'>;
  guide: Reply<'ReportGuide'>;
  first: Known;
  reload: () => Promise<Reply<'ReportDesign'> | undefined>;
}

function Designer({ report, design, guide, first, reload }: Props) {
  const toast = useToast();
  const confirm = useConfirm();
  const [texts, setTexts] = useState(first.texts);
  // A report that has nothing yet is chosen, unless its designer would rather write.
  const isFresh = first.broj === 0 && !design.imaFajl;
  const [simple, setSimple] = useState(first.draft !== null || isFresh);
  const [draft, setDraft] = useState(() => first.draft ?? emptySimpleDraft(design.registarID));
  const [blankDraft] = useState(draft);
  const [problem, setProblem] = useState<SimpleProblem | null>(null);
  const [made, setMade] = useState<Schema<'ReportTexts'> | null>(first.draft ? first.texts : null);
  const registers = useApi(simple ? '/api/simple-report-registers' : null, { revalidateOnFocus: false });
  const form = useApi(simple && draft.tipUnosaID !== null ? at('/api/simple-report-forms/{id}', { id: draft.tipUnosaID }) : null, {
    revalidateOnFocus: false,
  });
  const formGone = form.error instanceof ApiError && form.error.status === 404;
  const [known, setKnown] = useState(first);
  /** The newest version that the designer has seen: hers is written on it. */
  const [base, setBase] = useState(design.poslednja);
  const [note, setNote] = useState('');
  const [checked, setChecked] = useState<{ check: Reply<'ReportCheck'>; of: Schema<'ReportTexts'> | SimpleDraft } | null>(null);
  const [conflict, setConflict] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [part, setPart] = useState(0);
  const [tab, setTab] = useState(0);
  const side = useRef<HTMLDivElement>(null);
  const editors = useRef<Record<Part, Editor | null>>({ upit: null, sablon: null });
  const isChanged = () => {
    if (simple) return known.draft === null ? !sameChoice(draft, blankDraft) || known.broj > 0 : !sameChoice(draft, known.draft);
    return known.draft !== null || !same(texts, known.texts);
  };
  const dirty = isChanged();
  useUnsaved(dirty);

  const check = checked?.check ?? null;
  const findings = useMemo(
    () => [
      ...(check?.greske ?? []).map((finding) => ({ ...finding, severity: 'error' as const })),
      ...(check?.upozorenja ?? []).map((finding) => ({ ...finding, severity: 'warning' as const })),
    ],
    [check],
  );
  const ofPart = useMemo(
    () => ({ upit: findings.filter(({ gde }) => gde === 'upit'), sablon: findings.filter(({ gde }) => gde === 'sablon') }),
    [findings],
  );

  const change = (next: Partial<SimpleDraft>) => {
    setDraft((now) => ({ ...now, ...next }));
    setProblem(null);
  };
  /** Whether the draft can be sent; where not, it is said beside what is wrong. */
  const isWhole = () => {
    const found = simple ? problemOf(draft, form.data) : null;
    setProblem(found);
    return found === null;
  };

  const goTo = ({ gde, red, kolona }: Finding) => {
    // What was made is mended by choosing otherwise.
    if (simple) return;
    setPart(PARTS.indexOf(gde));
    // The other editor is drawn first.
    requestAnimationFrame(() => editors.current[gde]?.goTo(red ?? 1, kolona ?? 1));
  };
  const insert = (where: Part, what: string) => {
    if (simple) return;
    setPart(PARTS.indexOf(where));
    requestAnimationFrame(() => editors.current[where]?.insert(what));
  };
  const replace = async (next: Known | Schema<'ReportTexts'>) => {
    if (dirty && !(await confirm({ message: text.replaceQuestion, accept: text.replace, danger: true }))) return;
    if ('broj' in next) {
      setTexts(next.texts);
      setKnown(next);
      setSimple(next.draft !== null);
      if (next.draft) setDraft(next.draft);
      setMade(next.draft && next.texts);
    } else {
      setTexts(next);
      setSimple(false);
    }
    setProblem(null);
    setChecked(null);
  };

  const readFile = async (choice: Reply<'SimpleReport'>) => {
    const { file } = t.simpleReport;
    if (dirty && !(await confirm({ message: file.replaceQuestion, accept: file.replace, danger: true }))) return;
    change(simpleDraftOf(choice));
    setChecked(null);
    toast.success(file.came);
  };

  const work = async (failed: string, act: () => Promise<void>) => {
    setBusy(true);
    toast.clear();
    try {
      await act();
    } catch (error) {
      if (error instanceof ApiError && error.field === 'osnova') {
        setConflict(error.message);
        await reload();
      } else if (error instanceof ApiError && error.field && simple) setProblem({ field: error.field, message: error.message });
      toast.failure(failed, error);
    } finally {
      setBusy(false);
    }
  };

  const make = async () => {
    const answer = await api.post(at('/api/reports/{id}/simple-definition-check', { id: report }), simpleReportOf(draft));
    setMade({ upit: answer.upit, sablon: answer.sablon });
    return answer;
  };
  const checkNow = () =>
    work(text.checkFailed, async () => {
      if (!isWhole()) return;
      if (simple) setChecked({ check: (await make()).provera, of: draft });
      else setChecked({ check: await api.post(at('/api/reports/{id}/definition-check', { id: report }), texts), of: texts });
      setTab(0);
      // On a narrow screen what was found stands far below.
      side.current?.scrollIntoView({ block: 'nearest' });
    });

  /** Gives the number of the version that holds what is typed or chosen; none where the choice is not whole. */
  const save = async (on: number): Promise<number | null> => {
    if (!isWhole()) return null;
    // The form may have changed since: a choice is always made anew.
    if (!simple && !dirty && known.broj > 0 && !note.trim()) return known.broj;
    const kept = { napomena: note.trim() || null, osnova: on };
    const keepChoice = async () => {
      const choice = { izbor: simpleReportOf(draft), ...kept };
      const address = at('/api/reports/{id}/simple-definitions', { id: report });
      try {
        return await api.post(address, { ...choice, bezPodataka: false });
      } catch (error) {
        // An indicator that can be told of nobody yet is kept where its designer says so.
        const isAhead = error instanceof ApiError && error.field === 'bezPodataka';
        if (!isAhead || !(await confirm({ message: error.message, accept: t.simpleReport.keepAhead }))) throw error;
        return api.post(address, { ...choice, bezPodataka: true });
      }
    };
    const saved = simple ? await keepChoice() : await api.post(at('/api/reports/{id}/definitions', { id: report }), { ...texts, ...kept });
    if (simple) {
      const { upit, sablon } = await api.get(at('/api/reports/{id}/definitions/{broj}', { id: report, broj: saved.broj }));
      setTexts({ upit, sablon });
      setMade({ upit, sablon });
      setKnown({ broj: saved.broj, texts: { upit, sablon }, draft });
    } else setKnown({ broj: saved.broj, texts, draft: null });
    setBase(saved.broj);
    setNote('');
    setConflict(null);
    setChecked({ check: saved.provera, of: simple ? draft : texts });
    await reload();
    return saved.broj;
  };
  const saveNow = (on = base) =>
    work(text.saveFailed, async () => {
      const broj = await save(on);
      if (broj === null) return;
      setTab(0);
      toast.success(text.saved(broj));
    });

  const makeLive = async (broj: number) => {
    await api.post(at('/api/reports/{id}/definitions/{broj}/publish', { id: report, broj }), { objavljena: design.objavljena });
    await reload();
    toast.success(text.published(broj));
  };
  const publish = () =>
    work(text.publishFailed, async () => {
      const broj = await save(base);
      if (broj === null) return;
      setTab(0);
      await makeLive(broj);
    });
  const openVersion = (broj: number) =>
    work(t.error.load, async () => replace(knownOf(broj, await api.get(at('/api/reports/{id}/definitions/{broj}', { id: report, broj })))));

  const toSql = () =>
    work(t.simpleReport.toSql, async () => {
      const blank = sameChoice(draft, blankDraft) && known.broj === 0;
      if (!blank && !isWhole()) return;
      if (!blank && !(await confirm({ message: t.simpleReport.toSqlQuestion, accept: t.simpleReport.toSql }))) return;
      if (!blank) {
        const { upit, sablon } = await make();
        setTexts({ upit, sablon });
      }
      setSimple(false);
      setChecked(null);
    });
  const toSimple = async () => {
    const hasText = texts.upit.trim() !== '' || texts.sablon.trim() !== '';
    if (hasText && !(await confirm({ message: t.simpleReport.toSimpleQuestion, accept: t.simpleReport.toSimple, danger: true }))) return;
    if (hasText) setDraft(known.draft ?? emptySimpleDraft(design.registarID));
    setSimple(true);
    setTab(0);
    setProblem(null);
    setChecked(null);
  };

  const isStale = checked !== null && ('upit' in checked.of ? !same(checked.of, texts) : !sameChoice(checked.of, draft));
  const title = text.title(design.naziv);
  return (
    <Page
      title={title}
      sticky
      breadcrumb={crumbs(design.naziv)}
      lead={
        <>
          {known.broj === 0 && !design.imaFajl
            ? simple
              ? t.simpleReport.fresh
              : text.fresh
            : text.state(known.broj, design.objavljena, design.imaFajl)}
          {!simple && known.draft !== null && <strong> · {t.simpleReport.converted}</strong>}
          {dirty && <strong> · {text.unsaved}</strong>}
        </>
      }
      actions={
        <>
          <Button label={text.checkNow} icon="pi pi-check-circle" outlined disabled={busy} onClick={() => void checkNow()} />
          <Button label={text.save} icon="pi pi-save" outlined disabled={busy} onClick={() => void saveNow()} />
          <Button label={text.publish} icon="pi pi-upload" disabled={busy} onClick={() => void publish()} />
        </>
      }
    >
      {conflict && (
        <div className={style.conflict} role="alert">
          <Message severity="warn" text={conflict} />
          <Button label={text.overwrite} outlined size="small" disabled={busy} onClick={() => void saveNow(design.poslednja)} />
        </div>
      )}
      <div className={style.layout}>
        <Panel flush>
          <div className={style.modes}>
            <Modes simple={simple} busy={busy} onChange={(next) => void (next ? toSimple() : toSql())} />
            {simple && (
              <ChoiceFile
                report={report}
                broj={dirty || known.draft === null ? null : known.broj}
                form={draft.tipUnosaID}
                busy={busy}
                onRead={readFile}
              />
            )}
          </div>
          {simple ? (
            registers.data ? (
              <Builder
                report={report}
                draft={draft}
                change={change}
                registers={registers.data}
                form={form.data}
                formGone={formGone}
                obim={design.obim}
                fixedRegister={design.registarID}
                problem={problem}
                made={made}
              />
            ) : (
              <div className={style.waiting}>
                {registers.error ? <LoadFailed error={registers.error} retry={() => void registers.mutate()} /> : <Loading lines={6} />}
              </div>
            )
          ) : (
            <TabView activeIndex={part} onTabChange={({ index }) => setPart(index)} renderActiveOnly={false} className={style.editors}>
              {PARTS.map((name) => {
                const faults = ofPart[name].filter(({ severity }) => severity === 'error').length;
                return (
                  <TabPanel
                    key={name}
                    header={
                      <>
                        {text.parts[name]} {faults > 0 && <span className={style.count}>{faults}</span>}
                      </>
                    }
                  >
                    <CodeEditor
                      part={name}
                      label={text.parts[name]}
                      value={texts[name]}
                      onChange={(value) => setTexts((now) => ({ ...now, [name]: value }))}
                      findings={ofPart[name]}
                      views={guide.pogledi}
                      ref={(editor) => {
                        editors.current[name] = editor;
                      }}
                    />
                  </TabPanel>
                );
              })}
            </TabView>
          )}
          <div className={style.foot}>
            {!simple && <p className={style.help}>{text.leave}</p>}
            <Field label={text.note} help={text.noteHelp}>
              {(control) => <InputText {...control} maxLength={500} value={note} onChange={({ target }) => setNote(target.value)} />}
            </Field>
          </div>
        </Panel>
        <div ref={side}>
          <Panel flush>
            <TabView activeIndex={tab} onTabChange={({ index }) => setTab(index)} className={style.side} renderActiveOnly={false}>
              <TabPanel header={text.tabs.check}>
                <Findings check={check} stale={isStale} unchecked={simple ? t.simpleReport.notChecked : undefined} goTo={goTo} />
              </TabPanel>
              <TabPanel header={text.tabs.trial}>
                <TrialPanel
                  report={design.id}
                  asksRegister={check?.traziRegistar ?? false}
                  goTo={goTo}
                  help={simple ? t.simpleReport.trialHelp : undefined}
                  save={async () => {
                    let broj: number | null = null;
                    await work(text.saveFailed, async () => {
                      broj = await save(base);
                    });
                    return broj;
                  }}
                />
              </TabPanel>
              <TabPanel header={text.tabs.versions}>
                <ReportVersions
                  design={design}
                  open={dirty ? -1 : known.broj}
                  busy={busy}
                  onOpen={(broj) => void openVersion(broj)}
                  onPublish={(broj) => void work(text.publishFailed, () => makeLive(broj))}
                />
              </TabPanel>
              <TabPanel header={text.tabs.guide} visible={!simple}>
                <GuidePanel guide={guide} design={design} insert={insert} copy={({ upit, sablon }) => void replace({ upit, sablon })} />
              </TabPanel>
            </TabView>
          </Panel>
        </div>
      </div>
    </Page>
  );
}
