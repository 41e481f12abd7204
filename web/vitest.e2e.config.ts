import { defineConfig } from 'vitest/config';

// Drives the real site (E2E_BASE_URL) in Chromium. Files run one after another: they share the demo's accounts.
export default defineConfig({
  test: {
    environment: 'node',
    include: ['e2e/**/*.e2e.ts'],
    fileParallelism: false,
    testTimeout: 90_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } },
  },
});
