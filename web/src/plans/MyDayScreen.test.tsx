import { screen, within } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import { fakeApi, show, signedIn } from '../testing/fakeApi';
import MyDayScreen from './MyDayScreen';

beforeEach(() => signedIn());

it('leads from each count to its list, and says where it stopped counting', async () => {
  fakeApi({
    'GET /api/question-counts': () => ({ body: { cekaju: 2, postavljeni: 0, ustanova: 5, kasni: 1 } }),
    'GET /api/my-day': () => ({
      body: {
        dan: '2026-11-29',
        moje: { danas: 1, otvorene: 4, kasni: 2 },
        ustanove: { danas: 3, otvorene: 12, kasni: 1001 },
        nacrti: [{ kljuc: 'unos-3.a', pacijentID: 7, imePrezime: 'Anić Ana', izmenjeno: '2026-11-29T08:00:00' }],
        neuspelaZakazivanja: 1,
        verovatniParovi: 3,
        prestaliPotpisi: [
          {
            unosID: 31,
            imePrezime: 'Anić Ana',
            formular: 'Pregled',
            datumUnosa: '2026-03-01',
            radnik: 'Marić Mila',
            vreme: '2026-11-28T10:00:00',
            razlog: 'Ispravljena formula indeksa',
          },
        ],
        prestalihPotpisa: 32,
      },
    }),
  });
  show(<MyDayScreen />);
  expect(await screen.findByRole('link', { name: '2Čekaju mene' })).toHaveAttribute('href', '/mojiUpiti');
  const mine = await screen.findByRole('region', { name: 'Moji pacijenti' });
  expect(within(mine).getByRole('link', { name: /Kasni/ })).toHaveAttribute('href', '/koKasni?spisak=kasni&lekar=2');
  const all = screen.getByRole('region', { name: 'Cela ustanova' });
  expect(within(all).getByRole('link', { name: /Kasni/ })).toHaveTextContent('više od 1000');
  expect(screen.getByRole('link', { name: /^Anić Ana, 29/ })).toHaveAttribute('href', '/pacijenti/7');
  const signatures = screen.getByRole('region', { name: 'Potpisi koje je okončalo preračunavanje: 32' });
  expect(within(signatures).getByRole('link', { name: /^Anić Ana, Pregled/ })).toHaveAttribute('href', '/unosi/31');
  expect(signatures).toHaveTextContent('Marić Mila');
  expect(signatures).toHaveTextContent('Ispravljena formula indeksa');
  expect(signatures).toHaveTextContent('i još 31');
  expect(screen.getByRole('link', { name: /Zakazani izveštaji/ })).toHaveAttribute('href', '/izvestaji');
  expect(screen.getByRole('link', { name: '3Parovi koji su verovatno ista osoba' })).toHaveAttribute('href', '/spajanjePacijenata');
});
