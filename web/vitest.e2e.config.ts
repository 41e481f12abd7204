import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

// Drives the real site in Chromium: as many files at a time as there are stacks (the addresses in E2E_BASE_URL), since those of one
// stack share the demo's accounts.
const stacks = (process.env.E2E_BASE_URL ?? '').split(' ').length;

const LONGEST = ['accessibility', 'changes-of-500', 'guide', 'reports', 'patients', 'day'];

/** Files that take as long as several others come first, so that nothing waits for one of them alone at the end. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const sorted = await super.sort(files);
    const place = ({ moduleId }: TestSpecification) => {
      const found = LONGEST.findIndex((name) => moduleId.endsWith(`/${name}.e2e.ts`));
      return found < 0 ? LONGEST.length : found;
    };
    return sorted.sort((a, b) => place(a) - place(b));
  }
}

export default defineConfig({
  test: {
    environment: 'node',
    include: ['e2e/**/*.e2e.ts'],
    sequence: { sequencer: LongestFirst },
    fileParallelism: stacks > 1,
    maxWorkers: stacks,
    // What drives the browser is read once for each stack, and not for each file.
    isolate: false,
    // What needs its minute is run by `./dev test long`; a file that is named is run whole.
    tags: [{ name: 'long', description: 'needs its minute', timeout: 600_000 }],
    testTimeout: 90_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } },
  },
});
