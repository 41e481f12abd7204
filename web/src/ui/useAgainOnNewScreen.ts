// Asks something again as the worker goes from screen to screen, and never by the clock: that would keep an abandoned session alive.
import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router';

/** How often it is asked again at most. */
const EVERY_MS = 60_000;

export function useAgainOnNewScreen(ask: () => unknown): void {
  const { pathname } = useLocation();
  const asked = useRef<number | null>(null);
  useEffect(() => {
    const now = Date.now();
    if (asked.current !== null && now - asked.current < EVERY_MS) return;
    if (asked.current !== null) ask();
    asked.current = now;
  }, [pathname, ask]);
}
