import { expect, it } from 'vitest';
import { ValueType } from '../../forms/valueType';
import { EMPTY_FIELD, fieldOfKind, has } from './fieldKinds';

const filled = {
  ...EMPTY_FIELD,
  naziv: 'Puls',
  opcioni: false,
  multiselect: true,
  inicijalnaBrojnaVrednost: 30,
  imageCoordinateX: 4,
  imageCoordinateY: 5,
  formulaZaPrikaz: '1 = 1',
  backgroundImage: 'iVBORw0KGgo=',
  donjaReferentnaBrojnaVrednost: 1,
};

it('what was filled in for another kind is not saved', () => {
  expect(fieldOfKind(filled, ValueType.Number, undefined)).toEqual({
    ...EMPTY_FIELD,
    naziv: 'Puls',
    opcioni: false,
    inicijalnaBrojnaVrednost: 30,
    formulaZaPrikaz: '1 = 1',
    donjaReferentnaBrojnaVrednost: 1,
  });
  expect(fieldOfKind(filled, ValueType.Panel, undefined)).toEqual({ ...EMPTY_FIELD, naziv: 'Puls', formulaZaPrikaz: '1 = 1' });
});

it('a dot is on an image only, and its diameter with it', () => {
  expect(fieldOfKind(filled, ValueType.Choice, ValueType.Image)).toMatchObject({
    imageCoordinateX: 4,
    imageCoordinateY: 5,
    inicijalnaBrojnaVrednost: 30,
  });
  expect(fieldOfKind(filled, ValueType.Choice, ValueType.Panel)).toMatchObject({
    imageCoordinateX: null,
    imageCoordinateY: null,
    inicijalnaBrojnaVrednost: null,
  });
  expect(has('imageCoordinateX', ValueType.Text, ValueType.Image)).toBe(false);
});
