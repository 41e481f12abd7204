import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { show } from '../testing/fakeApi';
import { ageOn, PatientBanner } from './PatientBanner';

it('tells the age on the day: years from the birthday on, months of the youngest, nothing before the birth', () => {
  expect([ageOn('1980-03-05', '2026-03-04'), ageOn('1980-03-05', '2026-03-05')]).toEqual(['45 god.', '46 god.']);
  expect([ageOn('2025-01-31', '2026-11-22'), ageOn('2024-02-29', '2026-02-28')]).toEqual(['21 mes.', '23 mes.']);
  expect([ageOn('2026-03-05', '2026-03-04'), ageOn(null, '2026-03-04'), ageOn('1980-03-05', null)]).toEqual([null, null, null]);
});

it('tells days before the first month, and never no months', () => {
  const of = (on: string) => ageOn('2026-03-05', on);
  expect([of('2026-03-05'), of('2026-03-06'), of('2026-04-04'), of('2026-04-05')]).toEqual(['0 dana', '1 dan', '30 dana', '1 mes.']);
});

it('says who it is; without a JMBG, as where identity is blurred, that is left out', () => {
  const ana = { id: 7, ime: 'Ana', prezime: 'Anić', datumRodjenja: '1980-03-05', polTrenutni: false };
  show(<PatientBanner patient={{ ...ana, jmbg: '0503980715004' }} on="2026-03-05" linked />);
  expect(screen.getByRole('group', { name: 'Pacijent' }).textContent).toBe('Ana Anić46 god.ženskiJMBG 0503980715004');
  expect(screen.getByRole('link', { name: 'Ana Anić' }).getAttribute('href')).toBe('/pacijenti/7');
  show(<PatientBanner patient={ana} on={null} />);
  expect(screen.getAllByRole('group', { name: 'Pacijent' })[1]?.textContent).toBe('Ana Anićženski');
});
