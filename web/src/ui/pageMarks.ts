// What stands on the page, said to the whole document: a `:has()` that looks for it would be asked again at every keystroke, and goes
// through all of a long form each time.
import { useLayoutEffect } from 'react';

let loading = 0;

/** `:root[data-loading]` while something that is being loaded stands on the page. */
export function useLoadingMark(): void {
  useLayoutEffect(() => {
    const { dataset } = document.documentElement;
    loading += 1;
    dataset.loading = '';
    return () => {
      loading -= 1;
      if (loading === 0) delete dataset.loading;
    };
  }, []);
}

/** `:root[data-dialog]` while a dialog is open: each stands in the body itself. To be called once. */
export function markDialogs(page: Document = document): () => void {
  const mark = () => page.documentElement.toggleAttribute('data-dialog', page.body.querySelector(':scope > .p-dialog-mask') !== null);
  const observer = new MutationObserver(mark);
  observer.observe(page.body, { childList: true });
  mark();
  return () => observer.disconnect();
}
