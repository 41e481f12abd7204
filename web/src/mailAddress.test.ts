import { describe, expect, it } from 'vitest';
import { isMailableAddress, isWrittenAddress } from './mailAddress';

const long = (local: number, label: number) => `${'a'.repeat(local)}@${'b'.repeat(label)}.rs`;
const labels = (length: number) => `a@${`${'b'.repeat(63)}.`.repeat(3)}${'c'.repeat(length - 197)}.rs`;

describe('an address in a patient’s record', () => {
  it.each([
    'a@b.rs',
    'ime.prezime@klinika.bg.ac.rs',
    "o'neil+reg@x-y.org",
    'đorđe@пример.срб',
    '.ana.@kcs.rs',
    'ana@-kcs.rs',
    'ana@10.0.0.1',
    'a\ufeffna@kcs.rs',
    long(100, 100),
    long(249, 1),
    `${'đ'.repeat(124)}a@b.rs`,
  ])('may be %j', (address) => expect(isWrittenAddress(address)).toBe(true));

  it.each([
    '',
    'a',
    'a@',
    '@b.rs',
    'a@b',
    'a@b..rs',
    'a@.rs',
    'a@b.',
    'a b@c.rs',
    'a\u0085b@c.rs',
    'a\u00a0b@c.rs',
    'a\u0007b@c.rs',
    'a@b.rs\r\nBcc: c@d.rs',
    'a@@b.rs',
    'a@b@c.rs',
    ...Array.from(',;:<>()[]\\"').flatMap((mark) => [`a${mark}@b.rs`, `a@b${mark}.rs`]),
    long(250, 1),
    `${'đ'.repeat(125)}@b.rs`,
  ])('cannot be %j', (address) => expect(isWrittenAddress(address)).toBe(false));
});

describe('an address that reports are mailed to', () => {
  it.each([
    "o'neil+izvestaji@sub.klinika.co.rs",
    "!#$%&'*+-/=?^_`{|}~@kcs.rs",
    'a.b_c-d@x1.rs',
    'SEF@KCS.RS',
    'sef@xn--e1aybc.xn--90a3ac',
    'sef@kcs.1a',
    long(64, 63),
    labels(254),
  ])('may be %j', (address) => expect(isMailableAddress(address)).toBe(true));

  it.each([
    '',
    'ana',
    'ana@',
    '@kcs.rs',
    'ana@kcs',
    'ana@kcs..rs',
    'ana@kcs.rs.',
    'a na@kcs.rs',
    'ana@-kcs.rs',
    'ana@kcs-.rs',
    'ana@kc_s.rs',
    '.ana@kcs.rs',
    'ana.@kcs.rs',
    'a..na@kcs.rs',
    'ana@kcs.rs,mika@kcs.rs',
    'ana@kcs.rs\r\nBcc: x@y.rs',
    'ana@kcs.rs\n',
    'čika@kcs.rs',
    'ana@клиника.срб',
    'ana@\u212acs.rs',
    'ana@kcſ.rs',
    'ana@10.0.0.1',
    '"ana b"@kcs.rs',
    'a@b@kcs.rs',
    'ana@kcs.rs@',
    long(65, 1),
    long(1, 64),
    labels(255),
  ])('cannot be %j', (address) => expect(isMailableAddress(address)).toBe(false));
});
