import { defineConfig } from '@playwright/test';

// Drives the real site in Chromium: as many files at a time as there are stacks (the addresses in E2E_BASE_URL), since those of one
// stack share the demo's accounts.
const stacks = (process.env.E2E_BASE_URL ?? '').split(' ').length;

/** Files that take as long as several others come first, so that nothing waits for one of them alone at the end. */
const LONGEST = ['accessibility', 'changes-of-500', 'guide', 'reports', 'patients', 'day'].map((name) => `**/${name}.e2e.ts`);

export default defineConfig({
  testDir: 'e2e',
  testMatch: '**/*.e2e.ts',
  projects: [
    { name: 'longest', testMatch: LONGEST, grepInvert: /@long/ },
    { name: 'others', testIgnore: LONGEST, grepInvert: /@long/ },
    // What needs its minute, and is run by `./dev test long`; a file that is named is run whole.
    { name: 'long', grep: /@long/, timeout: 600_000 },
  ],
  workers: stacks,
  timeout: 90_000,
  expect: { timeout: 20_000 },
  reporter: 'list',
  // What a test that failed has seen and done: `npx playwright show-trace` opens it.
  use: { trace: process.env.TRACE ? 'retain-on-failure' : 'off' },
});
