// What a formula that is being typed may go on with: fields by their codes, and the language's functions.
import type { Schema } from '../../../schema';
import type { FormFieldRow } from '../../../api/types';
import { fold } from '../../../fold';
import { ValueType, hasValue } from '../../../forms/valueType';
import { t } from '../../../messages';

const text = t.formulaHelp;

/** A field as a formula may name it; a section that repeats has rows to count. */
export type Nameable = Pick<FormFieldRow, 'sifra' | 'naziv' | 'ponavljaSe'> & { tipVrednostiAtributaNumVrednost?: Schema<'ValueType'> };

/** The part of a formula that the caret stands at the end of, and what may stand in its place. */
export interface Typing {
  /** In UTF-16 units, as of a text box. */
  from: number;
  to: number;
  /** `$(`, `$!(`, or a bare word. */
  of: 'field' | 'item' | 'word';
  typed: string;
}

export interface Suggestion {
  /** What it is inserted as. */
  insert: string;
  /** Where the caret goes, from the beginning of what is inserted. */
  caret: number;
  label: string;
  told: string;
}

/** Words of the language that are complete as they stand. */
const OPERATORS = new Set(['and', 'or', 'not', 'ili', 'ne', 'true', 'false', 'null']);
/** A bare word shorter than this says too little. */
const LEAST_TYPED = 2;
/** More are told of by their number. */
export const MOST_SHOWN = 50;

/** Whether the text ends inside quotes. */
function isQuoted(before: string): boolean {
  let quote: string | null = null;
  for (let at = 0; at < before.length; at++) {
    const letter = before.charAt(at);
    if (quote === null) quote = letter === '"' || letter === "'" ? letter : null;
    else if (letter === '\\') at++;
    else if (letter === quote) quote = null;
  }
  return quote !== null;
}

const count = (text: string, letter: string): number => text.split(letter).length - 1;

/** What is typed before the caret; null where nothing can be offered. `asked`: the person asks for it, so that less is enough. */
export function typingAt(formula: string, caret: number, asked = false): Typing | null {
  const before = formula.slice(0, caret);
  if (isQuoted(before)) return null;
  const opened = /\$(!?)(?:\(\s*([\p{L}\p{N}_. ]*))?$/u.exec(before);
  if (opened) {
    // A bracket behind the caret is this field's own only where none around it would lack it.
    const own = count(formula, '(') <= count(formula, ')') ? /^[A-Za-z0-9_.]*\s*\)?/ : /^[A-Za-z0-9_.]*/;
    const rest = opened[2] === undefined ? null : own.exec(formula.slice(caret));
    const of = opened[1] === '!' ? 'item' : 'field';
    return { from: opened.index, to: caret + (rest?.[0].length ?? 0), of, typed: opened[2] ?? '' };
  }
  const word = /(?<![\p{L}\p{N}_.])[\p{L}_][\p{L}\p{N}_.]*$/u.exec(before);
  if (!word) return asked ? { from: caret, to: caret, of: 'word', typed: '' } : null;
  if (!asked && (word[0].length < LEAST_TYPED || OPERATORS.has(word[0].toLowerCase()))) return null;
  return { from: word.index, to: caret, of: 'word', typed: word[0] };
}

/** How well a name fits what is typed: less is better, null is not at all. */
function fit(typed: string, code: string, name: string): number | null {
  if (typed === '') return 3;
  const [wanted, of, named] = [fold(typed.trim()), fold(code), fold(name)];
  if (of === wanted) return -2;
  if (of.startsWith(wanted)) return 0;
  if (named.startsWith(wanted)) return 1;
  const words = wanted.split(/\s+/);
  if (words.every((word) => named.split(/[^\p{L}\p{N}]+/u).some((part) => part.startsWith(word)))) return 2;
  return of.includes(wanted) || named.includes(wanted) ? 3 : null;
}

function ofField({ sifra, naziv, ponavljaSe }: Nameable, sign: '' | '!'): Suggestion {
  const insert = `$${sign}(${sifra ?? ''})`;
  const what = ponavljaSe ? text.section : sign === '!' ? text.itemNumber : null;
  return { insert, caret: insert.length, label: insert, told: what === null ? naziv : `${naziv} – ${what}` };
}

function ofFunction({ name, values, told }: (typeof text.functions)[number]): Suggestion {
  if (values === null) return { insert: name, caret: name.length, label: name, told };
  const insert = `${name}()`;
  return { insert, caret: values === '' ? insert.length : insert.length - 1, label: `${name}(${values})`, told };
}

/** All that fits, the likeliest first. */
export function suggestions({ of, typed }: Typing, fields: readonly Nameable[]): Suggestion[] {
  const nameable = fields.filter(
    ({ sifra, tipVrednostiAtributaNumVrednost: kind, ponavljaSe }) => sifra && kind !== undefined && (hasValue(kind) || ponavljaSe),
  );
  const found: { rank: number; one: Suggestion }[] = [];
  const add = (rank: number | null, one: Suggestion) => rank !== null && found.push({ rank, one });
  for (const field of nameable) {
    if (of === 'item' && field.tipVrednostiAtributaNumVrednost !== ValueType.Set) continue;
    add(fit(typed, field.sifra ?? '', field.naziv), ofField(field, of === 'item' ? '!' : ''));
  }
  if (of === 'word') {
    for (const one of text.functions) {
      const name = one.name.toLowerCase();
      const parts = [name, ...name.split(/[._]/)];
      if (parts.some((part) => part.startsWith(typed.toLowerCase()))) add(typed === '' ? 4 : -1, ofFunction(one));
    }
  }
  return found.sort((a, b) => a.rank - b.rank).map(({ one }) => one);
}

/** The formula with a suggestion in place of what was typed, and where the caret stands then. */
export function completed(formula: string, { from, to }: Typing, { insert, caret }: Suggestion): { formula: string; caret: number } {
  // Brackets that already stand there stay the only ones.
  const bare = insert.endsWith('()') && formula.charAt(to) === '(' ? insert.slice(0, -2) : insert;
  const place = bare === insert ? caret : bare.length + 1;
  return { formula: formula.slice(0, from) + bare + formula.slice(to), caret: from + place };
}

/** A formula around the place of a fault; places count characters from one. */
export function around(formula: string, place: number, reach = 24): { before: string; at: string; after: string } {
  const letters = Array.from(formula);
  const at = Math.max(0, Math.min(place - 1, letters.length));
  const from = Math.max(0, at - reach);
  const to = Math.min(letters.length, at + 1 + reach);
  return {
    before: (from > 0 ? '…' : '') + letters.slice(from, at).join(''),
    at: letters[at] ?? ' ',
    after: letters.slice(at + 1, to).join('') + (to < letters.length ? '…' : ''),
  };
}
