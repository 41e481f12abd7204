//! `ucitaj.R`: reads the data with their types, codes as factors, labels as attributes. Base R, no packages.
use super::{
    cell::number,
    variables::{Kind, Variable},
};

const HEAD: &str = r#"# Učitava podatke izvezene iz Regixa. Postavite radnu fasciklu na onu u kojoj je raspakovan ZIP (setwd).
podaci <- read.csv2("podaci.csv", fileEncoding = "UTF-8-BOM", colClasses = "character", na.strings = "",
                    check.names = FALSE, quote = "\"", comment.char = "")
broj <- function(x) as.numeric(sub(",", ".", x, fixed = TRUE))
datum <- function(x) as.Date(x, format = "%Y-%m-%d")
vreme <- function(x) as.difftime(x, format = "%H:%M", units = "mins")
trenutak <- function(x) as.POSIXct(x, format = "%Y-%m-%dT%H:%M", tz = "Europe/Belgrade")
# U CSV-u tekst koji liči na formulu ima apostrof ispred sebe, a broj koji je tekst tabulator iza sebe.
tekst <- function(x) sub("\t$", "", sub("^'(?=[=+@\t\uFF1D\uFF0B\uFF0D\uFF20-])", "", x, perl = TRUE))
sifra <- function(x, sifre, nazivi) factor(broj(x), levels = sifre, labels = nazivi)
stavka <- function(x, sifre, nazivi) factor(tekst(x), levels = sifre, labels = nazivi)
opis <- function(x, naziv) { attr(x, "label") <- naziv; x }

"#;

pub fn script(variables: &[Variable]) -> String {
    let mut script = HEAD.to_owned();
    for variable in variables {
        let column = format!("podaci${}", variable.ime);
        let read = match &variable.kind {
            Kind::Number => format!("broj({column})"),
            Kind::Date => format!("datum({column})"),
            Kind::Time => format!("vreme({column})"),
            Kind::Moment => format!("trenutak({column})"),
            Kind::Text => format!("tekst({column})"),
            Kind::Texts(texts) if texts.is_empty() => format!("tekst({column})"),
            Kind::Texts(texts) => {
                let values: Vec<String> = texts.iter().map(|(text, _)| quoted(text)).collect();
                let labels: Vec<String> = texts.iter().map(|(_, label)| quoted(label)).collect();
                format!("stavka({column}, c({}), c({}))", values.join(", "), labels.join(", "))
            }
            Kind::Codes(codes) if codes.is_empty() => format!("broj({column})"),
            Kind::Codes(codes) => {
                let numbers: Vec<String> = codes.iter().map(|(code, _)| number(*code, ".")).collect();
                let labels: Vec<String> = codes.iter().map(|(_, label)| quoted(label)).collect();
                format!("sifra({column}, c({}), c({}))", numbers.join(", "), labels.join(", "))
            }
        };
        script.push_str(&format!("{column} <- opis({read}, {})\n", quoted(&variable.naziv)));
    }
    script.push_str("\nstr(podaci)\n");
    script
}

/// A text of R, whatever stands in it.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' | '\\' => out.extend(['\\', letter]),
            letter if letter.is_control() => out.push(' '),
            letter => out.push(letter),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_ends_its_quotes() {
        assert_eq!(quoted("a\"); system(\"x\\"), r#""a\"); system(\"x\\""#);
        assert_eq!(quoted("red\nred"), "\"red red\"");
    }
}
