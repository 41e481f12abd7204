import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it, vi } from 'vitest';
import { fakeApi, show, signedIn } from '../../../testing/fakeApi';
import { PublishDialog } from './PublishDialog';

const LOCKING = 28;
const difference = { naziv: null, dodata: [], uklonjena: [], izmenjena: [], pravila: [] };
const readers = { formule: [], izvestaji: [], upiti: [] };

/** Two of three entries are signed: they stay, or their signatures end and they are recomputed too. */
const impact = (ends: boolean) => ({
  unosa: 3,
  pregledano: 3,
  sledeci: null,
  rezultati: [1, 2, 3].map((unos) => ({ unos, polje: 'Zbir' })),
  vanGranica: [],
  fajlovi: [],
  jedinice: [],
  citaoci: readers,
  preracunavanje: {
    rezultati: (ends ? [1, 2, 3] : [3]).map((unos) => ({ unos, polje: 'Zbir' })),
    promenjeno: ends ? 3 : 1,
    prevedeno: 0,
    ostavljeno: ends ? [] : [1, 2].map((unos) => ({ unos, razlog: 'potpisan', polje: null })),
    potpisa: 2,
  },
});

const onPublished = vi.fn();
let calls: ReturnType<typeof fakeApi>;
beforeEach(() => {
  onPublished.mockReset();
  calls = fakeApi({
    'GET /api/forms/7/draft/changes': () => ({ body: { razlike: difference, tudje: [], sukobi: [], preimenovano: [] } }),
    'GET /api/forms/7/draft/impact': ({ query }) => ({ body: impact(query.get('zavrsiPotpise') === 'true') }),
    'POST /api/forms/7/draft/publish': () => ({ body: { broj: 4, preracunavanje: 12 } }),
  });
});

async function opened(prava: number[]) {
  signedIn({ prava });
  show(<PublishDialog form={7} verzija={3} faults={[]} onFault={vi.fn()} onPublished={onPublished} onMoved={vi.fn()} onClose={vi.fn()} />);
  const dialog = await screen.findByRole('dialog');
  await within(dialog).findByText('3 rezultata se menjaju');
  return dialog;
}
const recompute = (dialog: HTMLElement) => userEvent.click(within(dialog).getByLabelText('Preračunaj snimljene rezultate'));
const publish = (dialog: HTMLElement) => userEvent.click(within(dialog).getByRole('button', { name: 'Objavi' }));
const sent = () => calls.filter(({ method }) => method === 'POST').map(({ body }) => body);

it('says nothing of signatures where results stay as they are', async () => {
  const dialog = await opened([5, LOCKING]);
  expect(within(dialog).queryByText(/^Potpis/)).toBeNull();
  await publish(dialog);
  await waitFor(() => expect(onPublished).toHaveBeenCalledWith(4, true));
  expect(sent()).toMatchObject([{ preracunaj: false, zavrsiPotpise: false, razlogPotpisa: '' }]);
});

it('counts the signatures before they end, counts all else anew, and asks why', async () => {
  const dialog = await opened([5, LOCKING]);
  await recompute(dialog);
  await within(dialog).findByText('Potpisani unosi u kojima bi se nešto promenilo: 2');
  await within(dialog).findByText(/promenjenih rezultata 1, .* Ostaje kakvo jeste: 2\.$/);
  await userEvent.click(within(dialog).getByLabelText('Okončaj potpise i preračunaj i potpisane unose'));
  await within(dialog).findByText('Potpisi koji prestaju da važe: 2');
  await within(dialog).findByText(/promenjenih rezultata 3, .* Ostaje kakvo jeste: 0\.$/);
  for (const short of ['', 'ne']) {
    if (short) await userEvent.type(within(dialog).getByLabelText(/^Zašto potpisi/), short);
    await publish(dialog);
    await within(dialog).findByText('Napišite zašto potpisi prestaju da važe, od 3 do 500 znakova.');
  }
  expect(sent()).toEqual([]);
  await userEvent.type(within(dialog).getByLabelText(/^Zašto potpisi/), ' valja formula');
  await publish(dialog);
  await waitFor(() => expect(onPublished).toHaveBeenCalledWith(4, true));
  expect(sent()).toMatchObject([{ preracunaj: true, zavrsiPotpise: true, razlogPotpisa: 'ne valja formula' }]);
});

it('ends none where results are left after all', async () => {
  const dialog = await opened([5, LOCKING]);
  await recompute(dialog);
  await userEvent.click(await within(dialog).findByLabelText('Okončaj potpise i preračunaj i potpisane unose'));
  await userEvent.click(within(dialog).getByLabelText('Ostavi snimljene rezultate (biće obeleženi)'));
  await publish(dialog);
  await waitFor(() => expect(onPublished).toHaveBeenCalled());
  expect(sent()).toMatchObject([{ preracunaj: false, zavrsiPotpise: false, razlogPotpisa: '' }]);
});

it('tells whoever may not end signatures how many stay, and why', async () => {
  const dialog = await opened([5]);
  await recompute(dialog);
  await within(dialog).findByText(
    'Potpisani unosi u kojima bi se nešto promenilo: 2. Ostaju kakvi jesu: potpise okončava samo ko ima pravo „Zaključavanje unosa”.',
  );
  expect(within(dialog).queryByRole('checkbox')).toBeNull();
  await publish(dialog);
  await waitFor(() => expect(sent()).toMatchObject([{ preracunaj: true, zavrsiPotpise: false }]));
});
