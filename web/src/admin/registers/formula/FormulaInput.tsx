// A formula's box: what it may go on with is listed below it while one types, and the place of a fault is shown.
import { InputTextarea } from 'primereact/inputtextarea';
import { use, useEffect, useId, useLayoutEffect, useRef, useState, type ChangeEvent, type KeyboardEvent } from 'react';
import { t } from '../../../messages';
import type { Control } from '../../../ui/Field';
import { around, completed, MOST_SHOWN, suggestions, typingAt, type Nameable, type Suggestion, type Typing } from './completion';
import style from './formula.module.css';
import { OtherFieldsContext } from './otherFields';

const text = t.formulaHelp;

interface Props extends Control {
  name?: string;
  'aria-label'?: string;
  rows?: number;
  value: string;
  /** All that the form has; those of other forms come from around. */
  fields: readonly Nameable[];
  /** Where the server noticed a fault: a character's place, from one. */
  place?: number | null;
  disabled?: boolean;
  onChange: (value: string) => void;
}

interface Offer {
  typing: Typing;
  options: readonly Suggestion[];
  at: number;
}

/** Keys and not something pasted or put in by a program. */
const isTyped = ({ nativeEvent }: ChangeEvent) => {
  const { inputType } = nativeEvent as InputEvent;
  return inputType === 'insertText' || inputType === 'insertCompositionText' || inputType === 'deleteContentBackward';
};

export function FormulaInput({ value, fields, place = null, disabled = false, rows = 3, onChange, ...control }: Props) {
  const others = use(OtherFieldsContext);
  const [offer, setOffer] = useState<Offer | null>(null);
  const box = useRef<HTMLTextAreaElement>(null);
  /** Where the caret goes once the taken text stands in the box. */
  const caret = useRef<number | null>(null);
  const list = useId();
  const shown = offer?.options.slice(0, MOST_SHOWN) ?? [];
  const marked = offer ? shown[offer.at] : undefined;
  const optionId = (at: number) => `${list}-${String(at)}`;

  useLayoutEffect(() => {
    if (caret.current === null) return;
    box.current?.setSelectionRange(caret.current, caret.current);
    caret.current = null;
  }, [value]);

  const isOpen = offer !== null;
  useEffect(() => {
    if (isOpen) document.getElementById(list)?.scrollIntoView({ block: 'nearest' });
  }, [isOpen, list]);

  function look(formula: string, at: number, asked: boolean) {
    const typing = typingAt(formula, at, asked);
    const options = typing ? suggestions(typing, others.length > 0 ? [...fields, ...others] : fields) : [];
    setOffer(typing && options.length > 0 ? { typing, options, at: 0 } : null);
  }

  function take(one: Suggestion) {
    if (!offer) return;
    const next = completed(value, offer.typing, one);
    caret.current = next.caret;
    setOffer(null);
    onChange(next.formula);
  }

  function move(to: number) {
    if (!offer) return;
    const at = Math.max(0, Math.min(to, shown.length - 1));
    setOffer({ ...offer, at });
    document.getElementById(optionId(at))?.scrollIntoView({ block: 'nearest' });
  }

  function onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>) {
    if (event.key === ' ' && event.ctrlKey) {
      event.preventDefault();
      return look(value, event.currentTarget.selectionStart, true);
    }
    if (!offer || event.nativeEvent.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      move(offer.at + step);
    } else if (event.key === 'Enter' && marked && !event.shiftKey) {
      event.preventDefault();
      take(marked);
    } else if (event.key === 'Escape') {
      // A dialog around it would close as well.
      event.stopPropagation();
      setOffer(null);
    } else if (['ArrowLeft', 'ArrowRight', 'Home', 'End'].includes(event.key)) setOffer(null);
  }

  const fault = place === null ? null : around(value, place);
  return (
    <div className={style.whole}>
      <div className={style.box}>
        <InputTextarea
          {...control}
          ref={box}
          className={style.formula}
          value={value}
          rows={rows}
          autoResize
          spellCheck={false}
          autoComplete="off"
          disabled={disabled}
          aria-autocomplete="list"
          aria-haspopup="listbox"
          aria-controls={offer ? list : undefined}
          aria-activedescendant={offer ? optionId(offer.at) : undefined}
          onChange={(event) => {
            onChange(event.target.value);
            if (isTyped(event)) look(event.target.value, event.target.selectionStart, false);
            else setOffer(null);
          }}
          onKeyDown={onKeyDown}
          onClick={() => setOffer(null)}
          onBlur={() => setOffer(null)}
        />
        {offer && (
          // The focus stays in the box.
          // eslint-disable-next-line jsx-a11y/interactive-supports-focus
          <div id={list} role="listbox" aria-label={text.list} className={style.list} onMouseDown={(event) => event.preventDefault()}>
            {shown.map((one, at) => (
              // The keyboard works in the box (aria-activedescendant).
              // eslint-disable-next-line jsx-a11y/click-events-have-key-events
              <div key={one.label} id={optionId(at)} role="option" tabIndex={-1} aria-selected={at === offer.at} onClick={() => take(one)}>
                <code>{one.label}</code> <span>{one.told}</span>
              </div>
            ))}
            {offer.options.length > shown.length && (
              <div className={style.more} role="option" tabIndex={-1} aria-selected={false} aria-disabled>
                {text.more(offer.options.length - shown.length)}
              </div>
            )}
          </div>
        )}
      </div>
      {fault && (
        <code className={style.place} aria-label={text.place}>
          {fault.before}
          <mark>{fault.at}</mark>
          {fault.after}
        </code>
      )}
    </div>
  );
}
