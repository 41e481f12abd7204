// The form as clinicians would see it, drawn by the entry screen's own parts; what is typed here is tried and nowhere kept.
import { Dropdown } from 'primereact/dropdown';
import { useDeferredValue, useEffect, useId, useMemo, useRef, useState } from 'react';
import { OpenEntryContext, undrawn, type OpenEntry } from '../../../entries/drawing/form';
import { Inside } from '../../../entries/drawing/parts';
import { RulesAbove } from '../../../entries/drawing/told';
import type { EntryStore } from '../../../entries/model/store';
import { t } from '../../../messages';
import { today } from '../../../today';
import { DateInput } from '../../../ui/DateInput';
import { EmptyState } from '../../../ui/states';
import style from './designer.module.css';
import { shownFormFields, shownId, trialStore, type FormTrial, type Tried } from './preview';
import type { FormDocument, Standing } from './model';

const text = t.formDesigner;
const BORN = '1970-01-01';
const SEXES = [
  { value: true, label: text.male },
  { value: false, label: text.female },
];

interface Props {
  document: FormDocument;
  formulas: Standing['formule'];
  rules: Standing['pravila'];
  /** The field that is chosen in the tree: it is brought into view. */
  focus: number | null;
  /** Is told of what is tried. */
  onTried: (tried: Tried) => void;
}

/** The store of the draft as it is now, with the values that were tried before. */
function useTrial({ document, formulas, rules }: Props, trial: FormTrial): EntryStore {
  const deferred = useDeferredValue(document);
  const [tried] = useState<{ values: Record<string, unknown> }>(() => ({ values: {} }));
  const store = useMemo(() => {
    const made = trialStore(shownFormFields(deferred, formulas), rules, tried.values as never, trial);
    return made;
  }, [deferred, formulas, rules, trial, tried]);
  useEffect(
    () =>
      store.onAnswer(() => {
        Object.assign(tried, { values: { ...tried.values, ...store.values() } });
      }),
    [store, tried],
  );
  return store;
}

export function PreviewPane(props: Props) {
  const { document, focus, onTried } = props;
  const [trial, setTrial] = useState<FormTrial>({ datumUnosa: today(), datumRodjenja: BORN, muski: false });
  const store = useTrial(props, trial);
  useEffect(() => onTried({ store, trial }), [store, trial, onTried]);
  const open = useMemo<OpenEntry>(
    () => ({ ...undrawn(store), readOnly: false, formerUnits: new Map(), pacijentID: null, tsaID: 0, registarID: 0 }),
    [store],
  );
  useEffect(() => store.onAnswer(open.queue.rest), [store, open]);
  const pane = useRef<HTMLDivElement>(null);
  // Tabs and panels on the way to the chosen field open.
  useEffect(() => {
    if (focus !== null && open.store.byId.has(shownId(focus))) open.store.reveal(shownId(focus));
  }, [focus, open]);
  const set = (part: Partial<FormTrial>) => setTrial((now) => ({ ...now, ...part }));
  return (
    <div className={style.preview} ref={pane}>
      <TrialHead trial={trial} onChange={set} />
      {document.polja.length === 0 ? (
        <EmptyState icon="pi-eye" title={text.emptyPreview} />
      ) : (
        <OpenEntryContext value={open}>
          <RulesAbove />
          <Inside of={null} />
        </OpenEntryContext>
      )}
    </div>
  );
}

function TrialHead({ trial, onChange }: { trial: FormTrial; onChange: (part: Partial<FormTrial>) => void }) {
  const id = useId();
  return (
    <div className={style.trial} role="group" aria-label={text.trial}>
      <div>
        <label htmlFor={`${id}-pregled`}>{text.examined}</label>
        <DateInput
          id={`${id}-pregled`}
          invalid={false}
          value={trial.datumUnosa}
          min={trial.datumRodjenja}
          onChange={(value) => onChange({ datumUnosa: value })}
        />
      </div>
      <div>
        <label htmlFor={`${id}-rodjen`}>{text.born}</label>
        <DateInput
          id={`${id}-rodjen`}
          invalid={false}
          value={trial.datumRodjenja}
          max={trial.datumUnosa ?? today()}
          onChange={(value) => onChange({ datumRodjenja: value ?? BORN })}
        />
      </div>
      <div>
        <label htmlFor={`${id}-pol`}>{text.sex}</label>
        <Dropdown
          inputId={`${id}-pol`}
          value={trial.muski}
          options={SEXES}
          onChange={({ value }: { value: boolean }) => onChange({ muski: value })}
        />
      </div>
      <p className={style.help}>{text.trialHelp}</p>
    </div>
  );
}
