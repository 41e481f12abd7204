import { screen } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import { keepNow } from '../drafts/draftStorage';
import { blankDraft } from '../testing/draft';
import { fakeApi, lekar, show, signedIn } from '../testing/fakeApi';
import { UnsavedEntries } from './UnsavedEntries';

beforeEach(() => {
  localStorage.clear();
  signedIn();
});

const typed = { ...blankDraft, naziv: 'Pregled', datumUnosa: '2026-03-05', pacijentID: 7 };
const listed = async () => {
  await screen.findByRole('region', { name: 'Nesnimljen unos' });
  return screen.getAllByRole('listitem').map((item) => [item.textContent, item.querySelector('a')?.getAttribute('href')]);
};

it("lists what the server has and what only this device has, each visit once, and nobody else's", async () => {
  const vreme = Date.now() - 60_000;
  keepNow(lekar.id, 'novi-7-5.prozor', { ...typed, vreme });
  keepNow(lekar.id, 'unos-9.prozor', { ...typed, vreme: vreme - 60_000, naziv: 'Anamneza', osnovaDatumUnosa: '2026-03-04' });
  keepNow(lekar.id, 'novi-8-5.prozor', { ...typed, vreme, pacijentID: 8 });
  keepNow(lekar.id + 1, 'novi-7-6.prozor', { ...typed, vreme });
  const sadrzaj = { naziv: 'Anamneza', osnovaDatumUnosa: '2026-03-04' };
  const stored = { pacijentID: 7, sadrzaj, izmenjeno: '2026-03-06 09:15' };
  fakeApi({
    'GET /api/entry-drafts': () => ({
      body: {
        data: [
          { ...stored, kljuc: 'unos-9.prozor' },
          { ...stored, kljuc: 'unos-11.drugi' },
        ],
        total: 2,
      },
    }),
  });
  show(<UnsavedEntries patient={7} />);
  await screen.findByText(/samo na ovom uređaju/);
  expect(await listed()).toEqual([
    [
      expect.stringMatching(/^Pregled, pregled od 05\.03\.2026\. uneto .*, za sada samo na ovom uređaju$/),
      '/unosi/novi?tsaID=5&pacijentID=7&datumUnosa=2026-03-05',
    ],
    [expect.stringMatching(/^Anamneza, pregled od 04\.03\.2026\. uneto [^,]*$/), '/unosi/9'],
    ['Anamneza, pregled od 04.03.2026. uneto 06.03.2026. 09:15', '/unosi/11'],
  ]);
});

it('lists what this device has while the server is away', async () => {
  keepNow(lekar.id, 'novi-7-5.prozor', { ...typed, vreme: Date.now() });
  fakeApi({ 'GET /api/entry-drafts': () => ({ status: 403, body: { message: 'Nemate pravo na ovu radnju.', field: null } }) });
  show(<UnsavedEntries patient={7} />);
  expect(await listed()).toHaveLength(1);
});
