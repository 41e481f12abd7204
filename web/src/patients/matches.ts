// Which entry and which value a criterion found, in words: the same on the screen and in every exported file.
import { t } from '../messages';
import { markText } from '../marks';
import type { SearchField, SearchMatch, SearchRow } from './types';
import { valueText } from './values';

const text = t.patients.search;

/** The field of the search as a value's text wants it: what was entered in another unit is said in that one. */
const shownAs = ({ tipVrednosti, jedinica, stavke }: SearchField, mark: SearchMatch['zastareo']) => ({
  tvaNumVrednost: tipVrednosti,
  enumStavkeSve: stavke,
  tipAtributa: { jedinica: mark?.razlog === 'jedinica' ? (mark.jedinica ?? null) : jedinica },
});

/** The item and its value. */
export function found({ poljeID, unosID, vrednost, zastareo }: SearchMatch, fields: readonly SearchField[]): string {
  const field = fields.find(({ id }) => id === poljeID);
  if (!field) return '';
  // A field in the rows of a section has a value in each of them: it is named alone.
  return unosID !== null && vrednost === null ? field.naziv : `${field.naziv}: ${valueText(shownAs(field, zastareo), vrednost)}`;
}

/** The date of the entry, or that none is so. */
export const foundIn = ({ unosID, unosDatum }: SearchMatch): string => (unosID === null ? text.noEntryHolds : (unosDatum ?? ''));

/** The entry of one's own that was asked for, but for its day. */
export const ownEntryText = ({ formular, stanje, ukupno }: NonNullable<SearchRow['unos']>): string =>
  text.ownEntry(formular, t.entryStates.states[stanje], ukupno - 1);

/** All that made a patient a hit. */
export function hitText({ pogodak, unos }: Pick<SearchRow, 'pogodak' | 'unos'>, fields: readonly SearchField[]): string {
  const entry = unos ? [`${unos.unosDatum} ${ownEntryText(unos)}`] : [];
  return [...entry, matchesText(pogodak, fields)].filter(Boolean).join('; ');
}

const matchesText = (matches: readonly SearchMatch[], fields: readonly SearchField[]): string =>
  matches.map((match) => `${foundIn(match)} ${found(match, fields)}${match.zastareo ? ` (${markText(match.zastareo)})` : ''}`).join('; ');
