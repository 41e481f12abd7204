import { fireEvent, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useEffect, useState } from 'react';
import { expect, it } from 'vitest';
import { ValueType } from '../../../forms/valueType';
import { label } from '../../../messages';
import { show } from '../../../testing/fakeApi';
import { begin, change, undo, type History } from './history';
import type { FormDocument } from './model';
import { heldBy, SeveralPane, withShared } from './SeveralPane';
import { addField } from './tree';

const EMPTY: FormDocument = { naziv: 'Pregled', polja: [], tipovi: [], stavke: [], pravila: [] };

/** A panel, a number, a text and a heading, side by side. */
function four(): { document: FormDocument; panel: number; number: number; text: number; heading: number } {
  let document = EMPTY;
  const add = (kind: (typeof ValueType)[keyof typeof ValueType], naziv: string) => {
    const made = addField(document, document.polja.at(-1)?.id ?? null, kind, naziv, true);
    document = made.document;
    return made.ids[0] ?? 0;
  };
  const [number, text, heading, panel] = [
    add(ValueType.Number, 'Puls'),
    add(ValueType.Text, 'Opis'),
    add(ValueType.Heading, 'Naslov'),
    add(ValueType.Panel, 'Prijem'),
  ];
  return { document, panel, number, text, heading };
}

let history: History<FormDocument>;
let takeBack: () => void;
function Host({ document, ids }: { document: FormDocument; ids: readonly number[] }) {
  const [now, go] = useState(() => begin(document));
  useEffect(() => {
    history = now;
    takeBack = () => go(undo);
  }, [now]);
  return (
    <SeveralPane
      document={now.present}
      ids={ids}
      onChange={(edit, about) => go((before) => change(before, edit(before.present), about, 0))}
    />
  );
}

const of = (document: FormDocument, id: number) => document.polja.find((field) => field.id === id);

it('sets a property of several fields in one step, of those that have it', () => {
  const { document, number, text, heading } = four();
  const next = withShared(document, [number, text, heading], 'opcioni', false);
  expect([of(next, number)?.opcioni, of(next, text)?.opcioni]).toEqual([false, false]);
  expect(of(next, heading)).toBe(of(document, heading));
});

it('puts several fields into a panel, and out of it', () => {
  const { document, panel, number, text } = four();
  const inside = heldBy(document, [number, text], panel);
  expect([number, text].map((id) => of(inside, id)?.nadredjeniAtributUTipuSkupaID)).toEqual([panel, panel]);
  const outside = heldBy(inside, [number, text], null);
  expect([number, text].map((id) => of(outside, id)?.nadredjeniAtributUTipuSkupaID)).toEqual([null, null]);
});

it('says where the chosen fields differ, and takes the whole step back at once', async () => {
  const { document: form, number, text } = four();
  show(<Host document={withShared(form, [number], 'opcioni', false)} ids={[number, text]} />);
  expect(screen.getByLabelText(label('formField.opcioni')).closest('.p-dropdown')?.textContent).toContain('različito');
  await userEvent.click(screen.getByLabelText(label('formField.opcioni')).closest('.p-dropdown') ?? document.body);
  await userEvent.click(await screen.findByText('Ne', { selector: '.p-dropdown-item *' }));
  await expect.poll(() => [number, text].map((id) => of(history.present, id)?.opcioni)).toEqual([false, false]);
  takeBack();
  await expect.poll(() => [number, text].map((id) => of(history.present, id)?.opcioni)).toEqual([false, true]);
});

it('types one condition into all of them, as one step', async () => {
  const { document, number, text } = four();
  show(<Host document={document} ids={[number, text]} />);
  const box = screen.getByLabelText(label('formField.formulaZaPrikaz'));
  for (const value of ['$(p', '$(puls) > 3']) fireEvent.change(box, { target: { value } });
  await expect.poll(() => [number, text].map((id) => of(history.present, id)?.formulaZaPrikaz)).toEqual(['$(puls) > 3', '$(puls) > 3']);
  expect(history.past.length).toBe(1);
});
