// Numbers as people type them, never guessed. The server reads them the same way: `domain/src/typed.rs`.
import { plainNumber } from '../format';
import { t } from '../messages';

/** What a text such as `2.108` may mean: 2108 as the site writes it, or 2,108 with a decimal point. */
export interface Readings {
  typed: string;
  grouped: number;
  decimal: number;
}

const clean = (typed: string): string => typed.trim().replace('−', '-');

/** The number with these digits; null where a number of the browser would say others. */
function exact(sign: string, whole: string, fraction: string): number | null {
  if ((whole === '' && fraction === '') || !/^\d*$/.test(whole + fraction)) return null;
  const [before, after] = [whole.replace(/^0+/, '') || '0', fraction.replace(/0+$/, '')];
  const number = Number(after === '' ? before : `${before}.${after}`);
  if (plainNumber(number) !== (after === '' ? before : `${before},${after}`)) return null;
  return sign === '-' && number !== 0 ? -number : number;
}

/** Both readings of a text with one point before three digits; null of any other text. */
export function readings(typed: string): Readings | null {
  const [, sign = '', before, after = ''] = /^([+-]?)([1-9]\d{0,2})\.(\d{3})$/.exec(clean(typed)) ?? [];
  if (before === undefined) return null;
  const [grouped, decimal] = [exact(sign, before + after, ''), exact(sign, before, after)];
  return grouped === null || decimal === null ? null : { typed: typed.trim(), grouped, decimal };
}

function read(text: string): number | null {
  const [, sign = '', digits = ''] = /^([+-]?)(.*)$/s.exec(text) ?? [];
  const comma = digits.indexOf(',');
  const [whole, fraction] = comma === -1 ? [digits, null] : [digits.slice(0, comma), digits.slice(comma + 1)];
  if (!whole.includes('.')) return exact(sign, whole, fraction ?? '');
  if (/^[1-9]\d{0,2}(\.\d{3})+$/.test(whole)) return exact(sign, whole.replaceAll('.', ''), fraction ?? '');
  const point = whole.indexOf('.');
  return fraction === null ? exact(sign, whole.slice(0, point), whole.slice(point + 1)) : null;
}

/** `7,5`, `7.5`, `2108` and `2.108,00` are numbers; what is none, or may be two, stays as it was typed, and whoever takes it says so. */
export function typedNumber(typed: string): number | string | null {
  if (typed.trim() === '') return null;
  return readings(typed) ? typed : (read(clean(typed)) ?? typed);
}

/** Both readings in digits, without points between thousands. */
export const choices = ({ typed }: Readings): [grouped: string, decimal: string] => [typed.replace('.', ''), typed.replace('.', ',')];

/** Why a text is not taken for a number: by the name of what it is typed into. */
export function misreading(name: string, typed: string): string {
  const both = readings(typed);
  return both ? t.common.ambiguousNumber(name, both.typed, ...choices(both)) : t.common.notNumber(name);
}
