import { screen } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import { fakeApi, show, signedIn, type FakeCall } from '../../testing/fakeApi';
import type { Tile } from './grid';
import { ListTile } from './ListTile';

const tile = (part: Partial<Tile>): Tile => ({
  id: '0190a000-0000-7000-8000-00000000000a',
  izvestajID: null,
  spisak: null,
  pretragaID: null,
  registarID: null,
  naslov: null,
  blok: 0,
  vrednosti: {},
  x: 0,
  y: 0,
  sirina: 4,
  visina: 3,
  ...part,
});

let calls: FakeCall[];

beforeEach(() => {
  signedIn();
  calls = fakeApi({
    'GET /api/my-day': () => ({
      body: {
        dan: '2026-11-30',
        moje: { danas: 1, otvorene: 2, kasni: 3 },
        ustanove: { danas: 4, otvorene: 5, kasni: 1001 },
        nacrti: [],
        neuspelaZakazivanja: 0,
        verovatniParovi: 0,
      },
    }),
    'GET /api/question-counts': () => ({ body: { cekaju: 7, postavljeni: 0, ustanova: 9, kasni: 0 } }),
    'GET /api/finding-counts': () => ({ body: { otvoreni: 12, moji: 3, potvrdjeni: 0 } }),
    'GET /api/saved-searches/11/count': () => ({ body: { naziv: 'Rođeni od 1950', broj: 17, imaJos: false } }),
    'GET /api/saved-searches/12/count': () => ({ status: 404, body: { message: 'Nema.', field: null } }),
  });
});

const links = () => screen.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')]);

it('counts the own visits, and each number leads to its list', async () => {
  show(<ListTile tile={tile({ spisak: 'mojDan' })} />);
  await screen.findByText('3');
  expect(links()).toEqual([
    ['1 Termin danas', '/koKasni?spisak=danas&lekar=2'],
    ['2 Otvoren prozor', '/koKasni?spisak=otvorene&lekar=2'],
    ['3 Kasni', '/koKasni?spisak=kasni&lekar=2'],
  ]);
});

it('counts those of the institution no further than the server does', async () => {
  show(<ListTile tile={tile({ spisak: 'koKasni' })} />);
  expect((await screen.findByText('više od 1000')).closest('a')).toHaveAttribute('href', '/koKasni?spisak=kasni');
});

it('counts questions', async () => {
  show(<ListTile tile={tile({ spisak: 'upiti' })} />);
  expect((await screen.findByText('7')).closest('a')).toHaveAttribute('href', '/mojiUpiti?spisak=cekaju');
});

it('counts findings, and each number leads to its list', async () => {
  show(<ListTile tile={tile({ spisak: 'nalazi' })} />);
  await screen.findByText('12');
  expect(links()).toEqual([
    ['12 otvorenih nalaza ustanove', '/nalazi?stanje=otvoreni'],
    ['3 u unosima za koje odgovarate', '/nalazi?stanje=otvoreni&radnik=2'],
    ['0 provereno, vrednost je tačna', '/nalazi?stanje=potvrdjeni'],
  ]);
});

it('counts whom a kept search finds, leads to it, and says where there is none any more', async () => {
  const { unmount } = show(<ListTile tile={tile({ spisak: 'pretraga', registarID: 4, pretragaID: 11 })} />);
  expect((await screen.findByText('17')).closest('a')).toHaveTextContent('17 Rođeni od 1950');
  expect(screen.getByRole('link')).toHaveAttribute('href', '/registri/4?snimljena=11');
  unmount();
  show(<ListTile tile={tile({ spisak: 'pretraga', registarID: 4, pretragaID: 12 })} />);
  expect(await screen.findByText('Ove pretrage više nema, ili je ne vidite.')).toBeVisible();
});

it('asks for nothing for who opens no patient', () => {
  signedIn({ pacijenti: 'ne' });
  show(<ListTile tile={tile({ spisak: 'mojDan' })} />);
  expect(screen.getByText('Ovaj spisak vide oni koji otvaraju pacijente.')).toBeVisible();
  expect(calls).toEqual([]);
});
