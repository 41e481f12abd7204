import { defineConfig } from 'vitest/config';

// Drives the real site in Chromium: as many files at a time as there are stacks (the addresses in E2E_BASE_URL), since those of one
// stack share the demo's accounts.
const stacks = (process.env.E2E_BASE_URL ?? '').split(' ').length;

export default defineConfig({
  test: {
    environment: 'node',
    include: ['e2e/**/*.e2e.ts'],
    fileParallelism: stacks > 1,
    maxWorkers: stacks,
    testTimeout: 90_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } },
  },
});
