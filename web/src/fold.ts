// Folding of Serbian text for matching, as the server and the database do it: š=s, č=ć=c, ž=z, đ=dj, Cyrillic as Latin.

const PAIRS: Record<string, string> = {
  đ: 'dj',
  ð: 'dj',
  ђ: 'dj',
  љ: 'lj',
  ǉ: 'lj',
  њ: 'nj',
  ǌ: 'nj',
  џ: 'dz',
  ǆ: 'dz',
};
const FROM = 'čćшсšзжžáàâäãéèêëíìîïóòôöõúùûüýñабвгдејиклмнопртуфхцчћ';
const TO = 'ccssszzzaaaaaeeeeiiiiooooouuuuynabvgdejiklmnoprtufhccc';

const LETTERS = new Map(Array.from(FROM, (letter, i) => [letter, TO.charAt(i)]));

export const fold = (text: string): string =>
  Array.from(text.normalize('NFC').toLowerCase(), (letter) => PAIRS[letter] ?? LETTERS.get(letter) ?? letter).join('');

/** Whether `text` contains what was typed, whatever the accents, the case and the script. */
export const contains = (text: unknown, typed: unknown): boolean => {
  const wanted = typeof typed === 'string' ? fold(typed.trim()) : '';
  return wanted === '' || ((typeof text === 'string' || typeof text === 'number') && fold(String(text)).includes(wanted));
};
