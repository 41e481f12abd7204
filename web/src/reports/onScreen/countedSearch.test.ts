import { expect, it } from 'vitest';
import { criteriaIn } from '../../searchAddress';
import { countedPath } from './countedSearch';

const izbor = { koji: 'prvi' as const, od: null, do: '2026-06-30', svoj: false, uslovi: [] };

it('the address of a number holds its criteria, all of them in one entry', () => {
  const path = countedPath({
    registarID: 4,
    pol: false,
    unos: { tipUnosaID: 7, od: '2026-01-01', do: null, svoj: true, izbor },
    uslovi: [
      { veza: 'ili', poljeID: 9, operator: 'izabrano', vrednost: null },
      { veza: 'ili', poljeID: 9, operator: '>=', vrednost: '2,6' },
    ],
    unosi: false,
    sveUstanove: false,
  });
  expect(path).toMatch(/^\/registri\/4#pretraga=/);
  expect(criteriaIn(path.slice(path.indexOf('#')))?.kept).toMatchObject({
    pol: 0,
    opseg: 'istiUnos',
    brojRezultata: -1,
    unosUslova: { tipUnosaID: 7, od: '2026-01-01', do: null, svoj: true, izbor },
    redovi: [
      { veza: 'i', tipUnosaID: 7, poljeID: 9, operator: 'izabrano', vrednost: '1' },
      { veza: 'ili', poljeID: 9, operator: '>=', vrednost: '2,6' },
    ],
  });
});
