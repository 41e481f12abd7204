import { describe, expect, it } from 'vitest';
import { formatBytes, formatDate, formatDateTime, formatNumber, formatTime, fromServer, toServerDate, toServerDateTime } from './format';

// The catalogue's spaces are ordinary or non-breaking, by the browser's locale data.
const plain = (text: string) => text.replace(/\s/g, ' ');

describe('dates', () => {
  it('are shown with a full stop after the year', () => {
    expect(formatDate('2026-03-05')).toBe('05.03.2026.');
    expect(formatDateTime('2026-03-05 14:30')).toBe('05.03.2026. 14:30');
    expect(formatTime('2026-03-05 14:30')).toBe('14:30');
  });

  it('survive the hour that spring skips', () => {
    expect(formatDateTime('2026-03-29 02:30')).toMatch(/^29\.03\.2026\. /);
    expect(formatDate('2026-03-29')).toBe('29.03.2026.');
  });

  it('come back from the calendar as the same day', () => {
    for (const day of ['1920-01-01', '1986-10-26', '2026-03-29', '2026-12-31']) expect(toServerDate(fromServer(day))).toBe(day);
    expect(toServerDateTime(fromServer('2026-03-05 14:30'))).toBe('2026-03-05 14:30');
  });

  it('that are missing or no dates are a dash', () => {
    expect(formatDate(null)).toBe('—');
    expect(formatDate('nije datum')).toBe('—');
    expect(toServerDate(null)).toBeNull();
  });
});

describe('numbers', () => {
  it('have a decimal comma and points between thousands', () => {
    expect(formatNumber(1234.5, 2)).toBe('1.234,50');
    expect(formatNumber(-1234567.891)).toBe('-1.234.567,891');
    expect(formatNumber(0)).toBe('0');
  });

  it('writes numbers as the language does, rounded or not', () => {
    for (const decimals of [undefined, 0, 1, 2, 4]) {
      const byLanguage = new Intl.NumberFormat('sr-Latn-RS', { minimumFractionDigits: decimals ?? 0, maximumFractionDigits: decimals ?? 6 });
      for (const magnitude of [1e-9, 1e-6, 0.01, 1, 10, 999.5, 1e3, 1e6, 1e12, 1e21]) {
        for (const digits of [1, 1.5, 2.675, 1.0049999, 9.99999951, 7.25]) {
          for (const number of [magnitude * digits, -magnitude * digits]) expect(formatNumber(number, decimals)).toBe(byLanguage.format(number));
        }
      }
    }
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
