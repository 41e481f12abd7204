// A draft while it is edited: every change is a step that can be taken back, and is saved by itself.
import { Button } from 'primereact/button';
import { Dropdown } from 'primereact/dropdown';
import { Message } from 'primereact/message';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { at } from '../../../api/address';
import { api } from '../../../api/client';
import type { Reply, Schema } from '../../../schema';
import { useWorker } from '../../../api/session';
import { formatDateTime } from '../../../format';
import { ValueType } from '../../../forms/valueType';
import { t } from '../../../messages';
import { useConfirm } from '../../../ui/confirm';
import { Page, type Crumb } from '../../../ui/Page';
import { Panel } from '../../../ui/Panel';
import { useToast } from '../../../ui/toast';
import { useUnsaved } from '../../../ui/useUnsaved';
import { publicationText } from '../../../versions/Publications';
import { formAddress, VERSIONS_TAB, type FormState } from '../operation';
import style from './designer.module.css';
import { FaultList } from './FaultList';
import { kindOf, typeOf, type OtherDrafts, type FormDocument, type FormDraft } from './model';
import { Moved } from './Moved';
import { Others } from './Others';
import { exampleOf, type Tried } from './preview';
import { PreviewPane } from './PreviewPane';
import { PropertiesPane, type PropertiesProps } from './PropertiesPane';
import { PublishDialog } from './PublishDialog';
import { ruleId, RulesPane } from './RulesPane';
import { SeveralPane } from './SeveralPane';
import { addBlock, type Block } from './blocks';
import { BlockNote } from './BlockNote';
import { BlocksDialog } from './BlocksDialog';
import { addField, copy, put, remove, step, withInner, type Place, type TreeChange, type Way } from './tree';
import { canStep, TreePane, type Chosen } from './TreePane';
import { useDraft } from './useDraft';

const text = t.formDesigner;
const sourceText = ({ broj, vreme, objave }: NonNullable<FormDraft['izvor']>) =>
  text.draftOf(broj, formatDateTime(vreme), objave.map(publicationText).join('; '));
type Pane = 'tree' | 'properties' | 'preview';
const PANES: readonly Pane[] = ['tree', 'properties', 'preview'];
const KINDS = Object.values(ValueType).map((value) => ({ value, label: text.kinds[value] }));
const WAYS: readonly { way: Way; icon: string }[] = [
  { way: 'up', icon: 'pi-arrow-up' },
  { way: 'down', icon: 'pi-arrow-down' },
  { way: 'out', icon: 'pi-arrow-left' },
  { way: 'in', icon: 'pi-arrow-right' },
];

interface Props {
  form: number;
  naziv: string;
  crumbs: readonly Crumb[];
  draft: FormDraft;
  others: OtherDrafts;
  onOpen: (draft: FormDraft | null) => void;
  reload: () => Promise<void>;
}

export function Designer({ form, naziv, crumbs, draft, others, onOpen, reload }: Props) {
  const { id: worker } = useWorker();
  const { document, change, undo, redo, standing, state, saver } = useDraft(form, draft, { worker, draft: draft.id });
  const [chosen, setChosen] = useState<Chosen>(() => {
    const first = draft.dokument.polja[0]?.id;
    return { ids: first === undefined ? [] : [first], focus: first ?? null };
  });
  const [pane, setPane] = useState<Pane>('tree');
  /** The rules stand where a field's properties do. */
  const [onRules, setOnRules] = useState(false);
  const [publishing, setPublishing] = useState(false);
  const [choosingBlock, setChoosingBlock] = useState(false);
  const tried = useRef<Tried | null>(null);
  const keepTried = useCallback((now: Tried) => {
    tried.current = now;
  }, []);
  const [told, setTold] = useState('');
  /** A field that was just added, until something else is chosen: its name is typed first. */
  const [naming, setNaming] = useState<number | null>(null);
  const confirm = useConfirm();
  const toast = useToast();
  const navigate = useNavigate();
  useUnsaved(state !== 'saved');

  const ids = chosen.ids.filter((id) => document.polja.some((field) => field.id === id));
  const field = ids.length === 1 ? document.polja.find(({ id }) => id === ids[0]) : undefined;
  const focus = document.polja.some(({ id }) => id === chosen.focus) ? chosen.focus : (ids[0] ?? null);

  const choose = (next: Chosen) => {
    setOnRules(false);
    setNaming(null);
    setChosen(next);
  };
  const move = (way: Way) => {
    change((latest) => {
      const next = step(latest, ids, way);
      setTold(next === latest ? text.noStep : text.moved[way]);
      return next;
    }, null);
  };
  const place = (moving: readonly number[], at: Place) => change((latest) => put(latest, moving, at), null);
  const make = (build: (latest: FormDocument) => TreeChange): number[] => {
    let made: number[] = [];
    change((latest) => {
      const { document, ids } = build(latest);
      made = ids;
      return document;
    }, null);
    choose({ ids: made, focus: made[0] ?? null });
    return made;
  };
  const makeNew = (after: number | null, kind: Schema<'ValueType'>, isBeside: boolean) => {
    const made = make((latest) => addField(latest, after, kind, text.newNames[kind], isBeside));
    setNaming(made[0] ?? null);
  };
  const takeBlock = (block: Block) => {
    setChoosingBlock(false);
    const made = make((latest) => addBlock(latest, focus, block));
    setPane('properties');
    setTold(made.length > 0 ? t.blocks.added(block.blok.naziv) : '');
  };
  const takeExample: PropertiesProps['onTake'] = (own, asked) => {
    if (tried.current) return exampleOf(tried.current, own, asked);
    toast.warn(t.formExamples.nothingToTake);
    return null;
  };
  const take = () => {
    const gone = withInner(document, ids);
    const at = document.polja.findIndex(({ id }) => gone.has(id));
    const left = document.polja.filter(({ id }) => !gone.has(id));
    const beside = left[Math.min(at, left.length - 1)]?.id;
    change((latest) => remove(latest, ids), null);
    setTold(text.removed(gone.size));
    setChosen({ ids: beside === undefined ? [] : [beside], focus: beside ?? null });
  };

  // Steps back and forth by the keyboard; a text that is being typed has its own.
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { target } = event;
      if (!(event.ctrlKey || event.metaKey) || (target instanceof HTMLElement && target.closest('input, textarea, [role="dialog"]')))
        return;
      const key = event.key.toLowerCase();
      if (key === 'z' && !event.shiftKey) undo?.();
      else if (key === 'y' || (key === 'z' && event.shiftKey)) redo?.();
      else return;
      event.preventDefault();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [undo, redo]);

  function openRule(id: number | null) {
    setOnRules(true);
    setPane('properties');
    // The pane may only be about to be drawn.
    requestAnimationFrame(() => window.document.getElementById(ruleId(id ?? 0))?.focus());
  }
  function openFault({ gde, id }: Reply<'DraftFault'>) {
    if (gde === 'pravilo') return openRule(id);
    const item = document.stavke.find((one) => gde === 'stavka' && one.id === id);
    const type = gde === 'tip' ? id : item?.tipAtributaID;
    const at = gde === 'polje' ? id : document.polja.find(({ tipAtributaID }) => tipAtributaID === type)?.id;
    if (at === null || at === undefined) return;
    choose({ ids: [at], focus: at });
    setPane('properties');
  }
  async function openPublishing() {
    if (await saver.flush()) setPublishing(true);
  }
  async function discard() {
    if (!(await confirm({ message: text.discardQuestion, accept: text.discard, danger: true }))) return;
    saver.end();
    try {
      await api.delete(at('/api/forms/{id}/draft', { id: form }));
      onOpen(null);
    } catch (error) {
      toast.failure(text.discardFailed, error);
    }
  }

  return (
    <Page
      title={text.title(naziv)}
      sticky
      breadcrumb={crumbs}
      lead={
        <span role="status" data-state={state} className={style.state}>
          {text.states[state]}
        </span>
      }
      actions={
        <>
          <Button icon="pi pi-undo" outlined aria-label={text.undo} tooltip={text.undo} disabled={!undo} onClick={undo} />
          <Button icon="pi pi-refresh" outlined aria-label={text.redo} tooltip={text.redo} disabled={!redo} onClick={redo} />
          <Button label={text.discard} icon="pi pi-trash" severity="danger" outlined onClick={() => void discard()} />
          <Button label={text.toPublishing} icon="pi pi-check" disabled={state === 'elsewhere'} onClick={() => void openPublishing()} />
        </>
      }
    >
      <p className="sr-only" aria-live="polite">
        {told}
      </p>
      <Others others={others} />
      {draft.izvor && <Message severity="info" className={style.note} text={sourceText(draft.izvor)} />}
      {draft.napomene.map((note) => (
        <Message key={note} severity="info" text={note} className={style.note} />
      ))}
      {state === 'elsewhere' && (
        <div className={style.bar} role="alert">
          <span>{text.elsewhere}</span>
          <Button label={text.reload} size="small" onClick={() => void reload()} />
        </div>
      )}
      {standing.izmenjeno && state !== 'elsewhere' && <Moved form={form} saver={saver} onTaken={onOpen} />}
      <FaultList faults={standing.greske} onOpen={openFault} />
      <div className={style.panes} role="group" aria-label={text.panes}>
        {PANES.map((one) => (
          <Button
            key={one}
            label={text.pane[one]}
            outlined={pane !== one}
            aria-pressed={pane === one}
            size="small"
            onClick={() => setPane(one)}
          />
        ))}
      </div>
      <div className={style.layout} data-pane={pane}>
        <div className={style.treePane}>
          <Panel title={text.tree}>
            <div className={style.tools} role="toolbar" aria-label={text.tools}>
              <Dropdown
                className={style.add}
                value={null}
                options={KINDS}
                placeholder={text.add}
                aria-label={text.add}
                onChange={({ value }: { value: Schema<'ValueType'> }) => makeNew(focus, value, false)}
              />
              <Button
                icon="pi pi-copy"
                text
                aria-label={text.copy}
                tooltip={text.copy}
                disabled={ids.length === 0}
                onClick={() => make((latest) => copy(latest, ids))}
              />
              {WAYS.map(({ way, icon }) => (
                <Button
                  key={way}
                  icon={`pi ${icon}`}
                  text
                  aria-label={text.moveBy[way]}
                  tooltip={text.moveBy[way]}
                  disabled={!canStep(document, ids, way)}
                  onClick={() => move(way)}
                />
              ))}
              <Button
                icon="pi pi-trash"
                text
                severity="danger"
                aria-label={text.remove}
                tooltip={text.remove}
                disabled={ids.length === 0}
                onClick={take}
              />
            </div>
            <div className={style.tools}>
              <Button label={t.blocks.add} icon="pi pi-th-large" size="small" outlined onClick={() => setChoosingBlock(true)} />
              <Button
                className={style.toRules}
                label={text.toRules(document.pravila.length)}
                icon={`pi ${standing.greske.some(({ gde }) => gde === 'pravilo') ? 'pi-exclamation-circle' : 'pi-verified'}`}
                size="small"
                outlined={!onRules}
                aria-pressed={onRules}
                onClick={() => {
                  setOnRules(!onRules);
                  setPane('properties');
                }}
              />
            </div>
            <TreePane
              document={document}
              faults={standing.greske}
              chosen={{ ids, focus }}
              onChoose={choose}
              onMove={move}
              onPut={place}
              onCopy={() => make((latest) => copy(latest, ids))}
              onRemove={take}
            />
            <p className={style.help}>{text.treeHelp}</p>
          </Panel>
        </div>
        <div className={style.propertiesPane}>
          <Panel title={onRules ? text.rules : field ? text.propertiesOf(field.naziv || text.unnamed) : text.properties}>
            {onRules ? (
              <RulesPane document={document} faults={standing.greske} warnings={standing.upozorenja} onChange={change} />
            ) : ids.length > 1 ? (
              <SeveralPane key={ids.join(',')} document={document} ids={ids} onChange={change} />
            ) : field && typeOf(document, field) ? (
              <>
                <BlockNote key={`blok-${String(field.id)}`} document={document} field={field} onChange={change} />
                <PropertiesPane
                  key={field.id}
                  document={document}
                  field={field}
                  faults={standing.greske}
                  warnings={standing.upozorenja}
                  shared={standing.zajednicki}
                  formId={form}
                  onSeparated={async () => {
                    if (await saver.flush()) await reload();
                  }}
                  isNamed={field.id === naming}
                  onNext={() => makeNew(field.id, kindOf(document, field), true)}
                  formulas={standing.formule}
                  onTake={takeExample}
                  onChange={change}
                />
              </>
            ) : (
              <p className={style.help}>{text.chooseOne}</p>
            )}
          </Panel>
        </div>
        <div className={style.previewPane}>
          <Panel title={text.preview}>
            <PreviewPane document={document} formulas={standing.formule} rules={standing.pravila} focus={focus} onTried={keepTried} />
          </Panel>
        </div>
      </div>
      {choosingBlock && <BlocksDialog onTake={takeBlock} onClose={() => setChoosingBlock(false)} />}
      {publishing && (
        <PublishDialog
          form={form}
          verzija={saver.number()}
          faults={standing.greske}
          onFault={(fault) => {
            setPublishing(false);
            openFault(fault);
          }}
          onClose={() => setPublishing(false)}
          onMoved={() => {
            setPublishing(false);
            void reload();
          }}
          onPublished={(broj, isRecomputed) => {
            saver.end();
            toast.success(isRecomputed ? t.recomputation.published(broj) : text.published(broj));
            const state: FormState = { unosOperation: 'update', registarOperation: 'update', tab: VERSIONS_TAB };
            void navigate(formAddress(form), isRecomputed ? { state } : undefined);
          }}
        />
      )}
    </Page>
  );
}
