import { expect, it } from 'vitest';
import { imageSource } from './image';

it.each([
  ['/9j/4AAQ', 'jpeg'],
  ['iVBORw0K', 'png'],
  ['R0lGODlh', 'gif'],
  ['UklGRiIA', 'webp'],
])('tells the type of %s by its first character', (data, type) => {
  expect(imageSource(data)).toBe(`data:image/${type};base64,${data}`);
});

it('makes nothing of what is no known image', () => {
  expect(imageSource(null)).toBeNull();
  expect(imageSource('PHN2Zz4=')).toBeNull();
});
