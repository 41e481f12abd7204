//! `x ^ y` of other systems as `pow(x, y)`.

const SIGN: &str = "^";

/// Parts of a formula in which every power is written as a call.
pub fn as_calls(mut parts: Vec<String>) -> Result<Vec<String>, String> {
    while let Some(at) = parts.iter().position(|part| part == SIGN) {
        let base = first_of(&parts[..at]).ok_or("znak „^” bez osnove")?;
        let exponent = at + 1 + length(&parts[at + 1..]).ok_or("znak „^” bez izložioca")?;
        if parts.get(exponent).is_some_and(|next| next == SIGN) {
            return Err("stepen stepena, koji se čita dvojako".to_owned());
        }
        let call = [&["pow(".to_owned()], &parts[base..at], &[",".to_owned()], &parts[at + 1..exponent], &[")".to_owned()]].concat();
        parts.splice(base..exponent, call);
    }
    Ok(parts)
}

fn opens(part: &str) -> bool {
    part.ends_with('(')
}

fn is_value(part: &str) -> bool {
    part.starts_with('$') || part.starts_with(|first: char| first.is_ascii_digit())
}

/// Where the last operand of what stands before begins: a value, or what lies in brackets with the function before them.
fn first_of(before: &[String]) -> Option<usize> {
    let last = before.last()?;
    if is_value(last) {
        return Some(before.len() - 1);
    }
    let mut depth = 0_usize;
    for (at, part) in before.iter().enumerate().rev() {
        match part.as_str() {
            ")" => depth += 1,
            part if opens(part) => depth = depth.checked_sub(1)?,
            _ => {}
        }
        if depth == 0 {
            return (at + 1 < before.len()).then_some(at);
        }
    }
    None
}

/// Of how many parts the first operand of what stands behind is.
fn length(behind: &[String]) -> Option<usize> {
    let first = behind.first()?;
    if first == "-" {
        return Some(1 + length(&behind[1..])?);
    }
    if is_value(first) {
        return Some(1);
    }
    let mut depth = 0_usize;
    for (at, part) in behind.iter().enumerate() {
        match part.as_str() {
            ")" => depth = depth.checked_sub(1)?,
            part if opens(part) => depth += 1,
            _ => {}
        }
        if depth == 0 {
            return (at > 0).then_some(at + 1);
        }
    }
    None
}
