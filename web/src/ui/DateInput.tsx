// A calendar date as the server writes it (`2026-03-05`), shown as DD.MM.YYYY. and typed as people type dates. Text that is no date is the
// value as it stands, so that nothing typed is lost: the form or the server refuses it.
import { endOfDay } from 'date-fns';
import { Calendar } from 'primereact/calendar';
import { type KeyboardEvent, useEffect, useId, useMemo, useReducer, useRef, useState } from 'react';
import { fromServer, toServerDate } from '../format';
import { t } from '../messages';
import style from './Field.module.css';
import { afterPress } from './press';
import { typedDate, YEARS } from './typedDate';

interface Props {
  id?: string;
  value: string | null;
  onChange: (value: string | null) => void;
  disabled?: boolean;
  invalid?: boolean;
  /** The first and the last day that the calendar offers; a day that is typed beyond them is the form's to refuse. */
  min?: string | null;
  max?: string | null;
  /** The calendar is there from the start. */
  open?: boolean;
  'aria-describedby'?: string;
  'aria-required'?: boolean;
  /** As `invalid`; a text that is no date is wrong in any case. */
  'aria-invalid'?: boolean;
  'aria-label'?: string;
}

/** The years to choose from; a date beyond them widens them, or the calendar would change it. */
function yearsAround(date: Date | null): string {
  const year = date?.getFullYear() ?? YEARS.from;
  return `${Math.min(YEARS.from, year)}:${Math.max(YEARS.to, year)}`;
}

const valueOf = (typed: string): string => typedDate(typed) ?? typed;

/** All typed text comes as it is: the calendar's own reading clears what it does not understand and moves years into its range. */
const readNothing = (): Date => {
  throw new Error('read by DateInput');
};

const lastMoment = (day: string | null | undefined): Date | undefined => {
  const date = fromServer(day);
  return date ? endOfDay(date) : undefined;
};

/** The arrow opens the calendar; it does not scroll the page as well. */
function keepPlace(event: KeyboardEvent) {
  if (event.key === 'ArrowDown') event.preventDefault();
}

export function DateInput({
  id,
  value,
  onChange,
  disabled,
  invalid,
  min,
  max,
  open = false,
  'aria-describedby': described,
  ...aria
}: Props) {
  /** The text as it is being typed. */
  const [typed, setTyped] = useState<string | null>(null);
  const [shown, setShown] = useState(0);
  const [isDrawn, draw] = useReducer(() => true, false);
  const calendar = useRef<Calendar>(null);
  const isByKey = useRef(false);
  const note = useId();
  const date = useMemo(() => fromServer(value), [value]);
  const typing = typed !== null && valueOf(typed) === value;
  // The form that was told of it says so itself.
  const isWrong = !typing && value !== null && date === null && !invalid;

  // The calendar stands in the page one drawing after its field: opened with it, it would never tell that it is open.
  useEffect(() => {
    if (open) draw();
  }, [open]);
  useEffect(() => {
    if (isDrawn) calendar.current?.show();
  }, [isDrawn]);
  // The calendar draws its days anew once it has opened, and would leave the focus nowhere.
  useEffect(() => {
    if (shown > 0) calendar.current?.getOverlay()?.querySelector<HTMLElement>('td [tabindex="0"]')?.focus();
  }, [shown]);

  /** A calendar that closes on a choice would leave the focus nowhere. Who chose by hand is spared the keyboard of a touch screen. */
  function returnFocus() {
    const own = calendar.current?.getOverlay();
    const { activeElement, body } = document;
    // Another one has opened meanwhile and is drawing its days.
    if ([...document.querySelectorAll('.p-datepicker')].some((panel) => panel !== own)) return;
    if (activeElement !== body && !own?.contains(activeElement)) return;
    calendar.current
      ?.getElement()
      ?.querySelector<HTMLElement>(isByKey.current ? 'input' : 'button')
      ?.focus({ preventScroll: true });
  }

  function change(next: unknown) {
    const text = typeof next === 'string' && next.trim() !== '' ? next : null;
    setTyped(text);
    onChange(text === null ? toServerDate(next instanceof Date ? next : null) : valueOf(text));
  }

  return (
    <>
      <Calendar
        ref={calendar}
        inputId={id}
        value={typing ? (typed as unknown as Date) : (date ?? (value as unknown as Date))}
        onChange={(event) => change(event.value)}
        onBlur={() => afterPress(() => setTyped(null))}
        keepInvalid
        parseDateTime={readNothing}
        dateFormat="dd.mm.yy."
        locale="sr-Latn"
        placeholder={t.common.datePattern}
        showIcon
        // Who types a date stays in the field; the calendar opens by its button or the down arrow.
        showOnFocus={false}
        onShow={() => setShown(shown + 1)}
        onHide={returnFocus}
        showButtonBar
        yearNavigator
        monthNavigator
        yearRange={yearsAround(date)}
        minDate={fromServer(min) ?? undefined}
        // To its last moment: else "Danas" is not offered on the last day.
        maxDate={lastMoment(max)}
        disabled={disabled}
        invalid={invalid || isWrong}
        pt={{
          input: {
            root: {
              ...aria,
              inputMode: 'numeric',
              'aria-invalid': invalid || isWrong,
              'aria-describedby': isWrong ? note : described,
              onKeyDown: keepPlace,
            },
          },
          panel: { onKeyDown: () => (isByKey.current = true), onPointerDown: () => (isByKey.current = false) },
        }}
      />
      {isWrong && (
        <small id={note} className={style.error} role="alert">
          {t.common.wrongDate}
        </small>
      )}
    </>
  );
}
