// Holds docs/promises.md to the tests: each promise names every door once, in one order, and each door the tests that walk it, or why there is
// none. A test is `file`: `name`; the file must have a test of that name. What is open says so and is counted.
import { existsSync, readFileSync } from 'node:fs';

const PAGE = 'docs/promises.md';
const DOORS = ['screen', 'API', 'import', 'export', 'search', 'report', 'builder', 'print', 'mail', 'history', 'FHIR', 'erasure', 'log'];
const REASON = /^(none|open): \S+(?: \S+){2,}/;

const escaped = (text) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Whether the file's text has a test of that name: a function of Rust, or the title of a test in the site's own tests. */
function hasTest(file, name) {
  if (!existsSync(file)) return false;
  const text = readFileSync(file, 'utf8');
  return file.endsWith('.rs')
    ? new RegExp(`#\\[(?:tokio::|sqlx::)?test[^\\]]*\\]\\s+(?:#\\[[^\\]]*\\]\\s+)*(?:async )?fn ${escaped(name)}\\(`).test(text)
    : new RegExp(`\\b(?:test|it)(?:\\.each\\([^]*?\\))?\\(\\s*(['"\`])${escaped(name)}\\1`).test(text);
}

/** What is wrong with a door's cell. */
function faultsOf(cell) {
  const named = [...cell.matchAll(/`([^`]+)`: `([^`]+)`/g)];
  if (named.length === 0) return REASON.test(cell) ? [] : ['neither a test nor `none: …` or `open: …` with a reason'];
  return named.filter(([, file, name]) => !hasTest(file, name)).map(([, file, name]) => `${file} has no test ${name}`);
}

let faults = 0;
let open = 0;
const tell = (promise, words) => {
  console.error(`${PAGE}: ${promise}: ${words}`);
  faults += 1;
};

const [, ...promises] = readFileSync(PAGE, 'utf8').split(/^## /m);
for (const text of promises) {
  const [promise] = text.split('\n', 1);
  const rows = [...text.matchAll(/^\| ([\w ]+) \| (.*) \|$/gm)].filter(([, door]) => door !== 'door');
  const doors = rows.map(([, door]) => door);
  if (doors.join() !== DOORS.join()) tell(promise, `its doors are ${doors.join(', ') || 'none'}, not ${DOORS.join(', ')}`);
  for (const [, door, cell] of rows) {
    for (const fault of faultsOf(cell)) tell(promise, `${door}: ${fault}`);
    if (cell.startsWith('open:')) open += 1;
  }
}
if (promises.length === 0) tell('the page', 'holds no promise');
if (open > 0) console.log(`${PAGE}: ${open} doors are open work`);
process.exitCode = faults > 0 ? 1 : 0;
