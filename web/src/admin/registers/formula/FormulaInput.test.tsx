import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, it, vi } from 'vitest';
import { ValueType } from '../../../forms/valueType';
import { FormulaInput } from './FormulaInput';

const FIELDS = ['se', 'gh'].map((sifra) => ({
  sifra,
  naziv: `Polje ${sifra}`,
  ponavljaSe: false,
  tipVrednostiAtributaNumVrednost: ValueType.Number,
}));

function Box({ place = null }: { place?: number | null }) {
  const [value, setValue] = useState('');
  return (
    <FormulaInput
      id="formula"
      aria-label="Formula"
      aria-invalid={false}
      aria-required={false}
      aria-describedby={undefined}
      invalid={false}
      fields={FIELDS}
      value={value}
      place={place}
      onChange={setValue}
    />
  );
}

const box = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Formula' });
const options = () => screen.queryAllByRole('option').map(({ textContent }) => textContent);

it('fields and functions are taken by keys alone, and typing goes on behind them', async () => {
  const person = userEvent.setup();
  render(<Box />);
  await person.click(box());
  await person.keyboard('sqr');
  expect(options()).toEqual(['sqrt(x) kvadratni koren']);
  await person.keyboard('{Enter}$');
  expect(options()).toEqual(['$(se) Polje se', '$(gh) Polje gh']);
  await person.keyboard('{ArrowDown}{Enter} * 2');
  expect(box()).toHaveValue('sqrt($(gh) * 2)');
  expect(options()).toEqual([]);
});

it('Escape closes the list and nothing around it, Tab leaves what is typed as it is', async () => {
  const person = userEvent.setup();
  const around = vi.fn<(key: string) => void>();
  render(
    // eslint-disable-next-line jsx-a11y/no-static-element-interactions -- stands for a dialog
    <div onKeyDown={({ key }) => around(key)}>
      <Box />
      <button type="button">Dalje</button>
    </div>,
  );
  await person.click(box());
  await person.keyboard('$(s');
  expect(options()).toEqual(['$(se) Polje se']);
  await person.keyboard('{Escape}');
  expect(options()).toEqual([]);
  expect(around).not.toHaveBeenCalledWith('Escape');
  await person.keyboard('{Backspace}s');
  expect(options()).toEqual(['$(se) Polje se']);
  await person.tab();
  expect(box()).toHaveValue('$(s');
  expect(screen.getByRole('button', { name: 'Dalje' })).toHaveFocus();
  expect(options()).toEqual([]);
});

it('what is pasted is left alone, and Ctrl+Space asks for all', async () => {
  const person = userEvent.setup();
  render(<Box />);
  await person.click(box());
  await person.paste('1 + se');
  expect(options()).toEqual([]);
  await person.keyboard(' + {Control>} {/Control}');
  expect(options().length).toBeGreaterThan(40);
});

it('the place of a fault is shown', () => {
  render(<Box place={1} />);
  expect(screen.getByLabelText('Mesto greške')).toBeInTheDocument();
});
