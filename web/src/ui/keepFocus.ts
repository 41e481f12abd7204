// A button that is switched off while it works loses the focus to the page, and the next key goes nowhere. It gets it back once it
// works again, unless the focus went elsewhere meanwhile.

let last: HTMLElement | null = null;
let waiting: HTMLElement | null = null;

export function keepFocusOfBusyButtons(page: Document = document): () => void {
  const remember = ({ target }: FocusEvent) => {
    last = target instanceof HTMLElement ? target : null;
    waiting = null;
  };
  const forget = () => {
    last = waiting = null;
  };
  const observer = new MutationObserver((changes) => {
    for (const { target } of changes) {
      if (!(target instanceof HTMLButtonElement)) continue;
      if (target.disabled && target === last) waiting = target;
      const isNowhere = page.activeElement === null || page.activeElement === page.body;
      if (!target.disabled && target === waiting && target.isConnected) {
        waiting = null;
        if (isNowhere) target.focus({ preventScroll: true });
      }
    }
  });
  observer.observe(page.body, { subtree: true, attributes: true, attributeFilter: ['disabled'] });
  page.addEventListener('focusin', remember);
  page.addEventListener('pointerdown', forget);
  return () => {
    observer.disconnect();
    page.removeEventListener('focusin', remember);
    page.removeEventListener('pointerdown', forget);
  };
}
