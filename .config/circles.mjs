// Names every circle of imports: code that is imported by what it imports itself, be it round three corners. Between the folders right
// under src there is none at all (a file there counts as a folder); below them, files of one folder may know each other, as a module and its
// parts may, but no way leads out of a folder and back into it.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';

const sources = (root, kind) =>
  readdirSync(root, { recursive: true }).filter((file) => kind.test(file) && !/\.test\.|(^|\/)tests(\.rs|\/)/.test(file)).map((file) => join(root, file));

const withoutEnding = (file) => file.replace(/\.\w+$/, '');
const top = (root, file) => withoutEnding(relative(root, file).split('/')[0]);
const ownPart = (one, other) => dirname(other) === withoutEnding(one) || dirname(one) === withoutEnding(other);

// `a::{b::{c, d}, e}` is a::b::c, a::b::d and a::e.
const spread = (use) => {
  const [whole, before, within] = use.match(/^([^{]*)\{(.*)\}$/s) ?? [];
  if (whole === undefined) return [use.trim()];
  const parts = [''];
  let depth = 0;
  for (const letter of within) {
    depth += { '{': 1, '}': -1 }[letter] ?? 0;
    if (letter === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += letter;
  }
  return parts.filter((part) => part.trim()).flatMap((part) => spread(before.trim() + part.trim()));
};

// The files of a crate by their modules; names that lib.rs hands on from a room lead to that room.
const rust = (root) => {
  const text = (file) => readFileSync(file, 'utf8').replaceAll(/\/\/[^\n]*/g, '').split(/#\[cfg\(test\)\]\s*mod /)[0];
  const files = sources(root, /\.rs$/);
  const moduleOf = (file) => withoutEnding(relative(root, file)).split('/').filter((part) => !['mod', 'lib', 'main'].includes(part));
  const byModule = new Map(files.map((file) => [moduleOf(file).join('::'), file]));
  const lib = join(root, 'lib.rs');
  const handed = new Map();
  for (const [, use] of existsSync(lib) ? text(lib).matchAll(/pub(?:\(crate\))? use ([^;]+);/g) : []) {
    for (const path of spread(use).map((one) => one.split('::'))) handed.set(path.at(-1), path);
  }
  // The file that a path leads to, as far as modules go; nothing for another crate's.
  const reached = (own, path) => {
    const [first, ...rest] = path.split(' as ')[0].split('::').map((part) => part.trim());
    const up = path.match(/^(super::)*/)[0].length / 'super::'.length;
    const whole = first === 'crate' ? [...(byModule.has(rest[0]) ? [rest[0]] : (handed.get(rest[0]) ?? [rest[0]])), ...rest.slice(1)]
      : first === 'self' ? [...own, ...rest]
      : up > 0 ? [...own.slice(0, -up), ...path.split('::').slice(up)]
      : byModule.has([...own, first].join('::')) ? [...own, first, ...rest] : [];
    for (let length = whole.length; length > 0; length -= 1) {
      const file = byModule.get(whole.slice(0, length).join('::'));
      if (file) return file;
    }
    return null;
  };
  return files.flatMap((file) => {
    const uses = [...text(file).matchAll(/\buse\s+([^;]+);/g)].flatMap(([, use]) => spread(use));
    const named = [...text(file).replaceAll(/\buse\s[^;]+;/g, '').matchAll(/(?<![\w:])[a-z_]+::[\w:]+/g)].map(([path]) => path);
    return [...uses, ...named].map((path) => [file, reached(moduleOf(file), path)]).filter(([, to]) => to);
  });
};

const web = (root) => {
  const files = new Set(sources(root, /\.tsx?$/));
  return [...files].flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)]
      .map(([, path]) => normalize(join(dirname(file), path)))
      .map((path) => [file, ['', '.ts', '.tsx'].map((ending) => path + ending).find((one) => files.has(one))])
      .filter(([, to]) => to));
};

// Whether `from` is reached again, and by which way.
const wayBack = (edges, from, at, been) => {
  for (const next of edges.get(at) ?? []) {
    if (next === from) return [at, next];
    if (been.has(next)) continue;
    been.add(next);
    const rest = wayBack(edges, from, next, been);
    if (rest) return [at, ...rest];
  }
  return null;
};

let found = 0;
const check = (root, pairs, together) => {
  const edges = new Map();
  for (const [from, to] of pairs) if (from !== to) edges.set(from, (edges.get(from) ?? new Set()).add(to));
  if (edges.size === 0) throw new Error(`no imports were found in ${root}`);
  const told = new Set();
  for (const [from, next] of [...edges].flatMap(([one, all]) => [...all].map((to) => [one, to]))) {
    if (told.has(from) || together(from, next)) continue;
    const way = wayBack(edges, from, next, new Set());
    if (!way) continue;
    way.forEach((one) => told.add(one));
    console.error(`${root}: ${[from, ...way].join(' -> ')}`);
    found += 1;
  }
};
const checkBoth = (root, files) => {
  check(root, files.map((pair) => pair.map((file) => top(root, file))).filter(([from]) => from !== 'lib' && from !== 'main'), () => false);
  check(root, files, (one, other) => dirname(one) === dirname(other) || ownPart(one, other));
};

for (const crate of ['domain', 'api', 'report-engine', 'scheduler']) checkBoth(`${crate}/src`, rust(`${crate}/src`));
checkBoth('web/src', web('web/src'));
process.exitCode = found > 0 ? 1 : 0;
