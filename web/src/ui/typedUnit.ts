// A number typed with its unit: `130 mg/dL`.
import { typedNumber } from './typedNumber';

const folded = (name: string): string => name.trim().toLowerCase();

/** The number and the unit, as one of these names; null of what is none. Case counts only between units that differ by it alone. */
export function withUnit(text: string, units: readonly string[]): { broj: number; jedinica: string } | null {
  const typed = text.trim();
  const exact = units.filter((name) => typed.endsWith(name.trim()));
  const found = exact.length > 0 ? exact : units.filter((name) => folded(typed).endsWith(folded(name)));
  // `5 mg/L` ends with both mg/L and L.
  const [name, next] = [...found].sort((a, b) => b.trim().length - a.trim().length);
  if (name === undefined || (exact.length === 0 && next !== undefined && folded(next) === folded(name))) return null;
  const number = typedNumber(typed.slice(0, typed.length - name.trim().length));
  return typeof number === 'number' ? { broj: number, jedinica: name } : null;
}
