// What a type that is made for a field is called: by what it is, so that who sees it in the list of types knows it.
import type { Reply } from '../../../schema';
import { formatNumber } from '../../../format';
import { ValueType } from '../../../forms/valueType';
import { t } from '../../../messages';
import type { FormDocument } from './model';

const text = t.formDesigner.typeNames;
/** So many items are named; the rest are counted. */
const NAMED = 4;
const LONGEST = 80;

type Kind = Pick<Reply<'DraftType'>, 'tipVrednostiAtributa' | 'jedinica' | 'donjaGranicaBrojneVrednosti' | 'gornjaGranicaBrojneVrednosti'>;

function bounds({ donjaGranicaBrojneVrednosti: low, gornjaGranicaBrojneVrednosti: high }: Kind): string | null {
  const [from, to] = [low ?? null, high ?? null].map((bound) => (bound === null ? null : formatNumber(bound)));
  if (from && to) return `${from}–${to}`;
  if (from) return text.from(from);
  return to ? text.to(to) : null;
}

function named(items: readonly Pick<Reply<'DraftItem'>, 'naziv'>[]): string | null {
  const names = items.map(({ naziv }) => naziv.trim()).filter((naziv) => naziv !== '');
  if (names.length === 0) return null;
  const rest = names.length - NAMED;
  return [...names.slice(0, NAMED), ...(rest > 0 ? [text.more(rest)] : [])].join(' / ');
}

/** „Broj 0–300 mmHg”, „Izbor: Da / Ne / Nepoznato”. */
export function typeName(type: Kind, items: readonly Pick<Reply<'DraftItem'>, 'naziv'>[] = []): string {
  const kind = text.kinds[type.tipVrednostiAtributa];
  const parts =
    type.tipVrednostiAtributa === ValueType.Number
      ? [kind, bounds(type), type.jedinica?.trim()].filter(Boolean).join(' ')
      : [kind, type.tipVrednostiAtributa === ValueType.Set ? named(items) : null].filter(Boolean).join(': ');
  return parts.length > LONGEST ? `${parts.slice(0, LONGEST - 1)}…` : parts;
}

const itemsOf = ({ stavke }: FormDocument, id: number) => stavke.filter(({ tipAtributaID }) => tipAtributaID === id);

/** A new type goes by what it is until somebody calls it otherwise. */
export function renamed(before: FormDocument, after: FormDocument, id: number): FormDocument {
  const [was, now] = [before, after].map(({ tipovi }) => tipovi.find((type) => type.id === id));
  if (!was || !now || id > 0 || was.naziv !== now.naziv || was.naziv !== typeName(was, itemsOf(before, id))) return after;
  const naziv = typeName(now, itemsOf(after, id));
  return naziv === now.naziv ? after : { ...after, tipovi: after.tipovi.map((type) => (type === now ? { ...now, naziv } : type)) };
}
