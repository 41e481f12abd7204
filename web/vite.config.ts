import react from '@vitejs/plugin-react';
import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

interface Graph {
  getModuleInfo(id: string): { importedIds: readonly string[] } | null;
}

/** Tells whether a module is read together with another one: all that it imports, but not what it asks for later. */
function readWith(file: string) {
  const from = fileURLToPath(new URL(file, import.meta.url));
  const read = new Set<string>();
  return (id: string, graph: Graph): boolean => {
    if (read.size === 0) for (const one of read.add(from)) graph.getModuleInfo(one)?.importedIds.forEach((next) => read.add(next));
    return read.has(id);
  };
}
const isFirst = readWith('src/main.tsx');
const isOfEntry = readWith('src/entries/EntryScreen.tsx');

// Reading the components anew takes longer than most files of tests, so files share what was read, but for those that put something in
// the place of a module or of the clock.
const source = fileURLToPath(new URL('src', import.meta.url));
const tests = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.test\.tsx?$/.test(name))
  .map((name) => `src/${name}`);
const alone = tests.filter((name) => /vi\.(mock|doMock|resetModules|useFakeTimers)\(/.test(readFileSync(`${source}/../${name}`, 'utf8')));

const api = process.env.API_URL ?? 'http://127.0.0.1:8080';

export default defineConfig({
  plugins: [react()],
  server: { proxy: { '/api': { target: api, ws: true } } },
  // An export fetches only the code of its own format.
  worker: { format: 'es' },
  build: {
    target: 'es2022',
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'react', test: /node_modules[\\/]react[\\/]/, priority: 4 },
            {
              name: 'react-dom',
              test: /node_modules[\\/](react-dom|react-router|scheduler|swr|use-sync-external-store)[\\/]/,
              priority: 4,
            },
            // What the page asks for first is evaluated before all that it does not need.
            { name: 'ahead', test: /src[\\/]ahead\.ts$/, priority: 3 },
            // Each file costs the browser some time of its own: what is always read together is one.
            { name: (id, graph) => (isFirst(id, graph) ? 'first' : null), priority: 2 },
            { name: (id, graph) => (isOfEntry(id, graph) ? 'entry' : null), priority: 1 },
          ],
        },
      },
    },
  },
  test: {
    environment: 'jsdom',
    setupFiles: ['src/testing/setup.ts'],
    testTimeout: 30_000,
    restoreMocks: true,
    maxWorkers: availableParallelism(),
    projects: [
      { extends: true, test: { name: 'alone', include: alone } },
      { extends: true, test: { name: 'together', include: tests.filter((file) => !alone.includes(file)), isolate: false } },
    ],
  },
});
