// Holds the texts that people read to docs/glossary.md, *One word for one thing*: a word that is not used there stands in no message of the
// site, no text of the server, no mail, no report and no guide. Run by `./dev check`.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { sources } from './crates.mjs';

const GLOSSARY = 'docs/glossary.md';
const SECTION = '## One word for one thing';

/** A stem as it stands in the glossary: at the beginning of a word, in any case; `*` is the rest of a word. */
function pattern(stem) {
  const parts = stem.split('*').map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&'));
  const before = stem.startsWith('*') ? '' : '(?<![\\p{L}\\p{N}_-])';
  return new RegExp(`${before}${parts.join('\\p{L}*')}`, 'giu');
}

const [, section = ''] = readFileSync(GLOSSARY, 'utf8').split(SECTION);
const rows = [...section.split(/^## /m, 1)[0].matchAll(/^\| ([^|]+) \| ([^|]+) \| ([^|]+) \|$/gm)].slice(1);
const avoided = rows.flatMap(([, word, , unused]) =>
  [...unused.matchAll(/`([^`]+)`/g)].map(([, stem]) => ({ stem, word: word.trim(), found: pattern(stem) })),
);
// Within a sentence those who are spoken to are written small, as everybody.
avoided.push({ stem: 'Vi', word: 'vi', found: /(?<=[\p{Ll},;:] )(?:Vi|Vas|Vam|Vama|Vaš\p{L}*)(?!\p{L})/gu });

/** Blanks out what a pattern finds, so that places stay. */
const without = (text, found) => text.replaceAll(found, (all) => all.replaceAll(/[^\n]/g, ' '));

/** The literals of a text, each with its place. */
const literals = (text, found) => [...text.matchAll(found)].map((one) => ({ text: one[0], at: one.index }));

const READ = {
  '.ts': (text) => {
    const code = without(without(text, /\/\*[^]*?\*\//g), /^\s*\/\/.*$/gm);
    const found = literals(code, /'(?:[^'\\\n]|\\.)*'(?!\??:)|"(?:[^"\\\n]|\\.)*"(?!\??:)|`(?:[^`\\]|\\.)*`/g);
    return found.map((one) => ({ ...one, text: without(one.text, /\$\{(?:[^{}]|\{[^{}]*\})*\}/g) }));
  },
  '.rs': (text) => {
    const [own] = text.split(/^#\[cfg\(test\)\]/m, 1);
    const bare = without(without(own, /\br(#+)"[^]*?"\1|\br"[^"]*"/g), /^\s*\/\/.*$/gm).replaceAll(/'\\?"'/g, (all) => ' '.repeat(all.length));
    // Names of columns and keys are one word; what people read is more, or begins with a capital.
    const read = literals(bare, /"(?:[^"\\]|\\[^])*"/g);
    return read.filter((one) => /^"\p{Lu}|\s/u.test(one.text) && !/\b(?:select|insert into|update|delete from) /.test(one.text));
  },
  '.sql': (text) => literals(text, /^comment on .*$/gm).map((one) => ({ ...one, text: one.text.slice(one.text.indexOf("'")).padStart(one.text.length) })),
  '.hbs': (text) => [{ text: text.replaceAll(/\{\{[^}]*\}\}/g, (call) => without(call, /[^"]+(?=(?:[^"]*"[^"]*")*[^"]*$)/g)), at: 0 }],
  '.md': (text) => [{ text, at: 0 }],
};

const PLACES = [
  ['web/src/messages', '.ts'],
  ...sources.map((folder) => [folder, '.rs']),
  ['migrations/functions', '.sql'],
  ['templates', '.hbs'],
  ['docs/vodic', '.md'],
];

let faults = 0;
for (const [folder, ending] of PLACES) {
  const files = readdirSync(folder, { recursive: true }).filter((file) => file.endsWith(ending));
  for (const file of files) {
    const path = join(folder, file);
    const text = readFileSync(path, 'utf8');
    for (const piece of READ[ending](text)) {
      for (const { stem, word, found } of avoided) {
        for (const hit of piece.text.matchAll(found)) {
          const line = text.slice(0, piece.at + hit.index).split('\n').length;
          console.error(`${path}:${line}: „${hit[0]}”: ${GLOSSARY} says „${word}”, not „${stem}”`);
          faults += 1;
        }
      }
    }
  }
}
if (avoided.length < 10) {
  console.error(`${GLOSSARY}: „${SECTION}” names no words`);
  faults += 1;
}
process.exitCode = faults > 0 ? 1 : 0;
