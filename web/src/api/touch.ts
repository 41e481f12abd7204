// When somebody last touched a key, the mouse or the screen, in any tab of this browser.

const KEY = 'regix.poslednjiDodir';
/** Other tabs are told at most this often. */
const TELL_EVERY = 1_000;
/** A call is by a person where one has touched something within this time. */
const OF_A_PERSON = 60_000;

/** A page that is opened has been left alone since somebody last touched another one, or this one before. */
let last = Number(localStorage.getItem(KEY) ?? Date.now());
let told = 0;
let rest = 0;

function touched(): void {
  rest = restedFor();
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

/** The longest time without a touch, also where one has ended it meanwhile: who touches a page that was left alone is anybody. */
export const restedFor = (): number => Math.max(rest, idleFor());

/** What has been drawn from it: the screen is locked, and goes on when the password is given. */
export function forgetRest(): void {
  rest = 0;
  last = Date.now();
}

export const isUntouched = (): boolean => idleFor() > OF_A_PERSON;
