import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { show } from '../../../testing/fakeApi';
import { Builder } from './Builder';
import { emptySimpleDraft, simpleReportOf, type SimpleDraft } from './model';

const form = { id: 7, registarID: 3, naziv: 'Pregled', polja: [] };
const registers = [{ id: 3, naziv: 'Neurologija', formulari: [{ id: 7, naziv: 'Pregled' }] }];

function Choosing() {
  const [chosen, setChosen] = useState<SimpleDraft>({ ...emptySimpleDraft(3), tipUnosaID: 7 });
  return (
    <>
      <output>{String(simpleReportOf(chosen).pol)}</output>
      <Builder
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
    return screen.getByRole('status').textContent;
  };
  expect(await choose('Muški')).toBe('true');
  expect(await choose('Svi')).toBe('null');
});
