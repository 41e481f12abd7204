import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { fakeApi, show, signedIn } from '../testing/fakeApi';
import { GoneValues, NewerFormNotice } from './NewerForm';
import type { Display } from './model/types';

const shown = (obrazac: Partial<Display['obrazac']>): Display =>
  ({ tsa: { id: 3, unosID: 9 }, obrazac: { otisak: 'a', verzija: 1, od: '2026-03-12', novija: null, ...obrazac } }) as Display;

const stay = () => Promise.resolve();

const NEWER = {
  verzija: 1,
  od: '2026-03-12',
  novija: 3,
  novijaOd: '2026-04-01 14:05',
  objave: [{ vreme: '2026-04-01 14:05', radnik: 'Perić Mila', napomena: 'Nova jedinica' }],
  razlike: {
    naziv: null,
    dodata: [{ polje: 7, naziv: 'Puls' }],
    uklonjena: [{ polje: 6, naziv: 'Masa' }],
    pravila: [],
    izmenjena: [
      {
        polje: 1,
        naziv: 'Glukoza',
        promene: [
          { sta: 'jedinica', staro: 'mmol/L', novo: null, samoPravopis: false },
          { sta: 'stavke', staro: 'tezak', novo: 'težak', samoPravopis: true },
          { sta: 'izgled', staro: null, novo: null, samoPravopis: false },
        ],
      },
    ],
  },
  rezultati: [{ polje: 2, naziv: 'Zbir', staro: '6', novo: '105' }],
  bezPolja: [{ polje: 6, naziv: 'Masa', staro: '70 kg', novo: null }],
};

it('says nothing of an entry that is in the newest version', () => {
  show(<NewerFormNotice display={shown({})} takenFrom={null} onBack={stay} onGo={null} />);
  expect(screen.queryByRole('status')).toBeNull();
  expect(screen.queryByRole('button')).toBeNull();
});

it('says which version the entry is of, shows what the newest one has otherwise, and leads over to it', async () => {
  signedIn();
  fakeApi({ 'GET /api/entries/9/newer-form': () => ({ body: NEWER }) });
  const go = vi.fn(() => Promise.resolve());
  show(<NewerFormNotice display={shown({ novija: 3 })} takenFrom={null} onBack={stay} onGo={go} />);
  expect(screen.getByRole('status')).toHaveTextContent('Ovaj unos je popunjen po verziji 1 formulara, od 12.03.2026. Novija je verzija 3.');
  await userEvent.click(screen.getByRole('button', { name: 'Prikaži razlike' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Razlike između verzija 1 i 3' }));
  await dialog.findByText('Zbir: 6 → 105');
  const told = ['Masa: 70 kg', 'jedinica: mmol/L → —', 'stavke (samo pravopis): tezak → težak', 'izgled ili raspored', 'Puls', 'Masa'];
  for (const text of told) dialog.getByText(text);
  dialog.getByText('Verzija 3 je od 01.04.2026. 14:05');
  dialog.getByText('01.04.2026. 14:05, Perić Mila: Nova jedinica');
  expect(go).not.toHaveBeenCalled();
  await userEvent.click(dialog.getByRole('button', { name: 'Pređi na verziju 3' }));
  await waitFor(() => expect(go).toHaveBeenCalledOnce());
});

it('leads nobody over who may not change the entry', async () => {
  signedIn();
  fakeApi({ 'GET /api/entries/9/newer-form': () => ({ body: NEWER }) });
  show(<NewerFormNotice display={shown({ novija: 3 })} takenFrom={null} onBack={stay} onGo={null} />);
  await userEvent.click(screen.getByRole('button', { name: 'Prikaži razlike' }));
  await screen.findByText('Zbir: 6 → 105');
  expect(screen.queryByRole('button', { name: /^Pređi/ })).toBeNull();
});

it('says that the entry is shown by the newest version and not yet of it', () => {
  show(<NewerFormNotice display={shown({ verzija: 3 })} takenFrom={1} onBack={stay} onGo={null} />);
  expect(screen.getByRole('status')).toHaveTextContent('Prikazano po verziji 3 formulara. Unos prelazi na nju kada ga snimite.');
});

it('lists what was typed into fields that are gone until it is read', async () => {
  show(<GoneValues values={['Masa: 70 kg']} />);
  expect(screen.getByRole('alert')).toHaveTextContent('Masa: 70 kg');
  await userEvent.click(screen.getByRole('button', { name: 'Zatvori spisak' }));
  expect(screen.queryByRole('alert')).toBeNull();
});

it('leads back to the version of the entry as long as nothing was saved by the newest one', async () => {
  const back = vi.fn(() => Promise.resolve());
  show(<NewerFormNotice display={shown({ verzija: 3 })} takenFrom={1} onBack={back} onGo={null} />);
  await userEvent.click(screen.getByRole('button', { name: 'Vrati se na verziju 1' }));
  expect(back).toHaveBeenCalledOnce();
});
