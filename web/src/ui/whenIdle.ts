/** Runs when the browser has nothing else to do, after this long at the latest. */
export function whenIdle(run: () => void, atLatest = 300): void {
  if ('requestIdleCallback' in window) requestIdleCallback(run, { timeout: atLatest });
  else setTimeout(run, 50);
}

/** Runs when what stands in the page has been painted. */
export const whenPainted = (run: () => void): number => requestAnimationFrame(() => setTimeout(run));
