// Ctrl+S (⌘S) saves what is on the screen instead of offering the page's file.
import { useEffect, useRef } from 'react';

const isOpen = (selector: string) => document.querySelector(selector) !== null;

/** `enabled`: whether a save makes sense now. The browser's own dialog stays away either way. */
export function useSaveKey(save: () => void, enabled: boolean): void {
  const latest = useRef({ save, enabled });
  useEffect(() => {
    latest.current = { save, enabled };
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey || event.key.toLowerCase() !== 's') return;
      event.preventDefault();
      // A question on the screen is answered first.
      if (latest.current.enabled && !isOpen('[role=dialog], [role=alertdialog]')) latest.current.save();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
}
