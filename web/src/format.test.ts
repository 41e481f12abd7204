import { describe, expect, it } from 'vitest';
import {
  decimalsOf,
  ended,
  formatBytes,
  formatDate,
  formatDateTime,
  formatNumber,
  formatTime,
  fromServer,
  plainNumber,
  toServerDate,
  toServerDateTime,
} from './format';

// The catalogue's spaces are ordinary or non-breaking, by the browser's locale data.
const plain = (text: string) => text.replace(/\s/g, ' ');

it('a sentence ends with one point, that of a date at its end too', () => {
  expect(ended('Očekuje se 5')).toBe('Očekuje se 5.');
  expect(ended('Očekuje se 01.01.2000.')).toBe('Očekuje se 01.01.2000.');
});

describe('dates', () => {
  it('are shown with a full stop after the year', () => {
    expect(formatDate('2026-03-05')).toBe('05.03.2026.');
    expect(formatDateTime('2026-03-05 14:30')).toBe('05.03.2026. 14:30');
    expect(formatTime('2026-03-05 14:30')).toBe('14:30');
  });

  it('survive the hour that spring skips', () => {
    expect(formatDateTime('2026-03-29 02:30')).toBe('29.03.2026. 02:30');
    expect(formatDate('2026-03-29')).toBe('29.03.2026.');
  });

  it('come back from the calendar as the same day', () => {
    for (const day of ['1920-01-01', '1986-10-26', '2026-03-29', '2026-12-31']) expect(toServerDate(fromServer(day))).toBe(day);
    expect(toServerDateTime(fromServer('2026-03-05 14:30'))).toBe('2026-03-05 14:30');
  });

  it('that are missing or no dates are a dash', () => {
    expect(formatDate(null)).toBe('—');
    expect(formatDate('nije datum')).toBe('—');
    for (const none of ['2026-02-30', '2026-13-01', '2026-03-05x', '2026-3', '2026-03-05 24:00', '2026-03-05 1:', '1-11-26', '26-3-5'])
      expect(fromServer(none)).toBe(null);
    expect(toServerDate(null)).toBeNull();
  });
});

describe('numbers', () => {
  it('are all their digits, in a box and elsewhere', () => {
    expect(formatNumber(-1234567.891)).toBe('−1.234.567,891');
    expect(plainNumber(-1234567.891)).toBe('-1234567,891');
    expect([plainNumber(1.5e-9), formatNumber(1.5e21)]).toEqual(['0,0000000015', '1.500.000.000.000.000.000.000']);
    expect([7, 7.5, 0.004, 1e-7].map(decimalsOf)).toEqual([0, 1, 3, 7]);
  });

  it('that are missing or infinite are a dash', () => {
    expect(formatNumber(null)).toBe('—');
    expect(formatNumber(Number.POSITIVE_INFINITY)).toBe('—');
  });

  it('of bytes are given in a unit a person reads', () => {
    expect(plain(formatBytes(0))).toBe('0 B');
    expect(plain(formatBytes(1536))).toBe('1,5 KB');
    expect(plain(formatBytes(10 * 1024 ** 2))).toBe('10 MB');
  });
});
