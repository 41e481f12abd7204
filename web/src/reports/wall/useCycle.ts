// Which page is before whoever looks at a wall: the next one every twenty seconds, unless somebody is at it.
import { useEffect, useState } from 'react';

export const PAGE_TIME = 20_000;
/** A pointer that somebody left lying on the screen stops nothing. */
const POINTER_TIME = 60_000;

interface Cycle {
  page: number;
  go: (by: number) => void;
  /** It was stopped by the button. */
  stopped: boolean;
  setStopped: (stopped: boolean) => void;
  /** For the element in which somebody may be. */
  attention: {
    onPointerMove: () => void;
    onPointerLeave: () => void;
    onFocus: (event: { target: Element }) => void;
    onBlur: () => void;
  };
}

export function useCycle(pages: number, cycles: boolean): Cycle {
  const [at, setAt] = useState(0);
  const [stopped, setStopped] = useState(false);
  const [pointed, setPointed] = useState(0);
  const [focused, setFocused] = useState(false);
  const page = pages > 0 ? at % pages : 0;
  const runs = cycles && pages > 1 && !stopped && !focused && pointed === 0;

  useEffect(() => {
    if (!runs) return;
    const timer = setTimeout(() => setAt((page + 1) % pages), PAGE_TIME);
    return () => clearTimeout(timer);
  }, [runs, page, pages]);

  useEffect(() => {
    if (pointed === 0) return;
    const timer = setTimeout(() => setPointed(0), POINTER_TIME);
    return () => clearTimeout(timer);
  }, [pointed]);

  return {
    page,
    go: (by) => setAt((page + by + pages) % pages),
    stopped,
    setStopped,
    attention: {
      onPointerMove: () => setPointed((known) => known + 1),
      onPointerLeave: () => setPointed(0),
      // A button that was pressed by the mouse keeps the focus, and nobody is there any more.
      onFocus: ({ target }) => setFocused(target.matches(':focus-visible')),
      onBlur: () => setFocused(false),
    },
  };
}
