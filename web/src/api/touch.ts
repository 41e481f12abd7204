// When somebody last touched a key, the mouse or the screen, in any tab of this browser.

const KEY = 'regix.poslednjiDodir';
/** Other tabs are told at most this often. */
const TELL_EVERY = 1_000;
/** A call is by a person where one has touched something within this time. */
const OF_A_PERSON = 60_000;

let last = Date.now();
let told = 0;

function touched(): void {
  last = Date.now();
  if (last - told < TELL_EVERY) return;
  told = last;
  localStorage.setItem(KEY, String(last));
}
for (const event of ['keydown', 'pointerdown', 'pointermove', 'wheel', 'touchstart']) {
  window.addEventListener(event, touched, { capture: true, passive: true });
}

/** Milliseconds. */
export const idleFor = (): number => Date.now() - Math.max(last, Number(localStorage.getItem(KEY) ?? 0));

export const isUntouched = (): boolean => idleFor() > OF_A_PERSON;
