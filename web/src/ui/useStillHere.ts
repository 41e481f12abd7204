// Who sends something and goes elsewhere before the answer comes is told how it ended, and not brought back.
import { useLayoutEffect, useRef } from 'react';
import { useLocation, useNavigation } from 'react-router';

/** Whether somebody is where they were when this was drawn: neither elsewhere nor on the way there, while a screen's code comes. */
export function useStillHere(): () => boolean {
  const { key } = useLocation();
  const { state } = useNavigation();
  const standing = useRef<string | null>(null);
  useLayoutEffect(() => {
    standing.current = state === 'idle' ? key : null;
    return () => {
      standing.current = null;
    };
  }, [key, state]);
  return () => standing.current === key;
}
