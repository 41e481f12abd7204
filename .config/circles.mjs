// Names every circle of folders: code that is imported by what it imports itself, be it round three corners. Within a folder files may
// know each other. A folder is a directory, or a file, right under src.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';

const sources = (root, kind) =>
  readdirSync(root, { recursive: true }).filter((file) => kind.test(file) && !file.includes('.test.')).map((file) => join(root, file));

const top = (root, file) => relative(root, file).split('/')[0].replace(/\.\w+$/, '');

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

// A crate's modules by `crate::`; names that lib.rs hands on from a room lead to that room.
const rust = (root) => {
  const text = (file) => readFileSync(file, 'utf8').replaceAll(/\/\/[^\n]*/g, '').split(/#\[cfg\(test\)\]\s*mod /)[0];
  const lib = join(root, 'lib.rs');
  const handed = new Map();
  for (const [, use] of existsSync(lib) ? text(lib).matchAll(/pub(?:\(crate\))? use ([^;]+);/g) : []) {
    for (const path of spread(use).map((one) => one.split('::'))) handed.set(path.at(-1), path[0]);
  }
  return sources(root, /\.rs$/).flatMap((file) => {
    const uses = [...text(file).matchAll(/\buse\s+(crate::[^;]+);/g)].flatMap(([, use]) => spread(use));
    const named = [...text(file).replaceAll(/\buse\s[^;]+;/g, '').matchAll(/\bcrate::[\w:]+/g)].map(([path]) => path);
    return [...uses, ...named].map((path) => path.split('::')[1].trim())
      .map((name) => [top(root, file), handed.get(name) ?? name])
      .filter(([, to]) => existsSync(join(root, to)) || existsSync(join(root, `${to}.rs`)));
  });
};

const web = (root) =>
  sources(root, /\.tsx?$/).flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)]
      .map(([, path]) => [top(root, file), top(root, normalize(join(dirname(file), path)))]));

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
const check = (root, pairs) => {
  const edges = new Map();
  for (const [from, to] of pairs) if (from !== to && from !== 'lib' && from !== 'main') edges.set(from, (edges.get(from) ?? new Set()).add(to));
  if (edges.size === 0) throw new Error(`no imports were found in ${root}`);
  const told = new Set();
  for (const from of edges.keys()) {
    const way = told.has(from) ? null : wayBack(edges, from, from, new Set());
    if (!way) continue;
    way.forEach((one) => told.add(one));
    console.error(`${root}: ${way.join(' -> ')}`);
    found += 1;
  }
};

for (const crate of ['domain', 'api', 'report-engine', 'scheduler']) check(`${crate}/src`, rust(`${crate}/src`));
check('web/src', web('web/src'));
process.exitCode = found > 0 ? 1 : 0;
