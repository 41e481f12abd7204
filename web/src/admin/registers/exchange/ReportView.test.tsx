import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { Reply } from '../../../schema';
import { fakeApi, show } from '../../../testing/fakeApi';
import { ReportView } from './ReportView';

const report: Reply<'ImportReport'> = {
  otisak: 'x',
  greske: [],
  nemapirano: [{ mesto: 'red 2', poruka: 'uslov prikaza nije prenet', izvorno: null }],
  upozorenja: [],
  dokaz: { dokazano: 42, razlicito: 1, nedokazano: 0, odgovora: 240 },
  izmene: [],
  preimenovano: [],
  ostaje: [],
  uticaj: { unosa: 0, rezultata: 0, najmanje: false, formulari: [] },
  formularNacrta: null,
};

const counts = () => screen.getAllByRole('listitem').map((item) => item.textContent);

it('says how many expressions are proven and how many give something else', () => {
  fakeApi({});
  show(<ReportView report={report} />);
  expect(counts()).toEqual(expect.arrayContaining(['0 grešaka', '1 izraz daje drugo', '42 izraza dokazana']));
  expect(counts().some((count) => count.includes('nedokazan'))).toBe(false);
  expect(screen.getByText(/na 240 nasumičnih odgovora/)).toBeTruthy();
});

it('says nothing of proofs where a file has no expressions', () => {
  fakeApi({});
  show(<ReportView report={{ ...report, dokaz: { dokazano: 0, razlicito: 0, nedokazano: 0, odgovora: 240 } }} />);
  expect(screen.queryByText(/nasumičnih odgovora/)).toBeNull();
});
