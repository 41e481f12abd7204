// Reads `cargo metadata` from standard input and the given package-lock files, and names every dependency whose licence
// we have not agreed to. An expression "A OR B" is fine when one of them is, "A AND B" when both are.
import { readFileSync } from 'node:fs';

const agreed = new Set(['0BSD', 'Apache-2.0', 'Apache-2.0 WITH LLVM-exception', 'BSD-2-Clause', 'BSD-3-Clause', 'BSL-1.0',
  'BlueOak-1.0.0', 'CC-BY-4.0', 'CC0-1.0', 'CDLA-Permissive-2.0', 'ISC', 'MIT', 'MIT-0', 'OFL-1.1', 'Python-2.0', 'Unicode-3.0',
  'Unlicense', 'Zlib']);

// Weak copyleft is fine for what builds or tests and is not shipped.
const agreedForTools = new Set([...agreed, 'MPL-2.0']);
// Packages that state their licence in a way npm's lock file does not carry; each was read.
const read = { cldrjs: 'MIT', 'xmlhttprequest-ssl': 'MIT' };

const fine = ({ licence, tool }) =>
  licence.replaceAll(/[()]/g, '').replaceAll('/', ' OR ').split(' OR ')
    .some((choice) => choice.split(' AND ').every((name) => (tool ? agreedForTools : agreed).has(name.trim())));

const packages = JSON.parse(readFileSync(0, 'utf8')).packages
  .filter(({ source }) => source)
  .map(({ name, version, license }) => ({ name: `${name} ${version} (crate)`, licence: license, tool: false }));
for (const file of process.argv.slice(2)) {
  for (const [path, { version, license, dev }] of Object.entries(JSON.parse(readFileSync(file, 'utf8')).packages)) {
    const name = path.replace(/.*node_modules\//, '');
    if (path) packages.push({ name: `${name} ${version} (${file})`, licence: license ?? read[name], tool: dev === true });
  }
}

const strangers = packages.filter((dependency) => !dependency.licence || !fine(dependency));
for (const { name, licence } of strangers) console.error(`${name}: ${licence ?? 'no licence given'}`);
process.exitCode = strangers.length > 0 ? 1 : 0;
