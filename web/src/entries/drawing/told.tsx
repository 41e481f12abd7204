// Broken rules of the form: beside the field that they are about, or above the form.
import { t } from '../../messages';
import style from './entry.module.css';
import { inputId, useOpenEntry } from './form';
import { ABOVE } from '../model/store';
import type { ToldRule } from '../model/formRules';
import { useCallback, useSyncExternalStore } from 'react';

const text = t.entries;

export const RuleNote = ({ rule: { poruka, refuses } }: { rule: ToldRule }) => (
  <small className={style.rule} data-refuses={refuses}>
    <span className={`pi ${refuses ? 'pi-times-circle' : 'pi-exclamation-triangle'}`} aria-hidden />
    <span className="sr-only">{refuses ? text.ruleError : text.ruleWarning}</span>
    <span>{poruka}</span>
  </small>
);

/** Rules that stand beside no field that shows. */
export function RulesAbove() {
  const { store } = useOpenEntry();
  const subscribe = useCallback((listener: () => void) => store.subscribe(ABOVE, listener), [store]);
  const told = useSyncExternalStore(subscribe, store.toldAbove);
  return (
    <div id={inputId(ABOVE)} className={style.rulesAbove} role="status" tabIndex={-1}>
      {told.map((rule) => (
        <RuleNote key={rule.id} rule={rule} />
      ))}
    </div>
  );
}
