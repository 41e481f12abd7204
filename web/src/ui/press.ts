// What is drawn while the mouse button is held moves what lies under it, and the click is lost.
let held = false;
const hold = (is: boolean) => () => {
  held = is;
};
window.addEventListener('pointerdown', hold(true), true);
for (const end of ['pointerup', 'pointercancel']) window.addEventListener(end, hold(false), true);

/** Runs at once; while the mouse button is held, after the click that it makes. */
export function afterPress(run: () => void): void {
  if (!held) return run();
  const ended = new AbortController();
  const later = () => {
    ended.abort();
    setTimeout(run);
  };
  for (const end of ['pointerup', 'pointercancel']) window.addEventListener(end, later, { signal: ended.signal });
}
