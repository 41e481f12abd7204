import react from '@vitejs/plugin-react';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';

const AHEAD = 'ahead';
const api = process.env.API_URL ?? 'http://127.0.0.1:8080';

/**
 * `src/ahead.ts` runs as soon as it is there: the rest of the page's code waits for the styles, and what it asks for is on its way meanwhile.
 */
function runAhead(): Plugin {
  return {
    name: 'run-ahead',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (_, { bundle = {} }) => {
        const ahead = Object.values(bundle).find((chunk) => chunk.type === 'chunk' && chunk.name === AHEAD);
        if (!ahead) throw new Error('no chunk of src/ahead.ts');
        // Behind the place where the page is drawn, so that this is there.
        return [{ tag: 'script', attrs: { type: 'module', async: true, crossorigin: true, src: `/${ahead.fileName}` }, injectTo: 'body' }];
      },
    },
  };
}

export default defineConfig({
  plugins: [react(), runAhead()],
  server: { proxy: { '/api': { target: api, ws: true } } },
  // An export fetches only the code of its own format.
  worker: { format: 'es' },
  build: {
    target: 'es2022',
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'react', test: /node_modules[\\/]react[\\/]/, priority: 2 },
            {
              name: 'react-dom',
              test: /node_modules[\\/](react-dom|react-router|scheduler|swr|use-sync-external-store)[\\/]/,
              priority: 2,
            },
            { name: AHEAD, test: /src[\\/]ahead\.ts$/, priority: 1 },
          ],
        },
      },
    },
  },
  test: {
    environment: 'jsdom',
    include: ['src/**/*.test.{ts,tsx}'],
    setupFiles: ['src/testing/setup.ts'],
    testTimeout: 30_000,
    restoreMocks: true,
  },
});
