import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { emptyRow } from '../../../patients/criteria';
import { fakeApi, show } from '../../../testing/fakeApi';
import { Builder } from './Builder';
import { emptySimpleDraft, simpleReportOf, type SimpleDraft } from './model';

const das28 = {
  id: 2,
  naziv: 'DAS28',
  tipUnosaID: 7,
  tipVrednosti: 2 as const,
  jedinica: null,
  decimale: 2,
  multiselect: false,
  stavke: [],
};
const form = { id: 7, registarID: 3, naziv: 'Pregled', polja: [das28] };
const registers = [{ id: 3, naziv: 'Neurologija', formulari: [{ id: 7, naziv: 'Pregled' }] }];

function Choosing({ begin = {} }: { begin?: Partial<SimpleDraft> }) {
  const [chosen, setChosen] = useState<SimpleDraft>({ ...emptySimpleDraft(3), tipUnosaID: 7, ...begin });
  return (
    <>
      <output>{String(simpleReportOf(chosen).pol)}</output>
      <Builder
        report={5}
        draft={chosen}
        change={(next) => setChosen((before) => ({ ...before, ...next }))}
        registers={registers}
        form={form}
        formGone={false}
        obim="ustanova"
        fixedRegister={null}
        problem={null}
        made={null}
      />
    </>
  );
}

it('a report of one sex becomes one of both again', async () => {
  show(<Choosing />);
  const choose = async (label: string) => {
    await userEvent.click(screen.getByLabelText('Pol').closest('.p-dropdown') as HTMLElement);
    await userEvent.click(await screen.findByText(label, { selector: '.p-dropdown-item *' }));
    return screen.getAllByRole('status')[0]?.textContent;
  };
  expect(await choose('Muški')).toBe('true');
  expect(await choose('Svi')).toBe('null');
});

it('an indicator tells of how many it can be told as soon as its criteria are whole', async () => {
  const counts = { podobni: 40, imenilac: 30, brojilac: 12, unosa: 90, unosaSaPodacima: 61 };
  const calls = fakeApi({ 'POST /api/reports/5/indicator-count': () => ({ body: counts }) });
  const brojilac = [{ ...emptyRow(), poljeID: 2, operator: '<' as const, vrednost: '2,6' }];
  show(<Choosing begin={{ prikaz: 'indikator', brojilac }} />);
  expect(await screen.findByText('Vrednosti koje brojilac traži ima 61 od 90 unosa.', { exact: false }, { timeout: 4_000 })).toBeVisible();
  for (const [name, number] of [
    ['Imenilac bira', '40'],
    ['Može da se kaže', '30'],
    ['Kod kojih jeste', '12'],
  ] as const)
    expect(screen.getByText(name).nextElementSibling).toHaveTextContent(number);
  expect(calls).toHaveLength(1);
  expect(calls[0]?.body).toMatchObject({ prikaz: 'indikator', indikator: { brojilac: [{ poljeID: 2, operator: '<', vrednost: '2,6' }] } });
  expect(screen.getByRole('region', { name: 'Imenilac: o kome je reč' })).toBeVisible();
});

it('an indicator whose numerator is not whole is not counted', () => {
  const calls = fakeApi({});
  show(<Choosing begin={{ prikaz: 'indikator', brojilac: [] }} />);
  expect(screen.getByText('Kada su uslovi potpuni, ovde se vidi koliko ih je.')).toBeVisible();
  expect(calls).toHaveLength(0);
});
