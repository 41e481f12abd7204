// Items of a set pasted from a sheet: a line for each, the name and, where there is one, its number in another column, in either order.
import type { Reply } from '../../../schema';
import { readings } from '../../../ui/typedNumber';
import { blankItem } from './model';

interface Line {
  naziv: string;
  broj: number | null;
}

function numberIn(typed: string): number | null {
  const cell = typed.replace('−', '-');
  if (!/^[-+]?\d+(?:[.,]\d+)?$/.test(cell)) return null;
  const both = readings(cell);
  return both ? null : Number(cell.replace(',', '.'));
}

/** Lines of a sheet; blank ones are none. */
export function linesOf(pasted: string): Line[] {
  return pasted
    .split(/\r?\n/)
    .map((line) => line.split(/\t|;/).map((cell) => cell.trim()))
    .filter((cells) => cells.some((cell) => cell !== ''))
    .map(([first = '', second = '']) => {
      const [one, other] = [numberIn(first), numberIn(second)];
      if (other !== null) return { naziv: first, broj: other };
      return one !== null && second !== '' ? { naziv: second, broj: one } : { naziv: first, broj: null };
    });
}

export const nextNumber = (items: readonly Reply<'DraftItem'>[]): number =>
  Math.max(0, ...items.map(({ numVrednost }) => Math.floor(numVrednost ?? 0))) + 1;

/** The items of a type with the pasted ones, whose ids begin at `fresh`: a name that is there gets the pasted number; a new one without a number has no weight. */
export function pasted(items: readonly Reply<'DraftItem'>[], type: number, text: string, fresh: number): Reply<'DraftItem'>[] {
  let all = [...items];
  let id = fresh;
  for (const { naziv, broj } of linesOf(text)) {
    const known = all.find((item) => item.naziv.toLocaleLowerCase('sr') === naziv.toLocaleLowerCase('sr'));
    if (known) {
      all = all.map((item) => (item === known && broj !== null ? { ...item, numVrednost: broj, bezTezine: false } : item));
      continue;
    }
    all.push({ ...blankItem(id, type, naziv, broj), bezTezine: broj === null });
    id -= 1;
  }
  return all;
}
