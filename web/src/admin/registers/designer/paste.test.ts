import { expect, it } from 'vitest';
import { blankItem } from './model';
import { linesOf, pasted } from './paste';

it('a line has a name and a number, in either order, or a name alone', () => {
  expect(linesOf('Blaga\t1\r\n2;Teška\n\nUmerena\t \n1,5\tIzmeđu\n7\nPad\t−2')).toEqual([
    { naziv: 'Blaga', broj: 1 },
    { naziv: 'Teška', broj: 2 },
    { naziv: 'Umerena', broj: null },
    { naziv: 'Između', broj: 1.5 },
    { naziv: '7', broj: null },
    { naziv: 'Pad', broj: -2 },
  ]);
});

it('what is there gets the pasted number, and what is new and has none is without a weight', () => {
  const items = [{ ...blankItem(10, 3, 'Blaga', null), bezTezine: true }, blankItem(11, 3, 'Teška', 4)];
  expect(
    pasted(items, 3, 'blaga\t2\nNova\nDruga\t9', -5).map(({ id, naziv, numVrednost, bezTezine }) => [id, naziv, numVrednost, bezTezine]),
  ).toEqual([
    [10, 'Blaga', 2, false],
    [11, 'Teška', 4, false],
    [-5, 'Nova', null, true],
    [-6, 'Druga', 9, false],
  ]);
});
