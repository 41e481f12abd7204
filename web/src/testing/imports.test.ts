// Which part of the site uses which, told by the imports: a folder of `src` is a part, and so is a file beside them.
import { describe, expect, it } from 'vitest';

const texts = import.meta.glob<string>('/src/**/*.{ts,tsx}', { query: '?raw', import: 'default', eager: true });

const partOf = (path: string): string => path.split('/')[2]?.replace(/\.tsx?$/, '') ?? '';
const isTest = (path: string): boolean => path.includes('.test.') || partOf(path) === 'testing';

/** The files of the site that a text names, its styles among them. */
const namedIn = (path: string, text: string): string[] =>
  [...text.matchAll(/'(\.\.?\/[^'\n]*)'/g)]
    .map(([, name = '']) => new URL(name, `file://${path}`).pathname)
    .filter((named) => named.startsWith('/src/'));

const uses = Object.entries(texts).flatMap(([path, text]) => namedIn(path, text).map((named) => ({ path, named })));

/** The parts on a way that leads back to where it began, each with the file that goes on to the next. */
function circleOf(steps: readonly { path: string; named: string }[]): string[] | null {
  const ways = new Map<string, Map<string, string>>();
  for (const { path, named } of steps) {
    const from = ways.get(partOf(path)) ?? new Map<string, string>();
    if (partOf(named) !== partOf(path)) ways.set(partOf(path), from.set(partOf(named), path));
  }
  const led = new Set<string>();
  const walk = (part: string, before: readonly string[]): string[] | null => {
    if (before.includes(part)) return [...before.slice(before.indexOf(part)), part];
    if (led.has(part)) return null;
    led.add(part);
    for (const next of ways.get(part)?.keys() ?? []) {
      const circle = walk(next, [...before, part]);
      if (circle) return circle;
    }
    return null;
  };
  for (const part of ways.keys()) {
    const circle = walk(part, []);
    if (circle) return circle.slice(1).map((next, i) => `${circle[i] ?? ''} → ${next}: ${ways.get(circle[i] ?? '')?.get(next) ?? ''}`);
  }
  return null;
}

describe('the parts of the site', () => {
  it('use one another in one direction, their tests too', () => {
    expect(circleOf(uses.filter(({ named }) => partOf(named) !== 'testing'))).toBeNull();
  });

  it('use nothing that is there for tests', () => {
    expect(uses.filter(({ path, named }) => !isTest(path) && isTest(named))).toEqual([]);
  });

  it('would be found in a circle', () => {
    const step = (from: string, to: string) => ({ path: `/src/${from}/File.tsx`, named: `/src/${to}/other` });
    expect(circleOf([step('a', 'b'), step('b', 'c'), step('a', 'c')])).toBeNull();
    expect(circleOf([step('a', 'b'), step('b', 'c'), step('c', 'd'), step('c', 'b')])).toEqual([
      'b → c: /src/b/File.tsx',
      'c → b: /src/c/File.tsx',
    ]);
  });
});
