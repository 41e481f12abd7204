/**
 * `exp`, `ln`, `log10` and `pow` after FreeBSD's msun, operation by operation, as the crate `libm` computes them on the
 * server: engines differ in the last digit of their own. With V8's own the sums `ln`, `log10 of any` and `pow` of
 * `domain/formula-generated.json` are others, and 15 digits of `ln(185)` end in 3 instead of 2, so that
 * `ln($(a)) > 5.22035582507832` would hold in the browser and not on the server. Its `exp` is the same; other engines' need not be.
 *
 * Copyright (C) 1993, 2004 by Sun Microsystems, Inc. All rights reserved. Permission to use, copy, modify, and distribute
 * this software is freely granted, provided that this notice is preserved.
 */
/* eslint-disable no-loss-of-precision -- the constants are written as in the source they come from */

const LN2_HI = 6.9314718036912381649e-1;
const LN2_LO = 1.90821492927058770002e-10;
const INV_LN2 = 1.442695040888963387;

/** e to the power of x. */
export function exp(x: number): number {
  if (Number.isNaN(x)) return x;
  if (x > 709.782712893383973096) return Infinity;
  if (x < -745.13321910194110842) return 0;
  const size = Math.abs(x);
  // x = k ln 2 + r, and r = hi - lo
  let [k, hi, lo] = [0, x, 0];
  if (size > 0.5 * Math.LN2) {
    if (size >= 1.5 * Math.LN2) k = Math.trunc(INV_LN2 * x + (x < 0 ? -0.5 : 0.5));
    else k = x < 0 ? -1 : 1;
    hi = x - k * LN2_HI;
    lo = k * LN2_LO;
  } else if (size <= 3.7252902984619140625e-9) {
    return 1 + x;
  }
  const r = hi - lo;
  const c = r - tail(r * r);
  const y = 1 + ((r * c) / (2 - c) - lo + hi);
  return scaled(y, k);
}

/** P1 z + P2 z² + … + P5 z⁵ of the series that exp and pow share. */
function tail(z: number): number {
  return (
    z *
    (1.66666666666666019037e-1 +
      z * (-2.77777777770155933842e-3 + z * (6.61375632143793436117e-5 + z * (-1.6533902205465251539e-6 + z * 4.13813679705723846039e-8))))
  );
}

/** Natural logarithm. */
export function ln(x: number): number {
  const log = logarithm(x);
  if (typeof log === 'number') return log;
  const { k, f, hfsq, s, r } = log;
  return s * (hfsq + r) + k * LN2_LO - hfsq + f + k * LN2_HI;
}

/** Logarithm to the base 10. */
export function log10(x: number): number {
  const log = logarithm(x);
  if (typeof log === 'number') return log;
  const { k, f, hfsq, s, r } = log;
  const hi = highHalf(f - hfsq);
  const lo = f - hi - hfsq + s * (hfsq + r);
  const valHi = hi * 4.34294481878168880939e-1;
  const y = k * 3.01029995663611771306e-1;
  const valLo = k * 3.69423907715893078616e-13 + (lo + hi) * 2.50829467116452752298e-11 + lo * 4.34294481878168880939e-1;
  const w = y + valHi;
  return valLo + (y - w + valHi) + w;
}

/** x = 2^k (1 + f), and what the logarithm of 1 + f is made of. */
interface Log {
  k: number;
  f: number;
  hfsq: number;
  s: number;
  r: number;
}

/** A number is the logarithm itself, where there is nothing to compute. */
function logarithm(given: number): Log | number {
  if (Number.isNaN(given) || given === Infinity) return given;
  if (given === 0) return -Infinity;
  if (given < 0) return NaN;
  if (given === 1) return 0;
  let [x, k] = [given, 0];
  if (high(x) < 0x00100000) {
    k -= 54;
    x *= 18014398509481984;
  }
  // Into [√2/2, √2].
  const hx = high(x) + (0x3ff00000 - 0x3fe6a09e);
  k += (hx >> 20) - 0x3ff;
  x = withHigh(x, (hx & 0x000fffff) + 0x3fe6a09e);

  const f = x - 1;
  const s = f / (2 + f);
  const z = s * s;
  const w = z * z;
  const t1 = w * (3.999999999940941908e-1 + w * (2.222219843214978396e-1 + w * 1.531383769920937332e-1));
  const t2 = z * (6.66666666666673513e-1 + w * (2.857142874366239149e-1 + w * (1.818357216161805012e-1 + w * 1.479819860511658591e-1)));
  return { k, f, hfsq: 0.5 * f * f, s, r: t2 + t1 };
}

/** x to the power of y. */
export function pow(x: number, y: number): number {
  if (y === 0 || x === 1) return 1;
  if (Number.isNaN(x) || Number.isNaN(y)) return NaN;
  if (!Number.isFinite(y)) {
    if (x === -1) return 1;
    return Math.abs(x) > 1 === y > 0 ? Infinity : 0;
  }
  if (y === 1) return x;
  if (y === -1) return 1 / x;
  if (y === 2) return x * x;
  if (y === 0.5 && x >= 0) return Math.sqrt(x);
  const whole = Math.floor(y) === y;
  const odd = whole && Math.abs(y % 2) === 1;
  const negative = x < 0 || (x === 0 && 1 / x < 0);
  const sign = negative && odd ? -1 : 1;
  if (x === 0 || !Number.isFinite(x) || x === -1) {
    if (x === -1 && !whole) return NaN;
    return sign * (y < 0 ? 1 / Math.abs(x) : Math.abs(x));
  }
  if (negative && !whole) return NaN;
  const [t1, t2] = log2(Math.abs(x));
  return sign * exp2OfProduct(y, t1, t2);
}

/** The binary logarithm of `given` in two pieces, the first with its low half empty. */
function log2(given: number): [number, number] {
  let [ax, n] = [given, 0];
  if (high(ax) < 0x00100000) {
    ax *= 9007199254740992;
    n -= 53;
  }
  let ix = high(ax);
  n += (ix >> 20) - 0x3ff;
  const j = ix & 0x000fffff;
  ix = j | 0x3ff00000;
  // Nearest of 1 and 1.5, and what its logarithm adds.
  let nearHalf = false;
  if (j > 0x3988e) {
    if (j < 0xbb67a) {
      nearHalf = true;
    } else {
      n += 1;
      ix -= 0x00100000;
    }
  }
  const [bp, dpH, dpL] = nearHalf ? [1.5, 5.84962487220764160156e-1, 1.35003920212974897128e-8] : [1, 0, 0];
  ax = withHigh(ax, ix);

  const ss = (ax - bp) * (1 / (ax + bp));
  const sH = highHalf(ss);
  const tH = fromHigh(((ix >> 1) | 0x20000000) + 0x00080000 + (nearHalf ? 0x00040000 : 0));
  const tL = ax - (tH - bp);
  const sL = (1 / (ax + bp)) * (ax - bp - sH * tH - sH * tL);
  const s2 = ss * ss;
  const r =
    s2 *
      s2 *
      (5.99999999999994648725e-1 +
        s2 *
          (4.28571428578550184252e-1 +
            s2 *
              (3.33333329818377432918e-1 +
                s2 * (2.72728123808534006489e-1 + s2 * (2.30660745775561754067e-1 + s2 * 2.06975017800338417784e-1))))) +
    sL * (sH + ss);
  const sH2 = sH * sH;
  const th = highHalf(3 + sH2 + r);
  const tl = r - (th - 3 - sH2);
  const u = sH * th;
  const v = sL * th + tl * ss;
  const pH = highHalf(u + v);
  const pL = v - (pH - u);
  const zH = 9.61796700954437255859e-1 * pH;
  const zL = -7.02846165095275826516e-9 * pH + pL * 9.61796693925975554329e-1 + dpL;
  const t1 = highHalf(zH + zL + dpH + n);
  return [t1, zL - (t1 - n - dpH - zH)];
}

/** 2 to the power of y (t1 + t2). */
function exp2OfProduct(y: number, t1: number, t2: number): number {
  const y1 = highHalf(y);
  const pL = (y - y1) * t1 + y * t2;
  let pH = y1 * t1;
  const whole = pL + pH;
  if (whole > 1024 || (whole === 1024 && pL + 8.0085662595372944372e-17 > whole - pH)) return Infinity;
  if (whole < -1075 || (whole === -1075 && pL <= whole - pH)) return 0;
  let n = 0;
  if (Math.abs(whole) > 0.5) {
    n = whole < 0 ? Math.ceil(whole - 0.5) : Math.floor(whole + 0.5);
    pH -= n;
  }
  const t = highHalf(pL + pH);
  const u = t * 6.93147182464599609375e-1;
  const v = (pL - (t - pH)) * 6.93147180559945286227e-1 + t * -1.90465429995776804525e-9;
  const z = u + v;
  const w = v - (z - u);
  const c = z - tail(z * z);
  const r = (z * c) / (c - 2) - (w + z * w);
  return scaled(1 - (r - z), n);
}

/** x times 2 to the power of k, for k from -1075 to 1024, rounded once. */
function scaled(x: number, k: number): number {
  if (k > 1023) return x * powerOfTwo(1023) * powerOfTwo(k - 1023);
  if (k < -1022) return x * powerOfTwo(-969) * powerOfTwo(k + 969);
  return x * powerOfTwo(k);
}

function powerOfTwo(k: number): number {
  return fromHigh((k + 0x3ff) << 20);
}

const bits = new DataView(new ArrayBuffer(8));

/** The high 32 bits of a positive number. */
function high(x: number): number {
  bits.setFloat64(0, x);
  return bits.getInt32(0);
}

function withHigh(x: number, word: number): number {
  bits.setFloat64(0, x);
  bits.setInt32(0, word);
  return bits.getFloat64(0);
}

function fromHigh(word: number): number {
  bits.setInt32(0, word);
  bits.setInt32(4, 0);
  return bits.getFloat64(0);
}

/** x with the low 32 bits cleared. */
function highHalf(x: number): number {
  bits.setFloat64(0, x);
  bits.setInt32(4, 0);
  return bits.getFloat64(0);
}
