// Writes src/gen/sr-latn.json: PrimeReact's Serbian texts in Latin script. primelocale has them in Cyrillic only.
import { readFileSync } from 'node:fs';
import { generated } from './lib/write.mjs';

const LETTERS = {
  а: 'a',
  б: 'b',
  в: 'v',
  г: 'g',
  д: 'd',
  ђ: 'đ',
  е: 'e',
  ж: 'ž',
  з: 'z',
  и: 'i',
  ј: 'j',
  к: 'k',
  л: 'l',
  љ: 'lj',
  м: 'm',
  н: 'n',
  њ: 'nj',
  о: 'o',
  п: 'p',
  р: 'r',
  с: 's',
  т: 't',
  ћ: 'ć',
  у: 'u',
  ф: 'f',
  х: 'h',
  ц: 'c',
  ч: 'č',
  џ: 'dž',
  ш: 'š',
};

function latin(text) {
  return text.replace(/\p{Script=Cyrillic}/gu, (letter) => {
    const small = LETTERS[letter.toLowerCase()];
    if (!small) throw new Error(`no Latin letter for "${letter}" in "${text}"`);
    return letter === letter.toLowerCase() ? small : small[0].toUpperCase() + small.slice(1);
  });
}

/** One word for one thing: what is chosen is "izabrano". */
const chosen = (text) =>
  text
    .replace(/odabir/g, 'izbor')
    .replace(/([Oo])daber/g, (_, o) => (o === 'O' ? 'Izaber' : 'izaber'))
    .replace(/([Oo])dabra/g, (_, o) => (o === 'O' ? 'Izabra' : 'izabra'));

function through(value) {
  if (typeof value === 'string') return chosen(latin(value));
  if (Array.isArray(value)) return value.map(through);
  if (value && typeof value === 'object') return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, through(v)]));
  return value;
}

const read = (file, key) => JSON.parse(readFileSync(`node_modules/primelocale/${file}.json`, 'utf8'))[key];
const english = read('en', 'en');
// What the original leaves in English, leaves out or says clumsily.
const better = {
  firstDayOfWeek: 1,
  dateFormat: 'dd.mm.yy.',
  emptyMessage: 'Nema podataka',
  emptyFilterMessage: 'Nema rezultata',
  emptySearchMessage: 'Nema rezultata',
  selectionMessage: 'Izabrano: {0}',
};
const betterAria = {
  moveAllToSource: 'Vrati sve',
  moveAllToTarget: 'Dodaj sve',
  moveToSource: 'Vrati izabrano',
  moveToTarget: 'Dodaj izabrano',
  moveTop: 'Pomeri na vrh',
  moveBottom: 'Pomeri na dno',
  moveUp: 'Pomeri gore',
  moveDown: 'Pomeri dole',
  scrollTop: 'Na vrh strane', // The paginator names its rows-per-page box by this key.
  jumpToPageDropdownLabel: 'Redova po strani',
  jumpToPageInputLabel: 'Idi na stranu',
};
const original = through(read('sr-RS', 'sr-RS'));
const locale = { ...original, ...better, aria: { ...original.aria, ...betterAria } };
const missing = Object.keys(english).filter((key) => !(key in locale));
const missingAria = Object.keys(english.aria).filter((key) => !(key in locale.aria));
if (missing.length + missingAria.length) throw new Error(`missing texts: ${[...missing, ...missingAria].join(', ')}`);
generated('src/gen/sr-latn.json', JSON.stringify(locale, null, 2) + '\n');
