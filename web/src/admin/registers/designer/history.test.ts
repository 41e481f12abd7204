import { expect, it } from 'vitest';
import { begin, change, redo, undo } from './history';

it('each step is taken back and done again', () => {
  const two = change(change(begin('a'), 'b', null, 0), 'c', null, 10);
  const one = undo(two);
  expect(one.present).toBe('b');
  expect(undo(one).present).toBe('a');
  expect(redo(one).present).toBe('c');
  expect(undo(begin('a')).present).toBe('a');
  expect(redo(two)).toBe(two);
});

it('keys typed into one property are one step, until a pause or another property', () => {
  let typed = change(begin(''), 'P', 'naziv', 0);
  typed = change(typed, 'Pu', 'naziv', 500);
  expect(undo(typed).present).toBe('');
  typed = change(typed, 'Pul', 'naziv', 9000);
  expect(undo(typed).present).toBe('Pu');
  expect(undo(change(typed, 'x', 'sifra', 9100)).present).toBe('Pul');
});

it('a new step ends what was taken back', () => {
  const again = change(undo(change(begin('a'), 'b', null, 0)), 'c', null, 10);
  expect(redo(again).present).toBe('c');
  expect(undo(again).present).toBe('a');
});

it('what changes nothing is no step', () => {
  const same = begin('a');
  expect(change(same, 'a', null, 0)).toBe(same);
});
