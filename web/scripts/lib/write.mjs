// Writes a generated file, or with --check tells that the committed one is stale.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

const CHECK = process.argv.includes('--check');

export function generated(path, text) {
  if (!CHECK) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return;
  }
  let committed = '';
  try {
    committed = readFileSync(path, 'utf8');
  } catch {
    // Missing is stale too.
  }
  if (committed !== text) {
    console.error(`${path} is stale: run "npm run gen" and commit it`);
    process.exitCode = 1;
  }
}
