import { beforeEach, expect, it } from 'vitest';
import { ValueType } from '../../../forms/valueType';
import { begin, change, redo, undo } from './history';
import { blankItem, blankType, type FormDocument } from './model';
import { keepSteps, patched, patchOf, stepsOf } from './steps';
import { addField, remove, step } from './tree';

const KEY = { worker: 7, draft: 3 };
const EMPTY: FormDocument = { naziv: 'Pregled', polja: [], tipovi: [], stavke: [], pravila: [] };

/** A number, a set of one item, a text. */
function sample(): FormDocument {
  const one = addField(EMPTY, null, ValueType.Number, 'Puls').document;
  const two = addField(one, -1, ValueType.Set, 'Bol').document;
  const three = addField(two, -2, ValueType.Text, 'Napomena').document;
  return { ...three, stavke: [blankItem(-1, -2, 'Da', 1)] };
}

beforeEach(() => sessionStorage.clear());

it('a patch makes one document of another, whatever was done', () => {
  const was = sample();
  const moved = step(was, [-3], 'up');
  const shorter = remove(was, [-2]);
  const renamed = {
    ...was,
    naziv: 'Kontrola',
    polja: was.polja.map((field) => (field.id === -1 ? { ...field, naziv: 'Puls u miru' } : field)),
  };
  const items = { ...was, stavke: [blankItem(-2, -2, 'Ne', 0), ...was.stavke] };
  for (const now of [moved, renamed, items]) {
    expect(patched(was, patchOf(was, now))).toEqual(now);
    expect(patched(now, patchOf(now, was))).toEqual(was);
  }
  expect(patchOf(was, renamed).polja?.put).toEqual([{ id: -1, naziv: 'Puls u miru' }]);
  // The server leaves out types of no field: the step back brings them along.
  const saved = { ...shorter, tipovi: shorter.tipovi.filter(({ id }) => id !== -2), stavke: [] };
  const back = patched(saved, patchOf(shorter, was));
  expect(back.polja).toEqual(was.polja);
  expect(new Set(back.tipovi.map(({ id }) => id))).toEqual(new Set([-1, -2, -3]));
  expect(back.stavke).toEqual(was.stavke);
});

it('steps are there after a reload, both ways', () => {
  const [one, two, three] = [EMPTY, sample(), step(sample(), [-3], 'up')];
  const done = undo(change(change(begin(one), two, null, 0), three, null, 5000));
  keepSteps(KEY, 4, done);
  const loaded = stepsOf(KEY, 4, JSON.parse(JSON.stringify(two)) as FormDocument);
  expect(redo(loaded).present.polja.map(({ id }) => id)).toEqual(three.polja.map(({ id }) => id));
  expect(undo(loaded).present).toEqual(one);
  expect(undo(undo(loaded)).present).toEqual(one);
});

it('what another window has saved since, or another draft, has no steps here', () => {
  keepSteps(KEY, 4, change(begin(EMPTY), sample(), null, 0));
  expect(stepsOf(KEY, 5, sample()).past).toEqual([]);
  expect(stepsOf({ ...KEY, draft: 9 }, 4, sample()).past).toEqual([]);
  expect(stepsOf({ ...KEY, worker: 8 }, 4, sample()).past).toEqual([]);
});

it('the oldest steps are left where they are too many or too long', () => {
  let history = begin(EMPTY);
  for (let at = 1; at <= 250; at += 1) history = change(history, { ...EMPTY, naziv: String(at) }, null, at * 5000);
  keepSteps(KEY, 1, history);
  const loaded = stepsOf(KEY, 1, history.present);
  expect(loaded.past).toHaveLength(200);
  expect(loaded.past[0]?.naziv).toBe('50');
  const picture = { ...blankType(-1, ValueType.Image, 'Slika'), napomena: 'a'.repeat(900_000) };
  const field = addField(EMPTY, null, ValueType.Image, 'Slika').document;
  const large = [1, 2, 3].map((at) => ({
    ...field,
    tipovi: [{ ...picture, naziv: String(at), napomena: `${picture.napomena}${String(at)}` }],
  }));
  const [one, two, three] = large;
  if (!one || !two || !three) throw new Error('three of them');
  keepSteps(KEY, 2, change(change(begin(one as FormDocument), two, null, 0), three, null, 5000));
  expect(stepsOf(KEY, 2, three).past).toHaveLength(1);
});
