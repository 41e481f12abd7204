//! The codebook: one line a variable.
use super::{
    cell::number,
    items,
    variables::{Kind, Variable},
};

pub const HEADS: [&str; 9] =
    ["promenljiva", "naziv", "tip", "jedinica", "sifre", "donja_granica", "gornja_granica", "polje", "mesto_na_formularu"];

pub fn line(variable: &Variable) -> [String; 9] {
    let (tip, sifre) = match &variable.kind {
        Kind::Number => ("broj", String::new()),
        Kind::Date => ("datum", String::new()),
        Kind::Time => ("vreme", String::new()),
        Kind::Moment => ("datum i vreme", String::new()),
        Kind::Text => ("tekst", String::new()),
        Kind::Codes(codes) => {
            let told: Vec<String> = codes.iter().map(|(code, label)| format!("{} = {label}", number(*code, ","))).collect();
            ("šifra", told.join(" | "))
        }
        Kind::Texts(texts) => {
            let told = |(text, label): &(String, String)| {
                if items::is_labelled_by_itself(text, label) { label.clone() } else { format!("{text} = {label}") }
            };
            ("stavka", texts.iter().map(told).collect::<Vec<_>>().join(" | "))
        }
    };
    let bound = |bound: Option<f64>| bound.map(|bound| number(bound, ",")).unwrap_or_default();
    [
        variable.ime.clone(),
        variable.naziv.clone(),
        tip.to_owned(),
        variable.jedinica.clone().unwrap_or_default(),
        sifre,
        bound(variable.granice.0),
        bound(variable.granice.1),
        variable.sifra.clone().unwrap_or_default(),
        variable.mesto.clone(),
    ]
}
