// One of a list by typing a part of its name: the list narrows with every key, the first that fits is marked, Enter or Tab takes it.
import { useId, useRef, useState, type KeyboardEvent } from 'react';
import { fold } from '../fold';
import { t } from '../messages';
import style from './Combobox.module.css';

export interface ComboboxOption {
  value: number;
  label: string;
}

interface Props {
  id: string;
  value: number | null;
  options: readonly ComboboxOption[];
  onChange: (value: number | null) => void;
  placeholder: string;
  emptyMessage: string;
  /** Told of what is typed, and of its end: where the server searches. */
  onTyped?: (text: string) => void;
  /** Said below the options: there are more than these. */
  note?: string | null;
  disabled?: boolean;
  invalid?: boolean;
  required?: boolean;
  'aria-describedby'?: string | undefined;
}

/** Those that hold each of the typed words, in any order, with or without diacritics. */
export function fitting(options: readonly ComboboxOption[], typed: string): readonly ComboboxOption[] {
  const words = fold(typed).split(/\s+/).filter(Boolean);
  return options.filter(({ label }) => words.every((word) => fold(label).includes(word)));
}

export function Combobox({
  id,
  value,
  options,
  onChange,
  placeholder,
  emptyMessage,
  onTyped,
  note = null,
  disabled = false,
  invalid = false,
  required = false,
  ...aria
}: Props) {
  /** What is being typed; none while the choice itself is shown. */
  const [typed, setTyped] = useState<string | null>(null);
  const [open, setOpen] = useState(false);
  const [at, setAt] = useState(0);
  const input = useRef<HTMLInputElement>(null);
  const list = useId();
  const chosen = options.find((option) => option.value === value);
  const shown = typed === null ? options : fitting(options, typed);
  const marked = shown[Math.min(at, shown.length - 1)];
  const optionId = (option: ComboboxOption) => `${list}-${String(option.value)}`;

  function show() {
    if (disabled || open) return;
    setAt(
      Math.max(
        0,
        options.findIndex((option) => option.value === value),
      ),
    );
    setOpen(true);
  }
  function close() {
    setOpen(false);
    setTyped(null);
    onTyped?.('');
  }
  function take(option: ComboboxOption) {
    onChange(option.value);
    close();
  }
  function move(to: number) {
    const next = Math.max(0, Math.min(to, shown.length - 1));
    setAt(next);
    const option = shown[next];
    if (option) document.getElementById(optionId(option))?.scrollIntoView({ block: 'nearest' });
  }

  function onKeyDown(event: KeyboardEvent) {
    const now = Math.min(at, shown.length - 1);
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      if (open) move(now + step);
      else show();
    } else if (event.key === 'Enter' && open) {
      event.preventDefault();
      if (marked) take(marked);
    } else if (event.key === 'Escape' && open) {
      // A dialog around it would close as well.
      event.stopPropagation();
      close();
    } else if (event.key === 'Tab' && open && typed !== null && typed.trim() !== '' && marked) {
      take(marked);
    }
  }

  return (
    <div className={style.box}>
      <input
        ref={input}
        id={id}
        type="text"
        role="combobox"
        className="p-inputtext p-component"
        autoComplete="off"
        spellCheck={false}
        aria-autocomplete="list"
        aria-expanded={open}
        aria-controls={list}
        aria-activedescendant={open && marked ? optionId(marked) : undefined}
        aria-invalid={invalid}
        aria-required={required}
        aria-describedby={aria['aria-describedby']}
        placeholder={placeholder}
        disabled={disabled}
        value={typed ?? chosen?.label ?? ''}
        onChange={(event) => {
          setTyped(event.target.value);
          onTyped?.(event.target.value);
          setAt(0);
          setOpen(true);
          if (event.target.value.trim() === '') onChange(null);
        }}
        onFocus={(event) => event.target.select()}
        onClick={show}
        onKeyDown={onKeyDown}
        onBlur={close}
      />
      <button
        type="button"
        className={style.arrow}
        tabIndex={-1}
        aria-label={t.common.showList}
        disabled={disabled}
        // The focus stays in the field, or the list would close again.
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => {
          input.current?.focus();
          if (open) close();
          else show();
        }}
      >
        <span className="pi pi-chevron-down" aria-hidden />
      </button>
      <div
        id={list}
        role="listbox"
        tabIndex={-1}
        aria-label={placeholder}
        className={style.list}
        hidden={!open}
        onMouseDown={(event) => event.preventDefault()}
      >
        {shown.map((option) => (
          // The keyboard works in the field (aria-activedescendant).
          // eslint-disable-next-line jsx-a11y/click-events-have-key-events
          <div
            key={option.value}
            id={optionId(option)}
            role="option"
            tabIndex={-1}
            aria-selected={option.value === value}
            data-current={option === marked}
            onClick={() => take(option)}
          >
            {option.label}
          </div>
        ))}
        {shown.length === 0 && (
          <div className={style.none} role="option" tabIndex={-1} aria-selected={false} aria-disabled>
            {emptyMessage}
          </div>
        )}
        {note !== null && (
          <div className={style.none} role="option" tabIndex={-1} aria-selected={false} aria-disabled>
            {note}
          </div>
        )}
      </div>
    </div>
  );
}
