import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isMailableAddress, isWrittenAddress } from './mailAddress';

interface Cases {
  right: string[];
  wrong: string[];
}

/** The server is held to the same addresses. */
const { written, mailable } = JSON.parse(readFileSync(join(import.meta.dirname, '../../domain/address-cases.json'), 'utf8')) as Record<
  'written' | 'mailable',
  Cases
>;

describe('an address in a patient’s record', () => {
  it.each(written.right)('may be %j', (address) => expect(isWrittenAddress(address)).toBe(true));
  it.each(written.wrong)('cannot be %j', (address) => expect(isWrittenAddress(address)).toBe(false));
});

describe('an address that reports are mailed to', () => {
  it.each(mailable.right)('may be %j', (address) => expect(isMailableAddress(address)).toBe(true));
  it.each(mailable.wrong)('cannot be %j', (address) => expect(isMailableAddress(address)).toBe(false));
});
