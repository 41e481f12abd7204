import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

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
            { name: 'react', test: /node_modules[\\/]react[\\/]/, priority: 2 },
            {
              name: 'react-dom',
              test: /node_modules[\\/](react-dom|react-router|scheduler|swr|use-sync-external-store)[\\/]/,
              priority: 2,
            },
            // What the page asks for first is evaluated before all that it does not need.
            { name: 'ahead', test: /src[\\/]ahead\.ts$/, priority: 1 },
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
