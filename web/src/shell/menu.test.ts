import { expect, it } from 'vitest';
import { screens } from '../screens';
import { menuFor } from './menu';

const all = () => true;
const administration = (...rights: number[]) => menuFor(rights, all).administration.flatMap(({ items }) => items.map(({ to }) => to));
const reports = (...rights: number[]) => menuFor(rights, all).reports.map(({ to }) => to);

it.each([
  [2, ['/admin/uloge']],
  [3, ['/admin/ustanove']],
  [4, ['/admin/radnici']],
  [5, ['/admin/registri', '/admin/tipoviAtributa']],
  [11, ['/admin/log']],
  [12, ['/admin/statistikaUnosa']],
  [13, ['/admin/upozorenja', '/admin/verzije']],
  [14, ['/izvozPodataka']],
  [15, ['/evidencijaUvida']],
  [17, ['/uvozPodataka']],
])('right %i opens %j, and the sponsors with it', (right, paths) => {
  expect(administration(right)).toEqual([...paths, '/admin/sponzori']);
});

it('right 6 opens the parameters, the maintenance area and the operations', () => {
  expect(administration(6)).toEqual(['/admin/parametri', '/admin/sponzori', '/reload', '/admin/radSistema']);
});

it('shows no administration to those who hold none of its rights', () => {
  expect(administration()).toEqual([]);
  expect(administration(1)).toEqual([]);
  expect(administration(20, 21)).toEqual([]);
});

it('opens the reports with right 1 and their configuration with right 7', () => {
  expect(reports()).toEqual([]);
  expect(reports(1)).toEqual(['/izvestaji']);
  expect(reports(7)).toEqual([
    '/izvestaji',
    '/analiza',
    '/admin/kategorijeIzvestaja',
    '/admin/tipoviStatistickogIzvestaja',
    '/admin/izvestaji',
    '/admin/grupePrimalaca',
    '/admin/tipoviParametraIzvestaja',
  ]);
});

it('shows no item whose screen is not there', () => {
  const built = new Set(screens.map(({ path }) => path));
  const menu = menuFor([1, 2, 3, 4, 5, 6, 7, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 24, 25, 26, 27, 28, 29, 30, 31]);
  for (const { to } of [menu.registers, ...menu.reports, ...menu.administration.flatMap(({ items }) => items)]) expect(built).toContain(to);
});
