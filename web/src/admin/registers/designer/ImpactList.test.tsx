import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { fakeApi, show } from '../../../testing/fakeApi';
import { ImpactList } from './ImpactList';

const ids = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => from + at);

/** As a browser does on a click, which the test's document does not. */
function open(summary: string): HTMLElement {
  const details = screen.getByText(summary).closest('details') as HTMLDetailsElement;
  details.open = true;
  fireEvent(details, new Event('toggle'));
  return details;
}

const impact = {
  unosa: 450,
  pregledano: 450,
  rezultati: ids(1, 451).map((unos) => ({ unos, polje: 'Zbir' })),
  preracunavanje: { rezultati: [], promenjeno: 0, prevedeno: 0, ostavljeno: [], potpisa: 0 },
  vanGranica: [],
  fajlovi: [],
  jedinice: [],
  citaoci: { formule: [], izvestaji: [], upiti: [] },
  done: true,
};

it('shows a long list to its end', () => {
  fakeApi({});
  show(<ImpactList impact={impact} error={null} mayOpen form={7} />);
  const list = open('450 rezultata se menja');
  expect(list.querySelectorAll('a')).toHaveLength(200);
  fireEvent.click(within(list).getByText('Prikaži još 200 od 250'));
  fireEvent.click(within(list).getByText('Prikaži još 50'));
  expect(list.querySelectorAll('a')).toHaveLength(450);
  expect(list.querySelector('button')).toBeNull();
});

it('counts entries that the designer may not open, and names none of them', () => {
  fakeApi({});
  const some = { ...impact, rezultati: [...impact.rezultati.slice(0, 2), { unos: null, polje: 'Zbir' }, { unos: null, polje: 'Zbir' }] };
  show(<ImpactList impact={some} error={null} mayOpen form={7} />);
  const list = open('4 rezultata se menjaju');
  expect([...list.querySelectorAll('li')].map((line) => line.textContent)).toEqual([
    'Unos br. 1: Zbir',
    'Unos br. 2: Zbir',
    'i još 2, koje ne možete da otvorite',
  ]);
});

it('reads the entries page by page, once they are asked for', async () => {
  const pages: Record<string, object> = {
    0: { unosi: ids(1, 201), sledeci: 200 },
    200: { unosi: ids(201, 401), sledeci: 400 },
    400: { unosi: ids(401, 451), sledeci: null },
  };
  const calls = fakeApi({ 'GET /api/forms/7/draft/entries': ({ query }) => ({ body: pages[query.get('od') ?? ''] }) });
  show(<ImpactList impact={impact} error={null} mayOpen={false} form={7} />);
  expect(calls).toHaveLength(0);
  const list = open('Spisak svih unosa');
  fireEvent.click(await within(list).findByText('Prikaži još 200 od 250'));
  fireEvent.click(await within(list).findByText('Prikaži još 50'));
  await waitFor(() => expect(list.querySelectorAll('li')).toHaveLength(450));
  expect(within(list).getByText('Unos br. 450')).toBeTruthy();
  expect(list.querySelector('button')).toBeNull();
  expect(list.querySelector('a'), 'who opens no patients has numbers only').toBeNull();
});
