import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { t } from '../messages';

it('tells of each method what the guide tells', () => {
  const guide = readFileSync('../docs/vodic/statistika.md', 'utf8');
  for (const { title, text } of Object.values(t.methods)) expect(guide).toContain(`## ${title}\n${text}`);
});
