import { expect, it } from 'vitest';

const texts = import.meta.glob<string>('/src/**/*.{ts,tsx}', { query: '?raw', import: 'default', eager: true });

/** Each is a gap of the description; one that the description has taken over goes from here too. */
const CLAIMED = [
  'ArchivedPatient[]',
  'Block',
  'CalendarEvent[]',
  'Clash',
  'Content',
  'Display',
  'FormDraft',
  'LatestEntry[]',
  'Mapping',
  "Reply<'SimpleReport'>",
  'Rewritten',
  'Run',
  'Run[]',
  'SavedEntry',
  'Schedule[]',
  'Standing',
  'ValueChange[]',
];

it('a screen claims more of a reply than the description says only where that is listed', () => {
  const own = Object.entries(texts).filter(([path]) => !path.startsWith('/src/api/'));
  const claimed = own.flatMap(([, text]) => [...text.matchAll(/\bcloserTo<(.+)>\(\)/g)].map(([, what]) => what));
  expect(claimed.sort()).toEqual(CLAIMED);
});
