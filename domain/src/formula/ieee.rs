//! `exp`, `ln`, `log10` and `pow` after FreeBSD's msun, operation by operation: platforms differ in the last digit of
//! these functions, and `web/src/forms/formula/ieee.ts` computes the very same doubles. Basic operations and the square
//! root are exact by the standard and need no such care. The error stays under one unit in the last place.
//!
//! Copyright (C) 1993, 2004 by Sun Microsystems, Inc. All rights reserved. Permission to use, copy, modify, and distribute
//! this software is freely granted, provided that this notice is preserved.

#![expect(clippy::excessive_precision, clippy::approx_constant, reason = "the constants are written as in the source they come from")]

const LN2_HI: f64 = 6.93147180369123816490e-01;
const LN2_LO: f64 = 1.90821492927058770002e-10;
const INV_LN2: f64 = 1.44269504088896338700e+00;

/// e to the power of `x`.
pub fn exp(x: f64) -> f64 {
    if x.is_nan() {
        return x;
    }
    if x > 709.782712893383973096 {
        return f64::INFINITY;
    }
    if x < -745.13321910194110842 {
        return 0.0;
    }
    let size = x.abs();
    // x = k ln 2 + r, and r = hi - lo
    let (k, hi, lo) = if size > 0.5 * core::f64::consts::LN_2 {
        let k = if size >= 1.5 * core::f64::consts::LN_2 {
            (INV_LN2 * x + if x < 0.0 { -0.5 } else { 0.5 }).trunc()
        } else if x < 0.0 {
            -1.0
        } else {
            1.0
        };
        (k, x - k * LN2_HI, k * LN2_LO)
    } else if size > 3.7252902984619140625e-9 {
        (0.0, x, 0.0)
    } else {
        return 1.0 + x;
    };
    let r = hi - lo;
    let c = r - tail(r * r);
    let y = 1.0 + (r * c / (2.0 - c) - lo + hi);
    scaled(y, k as i32)
}

/// P1 z + P2 z² + … + P5 z⁵ of the series that `exp` and `pow` share.
fn tail(z: f64) -> f64 {
    z * (1.66666666666666019037e-01
        + z * (-2.77777777770155933842e-03
            + z * (6.61375632143793436117e-05 + z * (-1.65339022054652515390e-06 + z * 4.13813679705723846039e-08))))
}

/// Natural logarithm.
pub fn ln(x: f64) -> f64 {
    match Log::of(x) {
        Ok(Log { k, f, hfsq, s, r }) => s * (hfsq + r) + k * LN2_LO - hfsq + f + k * LN2_HI,
        Err(special) => special,
    }
}

/// Logarithm to the base 10.
pub fn log10(x: f64) -> f64 {
    let Log { k, f, hfsq, s, r } = match Log::of(x) {
        Ok(log) => log,
        Err(special) => return special,
    };
    let hi = high_half(f - hfsq);
    let lo = f - hi - hfsq + s * (hfsq + r);
    let val_hi = hi * 4.34294481878168880939e-01;
    let y = k * 3.01029995663611771306e-01;
    let val_lo = k * 3.69423907715893078616e-13 + (lo + hi) * 2.50829467116452752298e-11 + lo * 4.34294481878168880939e-01;
    let w = y + val_hi;
    val_lo + ((y - w) + val_hi) + w
}

/// x = 2^k (1 + f), and what the logarithm of 1 + f is made of.
struct Log {
    k: f64,
    f: f64,
    hfsq: f64,
    s: f64,
    r: f64,
}

impl Log {
    /// `Err` is the logarithm itself where there is nothing to compute.
    fn of(mut x: f64) -> Result<Self, f64> {
        if x.is_nan() || x == f64::INFINITY {
            return Err(x);
        }
        if x == 0.0 {
            return Err(f64::NEG_INFINITY);
        }
        if x < 0.0 {
            return Err(f64::NAN);
        }
        if x == 1.0 {
            return Err(0.0);
        }
        let mut k = 0;
        if high(x) < 0x0010_0000 {
            k -= 54;
            x *= 18014398509481984.0;
        }
        // Into [√2/2, √2].
        let hx = high(x) + (0x3ff0_0000 - 0x3fe6_a09e);
        k += (hx >> 20) - 0x3ff;
        x = with_high(x, (hx & 0x000f_ffff) + 0x3fe6_a09e);

        let f = x - 1.0;
        let s = f / (2.0 + f);
        let z = s * s;
        let w = z * z;
        let t1 = w * (3.999999999940941908e-01 + w * (2.222219843214978396e-01 + w * 1.531383769920937332e-01));
        let t2 =
            z * (6.666666666666735130e-01 + w * (2.857142874366239149e-01 + w * (1.818357216161805012e-01 + w * 1.479819860511658591e-01)));
        Ok(Self { k: f64::from(k), f, hfsq: 0.5 * f * f, s, r: t2 + t1 })
    }
}

/// `x` to the power of `y`.
pub fn pow(x: f64, y: f64) -> f64 {
    if y == 0.0 || x == 1.0 {
        return 1.0;
    }
    if x.is_nan() || y.is_nan() {
        return f64::NAN;
    }
    if y.is_infinite() {
        return if x == -1.0 {
            1.0
        } else if (x.abs() > 1.0) == (y > 0.0) {
            f64::INFINITY
        } else {
            0.0
        };
    }
    if y == 1.0 {
        return x;
    }
    if y == -1.0 {
        return 1.0 / x;
    }
    if y == 2.0 {
        return x * x;
    }
    if y == 0.5 && x >= 0.0 {
        return x.sqrt();
    }
    let whole = y.floor() == y;
    let odd = whole && (y % 2.0).abs() == 1.0;
    let negative = x < 0.0 || (x == 0.0 && 1.0 / x < 0.0);
    let sign = if negative && odd { -1.0 } else { 1.0 };
    if x == 0.0 || x.is_infinite() || x == -1.0 {
        if x == -1.0 && !whole {
            return f64::NAN;
        }
        return sign * if y < 0.0 { 1.0 / x.abs() } else { x.abs() };
    }
    if negative && !whole {
        return f64::NAN;
    }
    let (t1, t2) = log2(x.abs());
    sign * exp2_of_product(y, t1, t2)
}

/// The binary logarithm of `ax` in two pieces, the first with its low half empty.
fn log2(mut ax: f64) -> (f64, f64) {
    let mut n = 0;
    if high(ax) < 0x0010_0000 {
        ax *= 9007199254740992.0;
        n -= 53;
    }
    let ix = high(ax);
    n += (ix >> 20) - 0x3ff;
    let j = ix & 0x000f_ffff;
    let mut ix = j | 0x3ff0_0000;
    // Nearest of 1 and 1.5, and what its logarithm adds.
    let mut near_half = false;
    if j > 0x3988e {
        if j < 0xbb67a {
            near_half = true;
        } else {
            n += 1;
            ix -= 0x0010_0000;
        }
    }
    let (bp, dp_h, dp_l) = if near_half { (1.5, 5.84962487220764160156e-01, 1.35003920212974897128e-08) } else { (1.0, 0.0, 0.0) };
    ax = with_high(ax, ix);

    let u = ax - bp;
    let v = 1.0 / (ax + bp);
    let ss = u * v;
    let s_h = high_half(ss);
    let t_h = from_high(((ix >> 1) | 0x2000_0000) + 0x0008_0000 + if near_half { 0x0004_0000 } else { 0 });
    let t_l = ax - (t_h - bp);
    let s_l = v * ((u - s_h * t_h) - s_h * t_l);
    let s2 = ss * ss;
    let r = s2
        * s2
        * (5.99999999999994648725e-01
            + s2 * (4.28571428578550184252e-01
                + s2 * (3.33333329818377432918e-01
                    + s2 * (2.72728123808534006489e-01 + s2 * (2.30660745775561754067e-01 + s2 * 2.06975017800338417784e-01)))))
        + s_l * (s_h + ss);
    let s2 = s_h * s_h;
    let t_h = high_half(3.0 + s2 + r);
    let t_l = r - ((t_h - 3.0) - s2);
    let u = s_h * t_h;
    let v = s_l * t_h + t_l * ss;
    let p_h = high_half(u + v);
    let p_l = v - (p_h - u);
    let z_h = 9.61796700954437255859e-01 * p_h;
    let z_l = -7.02846165095275826516e-09 * p_h + p_l * 9.61796693925975554329e-01 + dp_l;
    let t = f64::from(n);
    let t1 = high_half(((z_h + z_l) + dp_h) + t);
    (t1, z_l - (((t1 - t) - dp_h) - z_h))
}

/// 2 to the power of `y (t1 + t2)`.
fn exp2_of_product(y: f64, t1: f64, t2: f64) -> f64 {
    let y1 = high_half(y);
    let p_l = (y - y1) * t1 + y * t2;
    let mut p_h = y1 * t1;
    let z = p_l + p_h;
    if z > 1024.0 || (z == 1024.0 && p_l + 8.0085662595372944372e-17 > z - p_h) {
        return f64::INFINITY;
    }
    if z < -1075.0 || (z == -1075.0 && p_l <= z - p_h) {
        return 0.0;
    }
    let mut n = 0.0;
    if z.abs() > 0.5 {
        n = if z < 0.0 { (z - 0.5).ceil() } else { (z + 0.5).floor() };
        p_h -= n;
    }
    let t = high_half(p_l + p_h);
    let u = t * 6.93147182464599609375e-01;
    let v = (p_l - (t - p_h)) * 6.93147180559945286227e-01 + t * -1.90465429995776804525e-09;
    let z = u + v;
    let w = v - (z - u);
    let t1 = z - tail(z * z);
    let r = (z * t1) / (t1 - 2.0) - (w + z * w);
    scaled(1.0 - (r - z), n as i32)
}

/// `x` times 2 to the power of `k`, for `k` from -1075 to 1024, rounded once.
fn scaled(x: f64, k: i32) -> f64 {
    if k > 1023 {
        x * power_of_two(1023) * power_of_two(k - 1023)
    } else if k < -1022 {
        x * power_of_two(-969) * power_of_two(k + 969)
    } else {
        x * power_of_two(k)
    }
}

fn power_of_two(k: i32) -> f64 {
    from_high((k + 0x3ff) << 20)
}

/// The high 32 bits of a positive number.
fn high(x: f64) -> i32 {
    (x.to_bits() >> 32) as i32
}

fn with_high(x: f64, high: i32) -> f64 {
    f64::from_bits(((high as u32 as u64) << 32) | (x.to_bits() & 0xffff_ffff))
}

fn from_high(high: i32) -> f64 {
    f64::from_bits((high as u32 as u64) << 32)
}

/// `x` with the low 32 bits cleared.
fn high_half(x: f64) -> f64 {
    f64::from_bits(x.to_bits() & 0xffff_ffff_0000_0000)
}
