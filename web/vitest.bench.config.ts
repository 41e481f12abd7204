import { defineConfig } from 'vitest/config';

// Measures the real site (E2E_BASE_URL) in Chromium: `./dev bench form`. One thing at a time.
export default defineConfig({
  test: {
    environment: 'node',
    include: ['bench/**/*.bench.ts'],
    fileParallelism: false,
    disableConsoleIntercept: true,
    testTimeout: 900_000,
    hookTimeout: 120_000,
  },
});
