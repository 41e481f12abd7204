import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useEffect, useState } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import { ValueType } from '../../../forms/valueType';
import type { Reply } from '../../../schema';
import { fakeApi, show, type FakeCall } from '../../../testing/fakeApi';
import { begin, change, undo, type History } from './history';
import { blankItem, type FormDocument } from './model';
import { PropertiesPane } from './PropertiesPane';
import { addField, put } from './tree';

const PATH = '/api/forms/7/draft';
let calls: FakeCall[];
let answer: object;
let history: History<FormDocument>;
let takeBack: () => void;

beforeEach(() => {
  answer = { nacin: 'kopija', formulari: ['Kontrola'] };
  calls = fakeApi({
    'GET /api/attribute-types': () => ({ body: { data: [], total: 0 } }),
    [`POST ${PATH}/own-type`]: () => ({ body: answer }),
  });
  HTMLElement.prototype.setPointerCapture = vi.fn();
  HTMLElement.prototype.hasPointerCapture = () => true;
});

/** The pane over a document, as the designer holds it. */
function Host({ document, id, shared = [] }: { document: FormDocument; id: number; shared?: readonly Reply<'SharedType'>[] }) {
  const [now, go] = useState(() => begin(document));
  useEffect(() => {
    history = now;
    takeBack = () => go(undo);
  }, [now]);
  const field = now.present.polja.find((one) => one.id === id);
  if (!field) return null;
  return (
    <PropertiesPane
      document={now.present}
      field={field}
      faults={[]}
      warnings={[]}
      shared={shared}
      formId={7}
      onSeparated={onSeparated}
      isNamed={false}
      onNext={vi.fn()}
      formulas={{}}
      onTake={() => null}
      onChange={(edit, about) => go((before) => change(before, edit(before.present), about, 0))}
    />
  );
}

const onSeparated = vi.fn(() => Promise.resolve());
const EMPTY: FormDocument = { naziv: 'Pregled', polja: [], tipovi: [], stavke: [], pravila: [] };

/** A picture of 300 by 200 points, drawn at half its size, with a dot's field in it. */
function pictured(): FormDocument {
  const picture = addField(EMPTY, null, ValueType.Image, 'Telo').document;
  const both = addField(picture, -1, ValueType.Choice, 'Rame', true).document;
  const inside = put(both, [-2], { at: -1, where: 'inside' });
  return { ...inside, polja: inside.polja.map((one) => (one.id === -1 ? { ...one, backgroundImage: 'data:image/png;base64,AA==' } : one)) };
}

const dotField = () => history.present.polja.find(({ id }) => id === -2);
const coordinates = () => [dotField()?.imageCoordinateX, dotField()?.imageCoordinateY];

function drawn() {
  const image = screen.getByRole<HTMLImageElement>('img', { name: /Telo/ });
  Object.defineProperties(image, { naturalWidth: { value: 300 }, naturalHeight: { value: 200 } });
  image.getBoundingClientRect = () => ({ left: 10, top: 20, width: 150, height: 100 }) as DOMRect;
  fireEvent.load(image);
  return image;
}

it('a dot is put by a click, in one step', () => {
  show(<Host document={pictured()} id={-2} />);
  fireEvent.click(drawn(), { clientX: 70, clientY: 50 });
  expect(coordinates()).toEqual([120, 60]);
  expect(history.past).toHaveLength(1);
  act(takeBack);
  expect(coordinates()).toEqual([null, null]);
});

it('a dot that is there is dragged and moved by keys, in both directions, and says where it is', () => {
  show(<Host document={pictured()} id={-2} />);
  fireEvent.click(drawn(), { clientX: 70, clientY: 50 });
  const dot = screen.getByRole('button', { name: 'Tačka: Rame, 120 desno i 60 dole' });
  fireEvent.pointerDown(dot, { pointerId: 1 });
  fireEvent.pointerMove(dot, { pointerId: 1, clientX: 100, clientY: 90 });
  expect(coordinates()).toEqual([180, 140]);
  fireEvent.keyDown(dot, { key: 'ArrowLeft' });
  fireEvent.keyDown(dot, { key: 'ArrowUp', shiftKey: true });
  expect(coordinates()).toEqual([179, 130]);
  expect(dot).toHaveAccessibleName('Tačka: Rame, 179 desno i 130 dole');
  fireEvent.pointerMove(dot, { pointerId: 1, clientX: 900, clientY: -5 });
  expect(coordinates()).toEqual([300, 0]);
  fireEvent.keyDown(dot, { key: 'Delete' });
  expect(coordinates()).toEqual([null, null]);
});

const setOf = (naziv: string): FormDocument => {
  const { document } = addField(EMPTY, null, ValueType.Set, 'Bol');
  const tipovi = document.tipovi.map((type) => ({ ...type, id: 5, naziv }));
  const polja = document.polja.map((field) => ({ ...field, tipAtributaID: 5 }));
  return { ...document, polja, tipovi, stavke: [{ ...blankItem(8, 5, 'Da', 1) }, { ...blankItem(9, 5, 'Ne', 0) }] };
};

it('a shared type says with whom, and is copied for the field on demand', async () => {
  show(<Host document={setOf('Jačina bola')} id={-1} shared={[{ tip: 5, formulari: ['Kontrola'] }]} />);
  expect(screen.getByText(/Ovaj tip koristi i: Kontrola\./)).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Napravi poseban tip za ovo polje' }));
  await waitFor(() => expect(history.present.tipovi).toHaveLength(2));
  expect(calls.at(-1)?.body).toEqual({ tip: 5, potvrdjeno: false });
  expect(history.present.tipovi[1]).toMatchObject({ id: -1, naziv: 'Jačina bola (Pregled)' });
  expect(history.present.stavke.filter(({ tipAtributaID }) => tipAtributaID === -1).map(({ naziv }) => naziv)).toEqual(['Da', 'Ne']);
});

it('a set whose items entries hold is left to the form once that is confirmed', async () => {
  answer = { nacin: 'izdvajanje', formulari: ['Kontrola'] };
  show(<Host document={setOf('Jačina bola')} id={-1} shared={[{ tip: 5, formulari: ['Kontrola'] }]} />);
  await userEvent.click(screen.getByRole('button', { name: 'Napravi poseban tip za ovo polje' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Izdvoj tip' }));
  await waitFor(() => expect(onSeparated).toHaveBeenCalledOnce());
  expect(calls.at(-1)?.body).toEqual({ tip: 5, potvrdjeno: true });
});

it('a new set is called by its items until somebody calls it otherwise', async () => {
  show(<Host document={addField(EMPTY, null, ValueType.Set, 'Bol').document} id={-1} />);
  const name = () => screen.getByRole('textbox', { name: /Naziv tipa/ });
  expect(name()).toHaveValue('Izbor');
  await userEvent.click(screen.getByRole('button', { name: 'Dodaj stavku' }));
  const item = () => within(screen.getByRole('region', { name: 'Stavke skupa' })).getByRole('textbox', { name: 'Naziv' });
  fireEvent.change(item(), { target: { value: 'Da' } });
  expect(name()).toHaveValue('Izbor: Da');
  fireEvent.change(name(), { target: { value: 'Jačina bola' } });
  fireEvent.change(item(), { target: { value: 'Jak' } });
  expect(name()).toHaveValue('Jačina bola');
});
