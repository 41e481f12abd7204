//! A form as a workbook for people: a blank form to be printed and filled in by hand, and what each field, option and rule is.

mod blank;

use std::collections::HashMap;

use anyhow::Context;
use domain::register::ValueType;
use rust_decimal::Decimal;
use rust_xlsxwriter::{Format, FormatAlign, Workbook, XlsxError};

use crate::import::definition::{AttributeType, Definition, EnumItem, FieldDefinition, FormDefinition, code};

/// Letters of one cell.
const LONGEST_TEXT: usize = 32_767;

pub const FIELDS: ([&str; 14], [f64; 14]) = (
    [
        "šifra",
        "naziv",
        "mesto",
        "vrsta",
        "jedinica",
        "od",
        "do",
        "decimale",
        "obavezno",
        "stavke",
        "prikazuje se ako",
        "obavezno ako",
        "računa se",
        "napomena",
    ],
    [18.0, 40.0, 30.0, 16.0, 12.0, 8.0, 8.0, 9.0, 9.0, 60.0, 40.0, 40.0, 60.0, 40.0],
);
const ITEMS: ([&str; 6], [f64; 6]) = (["skup", "šifra", "stavka", "težina", "opis", "bira se"], [30.0, 14.0, 50.0, 8.0, 40.0, 8.0]);
const RULES: ([&str; 4], [f64; 4]) = (["vrsta", "netačno je ako", "poruka", "polje"], [14.0, 60.0, 60.0, 18.0]);

/// The bytes of an XLSX file.
pub fn bytes(definition: &Definition) -> anyhow::Result<Vec<u8>> {
    let form = Form::of(definition).context("a file without a form")?;
    let mut workbook = Workbook::new();
    blank::draw(workbook.add_worksheet(), &form)?;
    list(
        &mut workbook,
        "šifarnik",
        FIELDS,
        form.all().filter(|field| form.kind(field).is_some_and(ValueType::holds_value)).map(|field| form.line(field)),
    )?;
    let items = definition.attribute_types.iter().flat_map(|known| known.stavke.iter().map(|item| item_line(known, item)));
    list(&mut workbook, "stavke", ITEMS, items)?;
    let rules = form.own.pravila.iter().map(|rule| {
        let polje = rule.own.polje.clone().unwrap_or_default();
        [rule.own.vrsta.name().to_owned(), form.told(&rule.own.uslov), rule.own.poruka.clone(), polje]
    });
    list(&mut workbook, "pravila", RULES, rules)?;
    Ok(workbook.save_to_buffer()?)
}

fn list<const N: usize>(
    workbook: &mut Workbook,
    name: &str,
    (heads, widths): ([&str; N], [f64; N]),
    lines: impl Iterator<Item = [String; N]>,
) -> Result<(), XlsxError> {
    let (head, cell) = (Format::new().set_bold(), Format::new().set_text_wrap().set_align(FormatAlign::Top));
    let sheet = workbook.add_worksheet();
    sheet.set_name(name)?;
    sheet.set_freeze_panes(1, 0)?;
    for (column, (title, width)) in (0_u16..).zip(heads.into_iter().zip(widths)) {
        sheet.set_column_width(column, width)?;
        sheet.write_string_with_format(0, column, title, &head)?;
    }
    for (row, line) in (1_u32..).zip(lines) {
        for (column, text) in (0_u16..).zip(line) {
            sheet.write_string_with_format(row, column, fit(&text), &cell)?;
        }
    }
    Ok(())
}

fn fit(text: &str) -> String {
    text.chars().take(LONGEST_TEXT).collect()
}

/// A form with its fields by code.
pub struct Form<'a> {
    pub own: &'a FormDefinition,
    fields: HashMap<&'a str, &'a FieldDefinition>,
    types: HashMap<&'a str, &'a AttributeType>,
}

impl<'a> Form<'a> {
    pub fn of(definition: &'a Definition) -> Option<Self> {
        let own = definition.forms.first()?;
        Some(Self {
            own,
            fields: own.polja.iter().map(|field| (field.sifra.as_str(), field)).collect(),
            types: definition.attribute_types.iter().map(|known| (known.mark(), known)).collect(),
        })
    }

    /// In the order in which the form shows them.
    pub fn all(&self) -> impl Iterator<Item = &'a FieldDefinition> {
        self.own.polja.iter()
    }

    pub fn type_of(&self, field: &FieldDefinition) -> Option<&'a AttributeType> {
        self.types.get(field.tip_atributa.as_str()).copied()
    }

    pub fn kind(&self, field: &FieldDefinition) -> Option<ValueType> {
        self.type_of(field).map(|known| known.tip_vrednosti)
    }

    /// What the field stands in, from the inside out.
    pub fn around(&self, field: &FieldDefinition) -> Vec<&'a FieldDefinition> {
        let mut found: Vec<&'a FieldDefinition> = Vec::new();
        let mut next = field.nadredjeni.as_deref();
        while let Some(holder) = next.and_then(|sifra| self.fields.get(sifra).copied()) {
            // A file that was never checked may have a circle.
            if found.iter().any(|known| known.sifra == holder.sifra) {
                break;
            }
            found.push(holder);
            next = holder.nadredjeni.as_deref();
        }
        found
    }

    /// A formula with the names of fields in place of their codes.
    pub fn told(&self, formula: &str) -> String {
        let mut told = String::with_capacity(formula.len());
        let mut rest = formula;
        while let Some(at) = rest.find('$') {
            told.push_str(&rest[..at]);
            rest = &rest[at..];
            let behind = rest.strip_prefix("$(").or_else(|| rest.strip_prefix("$!("));
            let named = behind.and_then(|behind| behind.split_once(')'));
            if let Some((field, after)) = named.and_then(|(sifra, after)| Some((self.fields.get(sifra.trim())?, after))) {
                told.extend(["„", field.own.naziv.as_str(), "”"]);
                rest = after;
            } else {
                told.push('$');
                rest = &rest[1..];
            }
        }
        told.push_str(rest);
        told
    }

    pub fn line(&self, field: &FieldDefinition) -> [String; 14] {
        let (own, known) = (&field.own, self.type_of(field));
        let mut place: Vec<&str> = self.around(field).iter().map(|holder| holder.own.naziv.as_str()).collect();
        place.reverse();
        let told = |formula: &Option<String>| formula.as_deref().map(|formula| self.told(formula)).unwrap_or_default();
        let bound = |bound: fn(&AttributeType) -> Option<Decimal>| known.and_then(bound).map(number).unwrap_or_default();
        let decimals = known.and_then(|known| known.own.decimale_brojne_vrednosti).map(|count| count.to_string());
        [
            code(&field.sifra).unwrap_or_default().to_owned(),
            own.naziv.clone(),
            place.join(" / "),
            known.map(|known| kind_told(known.tip_vrednosti, own.multiselect)).unwrap_or_default().to_owned(),
            known.and_then(|known| known.own.jedinica.clone()).unwrap_or_default(),
            bound(|known| known.own.donja_granica_brojne_vrednosti),
            bound(|known| known.own.gornja_granica_brojne_vrednosti),
            decimals.unwrap_or_default(),
            if own.opcioni { String::new() } else { "da".to_owned() },
            known.map(items_told).unwrap_or_default(),
            told(&own.formula_za_prikaz),
            told(&own.obavezan_ako),
            told(&own.formula_za_racunanje),
            own.napomena.clone().unwrap_or_default(),
        ]
    }
}

fn kind_told(kind: ValueType, several: bool) -> &'static str {
    match kind {
        ValueType::Choice => "da ili ne",
        ValueType::Number => "broj",
        ValueType::Text => "tekst",
        ValueType::Set if several => "više stavki",
        ValueType::Set => "jedna stavka",
        ValueType::Date => "datum",
        ValueType::Moment => "datum i vreme",
        other => other.name(),
    }
}

pub fn number(number: Decimal) -> String {
    number.normalize().to_string().replace('.', ",")
}

fn items_told(known: &AttributeType) -> String {
    let told = |item: &EnumItem| {
        let sifra = item.sifra_veza.as_deref().map(|sifra| format!("{sifra} = ")).unwrap_or_default();
        let weight = item.num_vrednost.map(|weight| format!(" ({})", number(weight))).unwrap_or_default();
        format!("{sifra}{}{weight}", item.naziv)
    };
    known.stavke.iter().map(told).collect::<Vec<_>>().join(" | ")
}

fn item_line(known: &AttributeType, item: &EnumItem) -> [String; 6] {
    [
        known.mark().to_owned(),
        item.sifra_veza.clone().unwrap_or_default(),
        item.naziv.clone(),
        item.num_vrednost.map(number).unwrap_or_default(),
        item.opis.clone().unwrap_or_default(),
        if item.moze_se_izabrati { String::new() } else { "ne".to_owned() },
    ]
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use calamine::{Reader, Xlsx};

    use super::*;
    use crate::import::definition;

    const STROKE: &str = r#"
        [[attributeTypes]]
        naziv = "Panel"
        tipVrednosti = "panel"
        [[attributeTypes]]
        naziv = "Minuta"
        tipVrednosti = "brojni"
        jedinica = "min"
        donjaGranicaBrojneVrednosti = 0
        gornjaGranicaBrojneVrednosti = 1439.5
        [[attributeTypes]]
        naziv = "Vreme"
        tipVrednosti = "vreme"
        [[attributeTypes]]
        naziv = "Strana"
        tipVrednosti = "skupovni"
        stavke = [{ naziv = "Leva", sifraVeza = "L", numVrednost = 1 }, { naziv = "Desna", sifraVeza = "D" }]
        [[attributeTypes]]
        naziv = "Tekst"
        tipVrednosti = "tekstualni"

        [[forms]]
        sifraVeza = "slog"
        naziv = "Šlog & tok"
        pravila = [{ uslov = "$(tok) > 60", poruka = "Duže od sata", vrsta = "upozorenje", polje = "tok" }]
        [[forms.polja]]
        sifra = "prijem"
        naziv = "Prijem"
        tipAtributa = "Panel"
        [[forms.polja]]
        sifra = "dolazak"
        naziv = "Dolazak"
        tipAtributa = "Vreme"
        nadredjeni = "prijem"
        opcioni = false
        [[forms.polja]]
        sifra = "tok"
        naziv = "Od vrata do igle"
        tipAtributa = "Minuta"
        nadredjeni = "prijem"
        formulaZaRacunanje = "minutes_between($(dolazak), \"10:00\")"
        [[forms.polja]]
        sifra = "strana"
        naziv = "Strana"
        tipAtributa = "Strana"
        formulaZaPrikaz = "$(tok) > 5"
        [[forms.polja]]
        sifra = "lekovi"
        naziv = "Lekovi"
        tipAtributa = "Panel"
        ponavljaSe = true
        [[forms.polja]]
        sifra = "lek"
        naziv = "Lek"
        tipAtributa = "Tekst"
        nadredjeni = "lekovi"
        [[forms.polja]]
        sifra = "doza"
        naziv = "Doza"
        tipAtributa = "Tekst"
        nadredjeni = "lekovi"
    "#;

    fn sheet(name: &str) -> Vec<Vec<String>> {
        let definition = definition::parse(STROKE, |name| anyhow::bail!("no picture {name}")).unwrap();
        let mut book: Xlsx<_> = calamine::open_workbook_from_rs(Cursor::new(bytes(&definition).unwrap())).unwrap();
        let range = book.worksheet_range(name).unwrap();
        range.rows().map(|row| row.iter().map(ToString::to_string).collect()).collect()
    }

    #[test]
    fn the_codebook_tells_each_field_that_holds_a_value() {
        let rows = sheet("šifarnik");
        let codes: Vec<&str> = rows.iter().map(|row| row[0].as_str()).collect();
        assert_eq!(codes, ["šifra", "dolazak", "tok", "strana", "lek", "doza"]);
        let told = |row: usize, of: std::ops::Range<usize>| rows[row][of].join(";");
        assert_eq!(told(1, 1..9), "Dolazak;Prijem;vreme;;;;;da");
        assert_eq!(told(2, 1..7), "Od vrata do igle;Prijem;broj;min;0;1439,5");
        assert_eq!(rows[2][12], "minutes_between(„Dolazak”, \"10:00\")");
        assert_eq!(told(3, 9..11), "L = Leva (1) | D = Desna;„Od vrata do igle” > 5");
        assert_eq!(sheet("stavke")[1..], [["Strana", "L", "Leva", "1", "", ""], ["Strana", "D", "Desna", "", "", ""]]);
        assert_eq!(sheet("pravila")[1], ["upozorenje", "„Od vrata do igle” > 60", "Duže od sata", "tok"]);
    }

    #[test]
    fn the_blank_form_has_a_place_for_each_answer() {
        let rows: Vec<String> = sheet("formular")
            .into_iter()
            .map(|row| row.into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join("|"))
            .collect();
        assert_eq!(rows[0], "Šlog & tok");
        let at = |text: &str| rows.iter().position(|row| row == text).unwrap_or_else(|| panic!("{text} in {rows:#?}"));
        let places = [
            at("Prijem"),
            at("Dolazak *|____ : ____"),
            at("Od vrata do igle|(računa se)"),
            at("Strana\nsamo ako: „Od vrata do igle” > 5|☐ Leva\n☐ Desna"),
            at("Lekovi"),
            at("Lek|Doza"),
        ];
        assert!(places.is_sorted(), "{places:?}");
    }
}
