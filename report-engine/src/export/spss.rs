//! `ucitaj.sps`: reads the data into SPSS (or PSPP) with formats, labels and labels of codes.
use super::{
    cell::number,
    variables::{Kind, Variable},
};

/// Bytes that SPSS takes of a label of a variable, and of a label of a code.
const LABEL: usize = 255;
const CODE_LABEL: usize = 119;
const LONGEST_TEXT: usize = 32_000;
/// Bytes of a text that has a label.
const LONGEST_CODE: usize = 120;

/// `widths` are the bytes of the longest text of each variable.
pub fn script(variables: &[Variable], widths: &[usize]) -> String {
    let mut script = String::from(
        "\u{FEFF}* Učitava podatke izvezene iz Regixa. Pre pokretanja postavite radnu fasciklu naredbom CD 'fascikla'.\n\
         SET DECIMAL=COMMA.\n\
         GET DATA /TYPE=TXT /FILE='podaci.csv' /ENCODING='UTF8' /ARRANGEMENT=DELIMITED /DELCASE=LINE /FIRSTCASE=2\n  \
         /DELIMITERS=';' /QUALIFIER='\"' /VARIABLES=\n",
    );
    for (variable, width) in variables.iter().zip(widths) {
        let format = match variable.kind {
            Kind::Date => "SDATE10".to_owned(),
            Kind::Time => "TIME5".to_owned(),
            // As the file writes it: SPSS reads no T between a day and its time.
            Kind::Moment => "A16".to_owned(),
            // One more than the text for the tabulator that guards digits.
            Kind::Text => format!("A{}", (*width).clamp(1, LONGEST_TEXT)),
            // A label needs a variable as long as its value.
            Kind::Texts(ref texts) => {
                let longest = texts.iter().map(|(text, _)| text.len()).max().unwrap_or_default();
                format!("A{}", longest.max(*width).clamp(1, LONGEST_TEXT))
            }
            Kind::Number | Kind::Codes(_) => "F16.0".to_owned(),
        };
        script.push_str(&format!("  {} {format}\n", variable.ime));
    }
    script.push_str("  .\n");
    for variable in variables {
        if matches!(variable.kind, Kind::Text | Kind::Texts(_)) {
            script.push_str(&format!("COMPUTE {0} = RTRIM(RTRIM({0}), STRING(9, PIB1)).\n", variable.ime));
        } else if variable.kind == Kind::Number {
            script.push_str(&format!("FORMATS {} (F16.{}).\n", variable.ime, decimals(variable)));
        }
    }
    script.push_str("EXECUTE.\n");
    for variable in variables {
        script.push_str(&format!("VARIABLE LABELS {} {}.\n", variable.ime, quoted(&variable.naziv, LABEL)));
    }
    for variable in variables {
        let labels: Vec<String> = match &variable.kind {
            Kind::Codes(codes) => {
                codes.iter().map(|(code, label)| format!("{} {}", number(*code, "."), quoted(label, CODE_LABEL))).collect()
            }
            Kind::Texts(texts) => {
                let told = texts.iter().filter(|(text, label)| text != label && text.len() <= LONGEST_CODE);
                told.map(|(text, label)| format!("{} {}", quoted(text, LONGEST_CODE), quoted(label, CODE_LABEL))).collect()
            }
            _ => continue,
        };
        if !labels.is_empty() {
            script.push_str(&format!("VALUE LABELS {}\n  {}.\n", variable.ime, labels.join("\n  ")));
        }
    }
    script
}

/// Decimals that are shown; what is stored is read whole.
fn decimals(variable: &Variable) -> u8 {
    if variable.sifra.is_some() || !variable.mesto.is_empty() { 2 } else { 0 }
}

/// A text of SPSS on one line, cut to what it takes.
fn quoted(text: &str, most: usize) -> String {
    let mut out = String::new();
    for letter in text.chars() {
        let letter = if letter.is_control() { ' ' } else { letter };
        if out.len() + letter.len_utf8() > most {
            break;
        }
        out.push(letter);
    }
    format!("'{}'", out.replace('\'', "''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_ends_its_quotes_or_its_line_and_long_ones_are_cut_between_letters() {
        assert_eq!(quoted("d'Arsonval\n.", LABEL), "'d''Arsonval .'");
        assert_eq!(quoted(&"š".repeat(200), CODE_LABEL).chars().count(), 2 + CODE_LABEL / 2);
    }
}
