// Names every circle of imports: code that is imported by what it imports itself, be it round three corners. Between the folders right
// under src there is none at all (a file there counts as a folder); below them, files of one folder may know each other, as a module and its
// parts may, but no way leads out of a folder and back into it. Names every import from a room that stands no lower, too: rooms.mjs has their
// order.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';

import { rooms } from './rooms.mjs';

const sources = (root, kind) =>
  readdirSync(root, { recursive: true }).filter((file) => kind.test(file) && !/\.test\.|(^|\/)tests(\.rs|\/)/.test(file)).map((file) => join(root, file));

const withoutEnding = (file) => file.replace(/\.\w+$/, '');
const top = (root, file) => withoutEnding(file.slice(root.length + 1).split('/')[0]);
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

// The files of a crate by their modules; names that lib.rs hands on from a room lead to that room, those that it declares to itself.
const rust = (root) => {
  const text = (file) =>
    readFileSync(file, 'utf8').replaceAll(/\/\/[^\n]*|#\[cfg\(test\)\]\s*mod \w+;/g, '').split(/#\[cfg\(test\)\]\s*mod /)[0];
  const files = sources(root, /\.rs$/);
  const moduleOf = (file) => withoutEnding(relative(root, file)).split('/').filter((part) => !['mod', 'lib', 'main'].includes(part));
  const byModule = new Map(files.map((file) => [moduleOf(file).join('::'), file]));
  const lib = join(root, 'lib.rs');
  const handed = new Map();
  const ofLib = existsSync(lib) ? text(lib) : '';
  const declared = new Set([...ofLib.matchAll(/^pub(?:\(crate\))? (?:async )?(?:fn|struct|enum|trait|const|type) (\w+)/gm)].map(([, name]) => name));
  for (const [, use] of ofLib.matchAll(/pub(?:\(crate\))? use ([^;]+);/g)) {
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
    return first === 'crate' && declared.has(rest[0]) ? lib : null;
  };
  return files.flatMap((file) => {
    const whole = text(file);
    const uses = [...whole.matchAll(/\buse\s+([^;]+);/g)].flatMap(([, use]) => spread(use));
    const named = [...whole.replaceAll(/\buse\s[^;]+;/g, '').matchAll(/(?<![\w:])[a-z_]+::[\w:]+/g)].map(([path]) => path);
    const own = moduleOf(file);
    const to = new Set([...new Set([...uses, ...named])].map((path) => reached(own, path)));
    return [...to].filter((one) => one).map((one) => [file, one]);
  });
};

const web = (root) => {
  const files = new Set(sources(root, /\.tsx?$/));
  return [...files].flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/(?:from|import\(?)\s*'(\.[^']+)'/g)]
      .map(([, path]) => normalize(join(dirname(file), path)))
      .map((path) => [file, ['', '.ts', '.tsx', '/index.ts', '/index.tsx'].map((ending) => path + ending).find((one) => files.has(one))])
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

// Whether each import leads to a lower line of the list, and whether the list has every room that is there and no other.
const checkOrder = (root, files) => {
  const told = new Set();
  const tell = (words) => told.add(`${root}: ${words}`);
  const lines = rooms[root].map(([names]) => names.split(' '));
  const there = new Set(sources(root, /\.(rs|tsx?)$/).map((file) => top(root, file)));
  const line = new Map(lines.flatMap((names, at) => names.map((name) => [name, at])));
  for (const name of line.keys()) if (!there.has(name)) tell(`.config/rooms.mjs has ${name}, which is not there`);
  for (const name of ['lib', 'main']) if (!line.has(name)) line.set(name, lines.length);
  for (const name of there) if (!line.has(name)) tell(`${name} has no place in .config/rooms.mjs`);
  for (const [from, to] of files) {
    const [own, other] = [top(root, from), top(root, to)];
    if (own === other || !(line.get(own) <= line.get(other)) || line.get(own) === lines.length) continue;
    const stands = line.get(own) < line.get(other) ? 'above' : 'beside';
    tell(`${relative(root, from)} imports ${relative(root, to)}: ${other} stands ${stands} ${own}`);
  }
  told.forEach((one) => console.error(one));
  found += told.size;
};

for (const root of Object.keys(rooms)) {
  const files = root === 'web/src' ? web(root) : rust(root);
  check(root, files.map((pair) => pair.map((file) => top(root, file))).filter(([from]) => from !== 'lib' && from !== 'main'), () => false);
  check(root, files, (one, other) => dirname(one) === dirname(other) || ownPart(one, other));
  checkOrder(root, files);
}
process.exitCode = found > 0 ? 1 : 0;
