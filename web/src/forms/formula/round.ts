/**
 * Rounding by decimal digits, half away from zero, as `domain/src/formula/round.rs` does and explains: the digits of the
 * shortest decimal that names the double, cut to 15 significant ones, then to the wanted places.
 */

/** Decimal places of a calculated field. */
export const PLACES = 2;

const SIGNIFICANT = 15;

/** A positive decimal: 0.d₁d₂d₃… × 10^point. */
interface Decimal {
  digits: string;
  point: number;
}

/** `number` with at most `places` decimals, a tie away from zero. Infinite stays infinite; there is no negative zero. */
export function halfAway(number: number, places: number): number {
  if (!Number.isFinite(number) || number === 0) return number + 0;
  return valued(number, rounded(number, places));
}

/** Two decimals; infinity is 0, as the specification has it. */
export function shownNumber(number: number): number {
  return Number.isFinite(number) ? halfAway(number, PLACES) : 0;
}

/** `halfAway` as plain decimal text: no exponent, no zeros at the end. */
export function decimalText(number: number, places: number): string {
  const { digits, point } = rounded(number, places);
  if (digits === '') return '0';
  const plain =
    point <= 0
      ? `0.${'0'.repeat(-point)}${digits}`
      : point < digits.length
        ? `${digits.slice(0, point)}.${digits.slice(point)}`
        : digits + '0'.repeat(point - digits.length);
  return number < 0 ? `-${plain}` : plain;
}

/** `number` with the digits that mean something: what comparisons see. */
export function clean(number: number): number {
  return isWhole(number) ? number : valued(number, cut(shortest(number), SIGNIFICANT));
}

/** `a + b` without the digits that lie beyond the fifteenth of the larger one: 1000.4 - 999.2 is 1.2, not 1.19999999999993. */
export function add(a: number, b: number): number {
  const sum = a + b;
  if (isWhole(sum)) return sum;
  const exact = shortest(sum);
  const { point } = shortest(Math.abs(a) > Math.abs(b) ? a : b);
  return valued(sum, cut(exact, exact.point + SIGNIFICANT - Math.max(point, exact.point)));
}

/** What `a` leaves over whole times `b`, with the sign of `a`; nothing where the times are whole on paper: 0.3 % 0.1 is 0. */
export function remainder(a: number, b: number): number {
  const [x, y] = [clean(a), clean(b)];
  const times = clean(x / y);
  return Number.isInteger(times) && Math.abs(times) < MOST_TIMES ? 0 : x % y;
}

/** Above so many times fifteen digits do not tell whether they are whole. */
const MOST_TIMES = 1e9;

/** A whole number that a double holds exactly, and what is no number of digits at all. */
const isWhole = (number: number): boolean => !Number.isFinite(number) || (Number.isInteger(number) && Math.abs(number) < 1e15);

function valued(like: number, { digits, point }: Decimal): number {
  const size = Number(`0.${digits || '0'}e${point}`);
  return like < 0 && size !== 0 ? -size : size;
}

function rounded(number: number, places: number): Decimal {
  const clean = cut(shortest(number), SIGNIFICANT);
  return cut(clean, clean.point + places);
}

function shortest(number: number): Decimal {
  const [digits = '', exponent = ''] = Math.abs(number).toExponential().split('e');
  return { digits: digits.replace('.', ''), point: Number(exponent) + 1 };
}

/** Keeps the first `kept` digits, a five after them rounds up; zeros at the end are dropped. */
function cut({ digits, point }: Decimal, kept: number): Decimal {
  const up = kept >= 0 && kept < digits.length && digits.charAt(kept) >= '5';
  const head = digits.slice(0, Math.max(kept, 0));
  if (!up) return { digits: head.replace(/0+$/, ''), point };
  const base = head.replace(/9+$/, '');
  if (base === '') return { digits: '1', point: point + 1 };
  return { digits: base.slice(0, -1) + String(Number(base.slice(-1)) + 1), point };
}
