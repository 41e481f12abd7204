import { beforeEach, expect, it } from 'vitest';
import { chooseHome } from '../places';
import { fakeApi, signedIn } from '../testing/fakeApi';
import { home } from './signIn';

beforeEach(() => {
  fakeApi({
    'GET /api/registers': () => ({ body: { data: [{ id: 9, naziv: 'Kardiologija' }], total: 1 } }),
    'GET /api/worker-start': () => ({ body: { pocetna: 'pacijenti', nedeljniPregled: false, javiUpite: true } }),
  });
});

it('whoever has chosen a board comes to it, while she may open reports', async () => {
  signedIn();
  expect(await home()).toBe('/registri/9');
  chooseHome(2, '/tabla');
  expect(await home()).toBe('/tabla');
  signedIn({ prava: [] });
  expect(await home()).toBe('/registri/9');
});

it('the choice of one worker is not that of another on the same device', async () => {
  chooseHome(2, '/tabla');
  signedIn({ id: 3 });
  expect(await home()).toBe('/registri/9');
});
