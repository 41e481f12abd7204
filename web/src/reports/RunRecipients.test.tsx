import { screen } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import { show, signedIn } from '../testing/fakeApi';
import { RunRecipients } from './RunRecipients';
import type { Run } from './types';

const READER: Run['primaoci'][number] = {
  adresa: 'ana@kcs.rs',
  radnik: null,
  status: null,
  opis: null,
  vreme: null,
  redniBroj: 0,
  obavesteno: null,
  mozePonovo: false,
  otvoreno: null,
  otvaranja: 0,
  imaNalog: true,
};

const open = (status: Run['status'], reader: Partial<typeof READER> = {}) =>
  show(<RunRecipients run={{ giID: '7', status, primaoci: [{ ...READER, ...reader }] } as Run} reload={() => undefined} />);

beforeEach(() => signedIn());

it('waits for a report that may still come', () => {
  open('queued');
  expect(screen.getByText('čeka izveštaj')).toBeVisible();
});

it('says of a report that does not come why nothing was sent, and that the recipient knows', () => {
  open('failed', { obavesteno: '2026-11-20 07:05' });
  expect(screen.getByText('nije poslato: izveštaj nije uspeo')).toBeVisible();
  expect(screen.getByText(/^primalac je obavešten 20\.11\.2026/)).toBeVisible();
  expect(screen.queryByText('čeka izveštaj')).toBeNull();
});

it.each(['succeeded', 'cancelled', 'missed', 'skipped_overlap', 'skipped_unauthorised', 'skipped_paused', 'skipped_ended'] as const)(
  'never says of %s that the recipient waits',
  (status) => {
    open(status);
    expect(screen.getByText(/^nije poslato: /)).toBeVisible();
  },
);
