// JMBG, the personal number: DDMMYYY RR BBB K, with a check digit modulo 11.
import { t } from '../messages';

export interface Jmbg {
  datumRodjenja: string;
  /** True for a man: serials 000-499. */
  pol: boolean;
}

const WEIGHTS = [7, 6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2];

function birthDate(text: string): string | null {
  const short = Number(text.slice(4, 7));
  const [year, month, day] = [short >= 800 ? 1000 + short : 2000 + short, Number(text.slice(2, 4)), Number(text.slice(0, 2))];
  const date = new Date(Date.UTC(year, month - 1, day));
  // A day or month that there is none of leads into another month.
  return date.getUTCMonth() === month - 1 ? date.toISOString().slice(0, 10) : null;
}

/** A JMBG or LBO as people type and paste it, without the spaces, dots and dashes between its digits. */
export const bareNumber = (text: string): string => text.replace(/[\s.\u2010-\u2015-]/g, '');

/** What the number says, or why it is none. */
export function readJmbg(text: string): Jmbg | string {
  if (!/^\d{13}$/.test(text)) return t.patients.form.jmbgShape;
  const datumRodjenja = birthDate(text);
  if (!datumRodjenja) return t.patients.form.jmbgDate;
  const rest = 11 - (WEIGHTS.reduce((sum, weight, i) => sum + weight * Number(text[i]), 0) % 11);
  if (Number(text[12]) !== (rest > 9 ? 0 : rest)) return t.patients.form.jmbgCheck;
  return { datumRodjenja, pol: Number(text[9]) < 5 };
}

export const knownJmbg = (text: string | null): Jmbg | null => {
  const jmbg = readJmbg(bareNumber(text ?? ''));
  return typeof jmbg === 'string' ? null : jmbg;
};
