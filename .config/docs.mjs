// Names what documents lead to and is not there: files that a link or a path in backticks names, headings that a link names. A decision is one
// page of three headings: the decision, the reason, the price. Its title stands once in the index by subject.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

const INDEX = 'docs/decisions/README.md';
const pages = ['README.md', 'CHANGELOG.md', ...readdirSync('docs', { recursive: true }).filter((file) => file.endsWith('.md')).map((file) => join('docs', file))];
const text = (page) => readFileSync(page, 'utf8').replaceAll(/^```.*?^```/gms, '');
const anchors = (page) =>
  [...text(page).matchAll(/^#+ (.*)$/gm)].map(([, heading]) => heading.toLowerCase().replaceAll(/[^\p{L}\p{N} _-]/gu, '').replaceAll(' ', '-'));

let found = 0;
const tell = (page, words) => {
  console.error(`${page}: ${words}`);
  found += 1;
};

for (const page of pages) {
  for (const [, link] of text(page).matchAll(/\]\(([^)\s]+)\)/g)) {
    if (/^\w+:/.test(link)) continue;
    const [path, heading] = link.split('#');
    const file = path === '' ? page : join(dirname(page), path);
    if (!existsSync(file)) tell(page, `${link} is not there`);
    else if (heading && !anchors(file).includes(heading)) tell(page, `${link}: no such heading`);
  }
  for (const [, path] of text(page).matchAll(/`((?:api|domain|report-engine|scheduler|web|migrations|templates|docs|\.config)\/[\w./-]+)`/g)) {
    if (!existsSync(path)) tell(page, `${path} is not there`);
  }
  if (!page.startsWith('docs/decisions/') || page === INDEX) continue;
  const [title] = text(page).split('\n', 1);
  const row = `- [${basename(page).slice(0, 4)}](${basename(page)}) ${title.replace('# ', '')}`;
  if (text(INDEX).split('\n').filter((line) => line === row).length !== 1) tell(INDEX, `its subject lacks the line „${row}”`);
  const headings = [...text(page).matchAll(/^\*\*(\w+)\.\*\*/gm)].map(([, heading]) => heading).join(', ');
  if (headings !== 'Decision, Why, Price') tell(page, `its headings are ${headings || 'none'}, not Decision, Why, Price`);
}
process.exitCode = found > 0 ? 1 : 0;
