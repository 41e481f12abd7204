//! Units of one quantity by the metric prefixes of UCUM: how many of one are in another. What is not known here is not converted.

use rust_decimal::Decimal;

/// What is written so times this is in `to`; none where the two do not measure the same.
pub fn factor(from: &str, to: &str) -> Option<Decimal> {
    if from == to {
        return Some(Decimal::ONE);
    }
    let (over, under) = (split(from), split(to));
    if over.len() != under.len() {
        return None;
    }
    let mut factor = Decimal::ONE;
    for (at, (one, other)) in over.into_iter().zip(under).enumerate() {
        let ((size, base), (other_size, other_base)) = (sized(one)?, sized(other)?);
        if base != other_base {
            return None;
        }
        let part = size.checked_div(other_size)?;
        factor = if at == 0 { factor.checked_mul(part)? } else { factor.checked_div(part)? };
    }
    Some(factor.normalize())
}

fn split(unit: &str) -> Vec<&str> {
    unit.trim().split('/').map(str::trim).collect()
}

/// How many of its base a unit is.
fn sized(unit: &str) -> Option<(Decimal, &'static str)> {
    const BASES: [(&str, &str); 6] = [("g", "g"), ("m", "m"), ("L", "L"), ("l", "L"), ("mol", "mol"), ("s", "s")];
    const PREFIXES: [(&str, i64, u32); 9] =
        [("k", 1000, 0), ("h", 100, 0), ("", 1, 0), ("d", 1, 1), ("c", 1, 2), ("m", 1, 3), ("u", 1, 6), ("µ", 1, 6), ("n", 1, 9)];
    const TIMES: [(&str, i64, &str); 6] =
        [("min", 60, "s"), ("h", 3600, "s"), ("d", 86_400, "s"), ("wk", 604_800, "s"), ("mo", 1, "mo"), ("a", 12, "mo")];
    if let Some((_, size, base)) = TIMES.into_iter().find(|(name, ..)| *name == unit) {
        return Some((Decimal::from(size), base));
    }
    BASES.into_iter().find_map(|(name, base)| {
        let prefix = unit.strip_suffix(name)?;
        let (_, whole, scale) = PREFIXES.into_iter().find(|(known, ..)| *known == prefix)?;
        Some((Decimal::new(whole, scale), base))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_of_one_quantity_are_converted_and_no_others() {
        for (from, to, expected) in [
            ("g", "kg", Some("0.001")),
            ("kg", "g", Some("1000")),
            ("mg/dL", "g/L", Some("0.01")),
            ("mmol/L", "mol/L", Some("0.001")),
            ("cm", "m", Some("0.01")),
            ("wk", "d", Some("7")),
            ("a", "mo", Some("12")),
            ("[lb_av]", "[lb_av]", Some("1")),
            ("g", "m", None),
            ("mg/dL", "mmol/L", None),
            ("[lb_av]", "kg", None),
            ("mo", "d", None),
            ("g/L", "g", None),
        ] {
            assert_eq!(factor(from, to), expected.map(|text| text.parse().unwrap()), "{from} in {to}");
        }
    }
}
