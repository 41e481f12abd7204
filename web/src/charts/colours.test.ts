import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { contrast } from '../../scripts/lib/colour.mjs';
import { lineColour, ON_DARK, seriesColour } from './colours';

const PAPER = '#ffffff';
const PALETTE = Object.entries(ON_DARK).filter(([light]) => light !== PAPER);
/** What dichromats see, as in report-engine/chart/tests/drawing/colours.rs (Machado, Oliveira and Fernandes 2009). */
const SIGHTS: Record<string, number[][]> = {
  all: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};
const LEAST_DIFFERENCE = 12;

const product = (matrix: number[][], vector: number[]) =>
  matrix.map((row) => row.reduce((sum, weight, i) => sum + weight * (vector[i] ?? 0), 0));

function linear(hex: string): number[] {
  return [1, 3, 5].map((place) => {
    const share = parseInt(hex.slice(place, place + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
}

function lab(hex: string, sight: number[][]): number[] {
  const seen = product(sight, linear(hex)).map((part) => Math.min(1, Math.max(0, part)));
  const white = [0.95047, 1, 1.08883];
  const xyz = product(
    [
      [0.412456, 0.357576, 0.180437],
      [0.212673, 0.715152, 0.072175],
      [0.019334, 0.119192, 0.950304],
    ],
    seen,
  ).map((part, i) => part / (white[i] ?? 1));
  const [x = 0, y = 0, z = 0] = xyz.map((part) => (part > 0.008856 ? Math.cbrt(part) : 7.787 * part + 16 / 116));
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

it('has a dark colour for each of the palette of drawings', () => {
  const source = readFileSync('../report-engine/chart/src/palette.rs', 'utf8');
  const [, list = ''] = /SERIES: \[Rgb; 8\] =\s*\[(.*?)\];/s.exec(source) ?? [];
  const parts = [...list.matchAll(/\((\d+), (\d+), (\d+)\)/g)].map(([, ...rgb]) =>
    rgb.map((part) => Number(part).toString(16).padStart(2, '0')).join(''),
  );
  expect(PALETTE.map(([light]) => light)).toEqual(parts.map((hex) => `#${hex}`));
  expect(parts).toHaveLength(8);
});

it.each(Object.entries(SIGHTS))('tells any two dark colours apart (%s)', (_, sight) => {
  const seen = PALETTE.map(([, dark]) => lab(dark, sight));
  seen.forEach((one, i) =>
    seen.slice(i + 1).forEach((other, j) => {
      const difference = Math.hypot(...one.map((part, k) => part - (other[k] ?? 0)));
      expect(difference, `${String(i)} and ${String(i + 1 + j)}`).toBeGreaterThanOrEqual(LEAST_DIFFERENCE);
    }),
  );
});

it('stands out from the ground of every dark theme, and what lies on it from it', () => {
  const css = readFileSync('src/gen/themes.css', 'utf8');
  const dark = [...css.matchAll(/\{\s*color-scheme: dark;(.*?)\}/gs)].map(([, rule = '']) => /--t-surface: (#\w+)/.exec(rule)?.[1] ?? '');
  expect(dark).toHaveLength(5);
  for (const [, colour] of PALETTE) {
    for (const ground of dark) expect(contrast(colour, ground), `${colour} on ${ground}`).toBeGreaterThanOrEqual(3);
    expect(contrast(ON_DARK[PAPER] ?? '', colour)).toBeGreaterThanOrEqual(4.5);
  }
});

it('leaves a colour that is none of the palette to the drawing, and lightens a line of the register', () => {
  expect(seriesColour('#123456')).toBeUndefined();
  expect(seriesColour(null)).toBeUndefined();
  expect(seriesColour('#008c6e')).toBe('light-dark(#008c6e, #49e897)');
  expect(lineColour('#7c3aed')).toContain('color-mix');
});
