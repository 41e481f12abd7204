// The text of a number in its box: while somebody is in it as it is typed, without points between thousands; else as it is shown everywhere.
import { useRef, useState, type ChangeEvent, type KeyboardEvent, type RefObject } from 'react';
import { formatNumber, plainNumber } from '../format';
import { afterPress } from './press';
import { readings, typedNumber, type Readings } from './typedNumber';

export type Typed = number | string | null;

interface NumberText {
  /** Both readings of what stands in the box, while it has two. */
  both: Readings | null;
  choose: (number: number) => void;
  /** Whether somebody is typing in it. */
  typing: boolean;
  box: {
    ref: RefObject<HTMLInputElement | null>;
    value: string;
    onChange: (event: ChangeEvent<HTMLInputElement>) => void;
    onFocus: () => void;
    onBlur: () => void;
    onKeyDown: (event: KeyboardEvent<HTMLInputElement>) => void;
  };
}

/** `year`: a number whose thousands are not parted. */
export function useNumberText(value: Typed, onChange: (value: Typed) => void, year = false): NumberText {
  /** The text as it is being typed. */
  const [typed, setTyped] = useState<string | null>(null);
  const [within, setWithin] = useState(false);
  const ref = useRef<HTMLInputElement>(null);
  // Somebody else may have changed it: a draft, a merge, a saved value.
  const own = typed !== null && typedNumber(typed) === value ? typed : null;
  const shown = typeof value === 'number' ? (within || year ? plainNumber(value) : formatNumber(value)) : (value ?? '');
  const both = typeof value === 'string' ? readings(value) : null;

  function choose(number: number) {
    setTyped(plainNumber(number));
    onChange(number);
    ref.current?.focus();
  }

  return {
    both,
    choose,
    typing: within,
    box: {
      ref,
      value: own ?? shown,
      onChange: ({ target }) => {
        setTyped(target.value);
        setWithin(true);
        onChange(typedNumber(target.value));
      },
      onFocus: () => setWithin(true),
      onBlur: () =>
        afterPress(() => {
          setTyped(null);
          setWithin(false);
        }),
      onKeyDown: (event) => {
        const number = both && { ArrowUp: both.grouped, ArrowDown: both.decimal }[event.key];
        if (typeof number !== 'number') return;
        event.preventDefault();
        choose(number);
      },
    },
  };
}
