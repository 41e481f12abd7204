import { screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { fakeApi, show, signedIn } from '../../../testing/fakeApi';
import { UNSAID } from '../../../versions/Renames';
import { ImpactList, useImpact } from './ImpactList';

const PATH = '/api/forms/7/draft/impact';
const counted = {
  rezultati: [{ unos: 11, polje: 'Indeks' }],
  promenjeno: 1,
  prevedeno: 2,
  ostavljeno: [{ unos: 12, razlog: 'pravilo', polje: 'Masa' }],
  potpisa: 2,
};
const nothing = { rezultati: [], promenjeno: 0, prevedeno: 3, ostavljeno: [], potpisa: 0 };
const none = { rezultati: [], preracunavanje: nothing, vanGranica: [], fajlovi: [], jedinice: [] };
const PAGES: Record<string, object> = {
  '': {
    ...none,
    unosa: 412,
    pregledano: 200,
    sledeci: 31,
    rezultati: [{ unos: 11, polje: 'Indeks' }],
    preracunavanje: counted,
    vanGranica: [{ unos: 12, polje: 'Masa' }],
    citaoci: { formule: [], izvestaji: [{ naziv: 'Zbirovi', cita: ['masa'] }], upiti: [] },
  },
  '31': {
    ...none,
    unosa: 412,
    pregledano: 200,
    sledeci: 32,
    rezultati: [{ unos: 31, polje: 'Indeks' }],
    jedinice: [{ unos: 31, polje: 'Visina' }],
  },
  '32': { ...none, unosa: 412, pregledano: 12, sledeci: null, rezultati: [{ unos: 45, polje: 'Indeks' }] },
};
const answer = (page: string) => ({ body: PAGES[page] });

/** Each page after the first waits until the test lets it through. */
function held(handler: (page: string) => { status?: number; body?: unknown }) {
  const calls = fakeApi({ [`GET ${PATH}`]: ({ query }) => handler(query.get('od') ?? '') });
  const waiting: (() => void)[] = [];
  const ask = fetch;
  vi.stubGlobal('fetch', async (input: string, init?: RequestInit) => {
    if (input.includes('od=')) await new Promise<void>((go) => waiting.push(go));
    return ask(input, init);
  });
  const next = async () => {
    await waitFor(() => expect(waiting).toHaveLength(1));
    waiting.pop()?.();
  };
  return { calls, next, waiting };
}

function Impact() {
  const { impact, error } = useImpact(7, UNSAID);
  return <ImpactList impact={impact} error={error} mayOpen form={7} />;
}
const asked = (calls: ReturnType<typeof fakeApi>) => calls.map(({ query }) => query.get('od'));

it('pages are summed one after the other, and it is told how many of how many entries are counted', async () => {
  signedIn();
  const { calls, next } = held(answer);
  show(<Impact />);
  expect(screen.getByRole('status')).toHaveTextContent('Računa se…');
  await screen.findByText('Računa se: pregledano 200 od 412 unosa…');
  expect(screen.getByText('1 rezultat se menja')).toBeVisible();
  expect(asked(calls)).toEqual([null]);
  await next();
  await screen.findByText('Računa se: pregledano 400 od 412 unosa…');
  expect(screen.getByText('2 rezultata se menjaju')).toBeVisible();
  await next();
  expect(await screen.findByText('412 unosa')).toBe(screen.getByRole('status'));
  expect(asked(calls)).toEqual([null, '31', '32']);
  for (const total of ['3 rezultata se menjaju', '1 vrednost van novih granica', '1 vrednost u ranijoj jedinici'])
    expect(screen.getByText(total)).toBeVisible();
  expect(
    screen.getByText(
      'Ako se preračuna: promenjenih rezultata 1, u unosima: 1. Prevedeno na novu verziju bez promene rezultata: 8. Ostaje kakvo jeste: 1.',
    ),
  ).toBeVisible();
  const left = 'Ostaje kakvo jeste, vrednost ne zadovoljava novo pravilo (opseg, decimale ili obaveznost): Masa: 1 unos';
  expect(screen.getByText(left)).toBeVisible();
  expect(screen.getAllByRole('link', { hidden: true }).map((link) => link.getAttribute('href'))).toEqual(
    ['11', '31', '45', '12', '31', '11', '12'].map((entry) => `/unosi/${entry}`),
  );
  // Only the first page says who reads it.
  expect(screen.getByText('1 izveštaj čita izmenjena polja')).toBeVisible();
});

it('a page that fails is told in place of numbers that would only be a part', async () => {
  signedIn();
  const { next } = held((page) => (page === '31' ? { status: 422, body: { message: 'Nacrt ima grešku.', field: null } } : answer(page)));
  show(<Impact />);
  await screen.findByText('Računa se: pregledano 200 od 412 unosa…');
  await next();
  await screen.findByText('Nacrt ima grešku.');
  expect(screen.queryByText('1 rezultat se menja')).toBeNull();
  expect(screen.queryByRole('status')).toBeNull();
});

it('a dialog that was closed asks for no further page', async () => {
  signedIn();
  const { calls, next, waiting } = held(answer);
  const { unmount } = show(<Impact />);
  await screen.findByText('Računa se: pregledano 200 od 412 unosa…');
  await waitFor(() => expect(waiting).toHaveLength(1));
  unmount();
  await next();
  await waitFor(() => expect(asked(calls)).toEqual([null, '31']));
  // What would ask for the next one does so in the same turn in which the answer is read.
  await new Promise((done) => setTimeout(done));
  expect(asked(calls)).toEqual([null, '31']);
  expect(waiting).toHaveLength(0);
});
