import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';

it('says one word for one thing, in every text of the product', () => {
  const { stderr, status } = spawnSync(process.execPath, ['.config/words.mjs'], {
    cwd: join(import.meta.dirname, '../../..'),
    encoding: 'utf8',
  });
  expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
});
