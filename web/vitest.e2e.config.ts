import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

// Drives the real site in Chromium: as many files at a time as there are stacks (the addresses in E2E_BASE_URL), since those of one
// stack share the demo's accounts.
const stacks = (process.env.E2E_BASE_URL ?? '').split(' ').length;

/** The file that takes as long as ten others comes first, so that nothing waits for it alone at the end. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const sorted = await super.sort(files);
    return sorted.sort((a, b) => Number(b.moduleId.includes('accessibility')) - Number(a.moduleId.includes('accessibility')));
  }
}

export default defineConfig({
  test: {
    environment: 'node',
    include: ['e2e/**/*.e2e.ts'],
    sequence: { sequencer: LongestFirst },
    fileParallelism: stacks > 1,
    maxWorkers: stacks,
    testTimeout: 90_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } },
  },
});
