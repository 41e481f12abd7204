import { expect, it } from 'vitest';
import { blankItem } from './model';
import { linesOf, pasted } from './paste';

it('a line has a name and a number, in either order, or a name alone', () => {
  expect(linesOf('Blaga\t1\r\n2;Teška\n\nUmerena\t \n1,5\tIzmeđu\n7')).toEqual([
    { naziv: 'Blaga', broj: 1 },
    { naziv: 'Teška', broj: 2 },
    { naziv: 'Umerena', broj: null },
    { naziv: 'Između', broj: 1.5 },
    { naziv: '7', broj: null },
  ]);
});

it('what is there gets the pasted number, what is new the next free one', () => {
  const items = [blankItem(10, 3, 'Blaga', 1), blankItem(11, 3, 'Teška', 4)];
  expect(pasted(items, 3, 'blaga\t2\nNova\nDruga\t9', -5).map(({ id, naziv, numVrednost }) => [id, naziv, numVrednost])).toEqual([
    [10, 'Blaga', 2],
    [11, 'Teška', 4],
    [-5, 'Nova', 5],
    [-6, 'Druga', 9],
  ]);
});
