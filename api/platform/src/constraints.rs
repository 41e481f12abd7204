//! From a named rule of the database to the field and the Serbian text that a person reads.

use domain::{
    attachment::{BAD_COUNT, BAD_SIZE, NO_KIND},
    parameters::BAD_RESULT_COUNT,
    register::{
        BAD_MOST_ROWS,
        rules::{BAD_BOUNDS, BAD_CODE, BAD_DECIMALS, BAD_LIMIT, CODE_TAKEN, NO_CODE, NO_NAME},
    },
};
use serde::Deserialize;
use sqlx::{error::DatabaseError, postgres::PgDatabaseError};

use crate::error::Error;

pub const JMBG_TAKEN: &str = "Pacijent sa tim JMBG već postoji.";
pub const ANONYMOUS: &str = "Pacijent je anonimizovan: podaci se više ne menjaju.";
pub const AFTER_DEATH: &str = "Datum pregleda ne može biti posle smrti pacijenta. Ispravite datum, ili dan smrti na strani pacijenta.";
pub const UNKNOWN_CHOICE: &str = "Izabrana stavka ne postoji.";

/// Duplicates: answered 409.
const DUPLICATES: &[(&str, &str, &str)] = &[
    ("institution_naziv_unique", "naziv", "Ustanova sa tim nazivom već postoji."),
    ("worker_username_unique", "username", "Radnik sa tim korisničkim imenom već postoji."),
    ("role_ime_unique", "ime", "Uloga sa tim nazivom već postoji."),
    ("parameter_naziv_unique", "naziv", "Parametar sa tim nazivom već postoji."),
    ("sponsor_code_unique", "code", "Sponzor sa tom šifrom već postoji."),
    ("register_naziv_unique", "naziv", "Registar sa tim nazivom već postoji."),
    ("visit_plan_sifra_unique", "sifra", "Plan sa tom šifrom već postoji u registru."),
    ("form_field_sifra_unique", "sifra", CODE_TAKEN),
    ("form_block_edition_unique", "sifra", "To izdanje bloka već postoji: povećajte izdanje u fajlu."),
    ("patient_jmbg_unique", "jmbg", JMBG_TAKEN),
    ("patient_status_corrected_once", "ispravljaID", "Taj zapis je neko u međuvremenu već ispravio. Učitajte istoriju ponovo."),
    ("report_category_naziv_unique", "naziv", "Kategorija sa tim nazivom već postoji."),
    ("recipient_group_naziv_unique", "naziv", "Grupa sa tim nazivom već postoji."),
    ("report_parameter_request_naziv_unique", "requestNaziv", "Parametar sa tim nazivom u zahtevu već postoji."),
];

/// Rules of one row: answered 422.
const RULES: &[(&str, &str, &str)] = &[
    ("institution_naziv_required", "naziv", NO_NAME),
    ("worker_username_required", "username", "Niste uneli korisničko ime."),
    ("worker_ime_required", "ime", "Niste uneli ime."),
    ("worker_prezime_required", "prezime", "Niste uneli prezime."),
    ("worker_theme_known", "theme", "Nepoznata tema."),
    ("role_ime_required", "ime", NO_NAME),
    ("parameter_naziv_required", "naziv", NO_NAME),
    ("sponsor_name_required", "name", NO_NAME),
    ("sponsor_code_required", "code", NO_CODE),
    ("sponsor_website_url_http", "websiteUrl", "Adresa sajta mora početi sa http:// ili https://."),
    ("register_naziv_required", "naziv", NO_NAME),
    ("register_broj_rezultata_known", "brojRezultataUPretrazi", BAD_RESULT_COUNT),
    ("visit_plan_sifra_shape", "sifra", "Šifra plana ima od 1 do 40 slova, cifara, crtica i donjih crta."),
    ("quality_rule_naziv_length", "naziv", "Naziv pravila ima od 1 do 120 znakova."),
    ("quality_rule_poruka_length", "poruka", "Poruka pravila ima od 1 do 500 znakova."),
    ("quality_rule_formula_length", "formula", "Formula ima najviše 4.000 znakova."),
    ("quality_rule_granice_in_order", "gornjaGranica", "Gornja granica ne može biti manja od donje."),
    ("quality_rule_razlika_positive", "razlika", "Najveća promena mora biti veća od nule."),
    ("quality_rule_dana_positive", "dana", "Broj dana mora biti veći od nule."),
    ("visit_plan_naziv_length", "naziv", "Naziv plana ima od 1 do 120 znakova."),
    ("wall_display_naziv_length", "naziv", "Naziv prikaza ima od 1 do 120 znakova: mesto na kom stoji."),
    ("form_naziv_required", "naziv", NO_NAME),
    ("form_po_kontaktu_positive", "maksimalanBrojInstanciPoKontaktu", BAD_LIMIT),
    ("form_po_pacijentu_positive", "maksimalanBrojInstanciPoPacijentu", BAD_LIMIT),
    ("attribute_type_naziv_required", "naziv", NO_NAME),
    ("attribute_type_decimale_range", "decimaleBrojneVrednosti", BAD_DECIMALS),
    ("attribute_type_granice_order", "donjaGranicaBrojneVrednosti", BAD_BOUNDS),
    ("attribute_type_vrste_fajlova_known", "vrsteFajlova", NO_KIND),
    ("attribute_type_najvise_fajlova_range", "najviseFajlova", BAD_COUNT),
    ("attribute_type_najvise_megabajta_range", "najviseMegabajta", BAD_SIZE),
    ("enum_item_naziv_required", "naziv", NO_NAME),
    ("form_field_najvise_redova_range", "najviseRedova", BAD_MOST_ROWS),
    ("form_field_naziv_required", "naziv", NO_NAME),
    ("form_field_sifra_shape", "sifra", BAD_CODE),
    ("form_field_image_size", "backgroundImage", "Slika je prevelika."),
    ("form_field_primeri_array", "primeri", "Opis primera nije ispravan."),
    ("form_field_oznaka_izvoza_known", "oznakaIzvoza", "Nepoznata oznaka za izvoz."),
    ("form_field_postavlja_status_known", "postavljaStatus", "Nepoznat status."),
    ("form_field_blok_shape", "blok", "Blok se piše sifra@izdanje, na primer nihss@1."),
    ("form_field_grafik_array", "grafik", "Opis grafika nije ispravan."),
    ("consent_text_tekst_length", "tekst", "Tekst mora imati od 10 do 20.000 znakova."),
    ("patient_consent_napomena_length", "napomena", "Napomena može imati najviše 1.000 znakova."),
    ("patient_status_known", "status", "Nepoznat status."),
    ("patient_status_izvor_known", "izvor", "Nepoznat izvor."),
    ("patient_status_napomena_length", "napomena", "Napomena može imati najviše 1.000 znakova."),
    ("patient_status_of_whom", "registarID", "Status se beleži za registar, a smrt za pacijenta."),
    ("recipient_group_naziv_required", "naziv", NO_NAME),
    ("report_category_naziv_required", "naziv", NO_NAME),
    ("report_type_naziv_required", "naziv", NO_NAME),
    ("report_naziv_required", "naziv", NO_NAME),
    ("report_jasper_fajl_plain", "jasperFajl", "Jasper fajl sme da sadrži samo mala slova, cifre i crtice."),
    ("report_obim_known", "obim", "Nepoznat obim izveštaja."),
    ("report_najvise_sekundi_range", "najviseSekundi", "Trajanje može biti od 1 do 1800 sekundi."),
    ("report_in_a_category_or_owned", "tipID", "Niste izabrali tip izveštaja."),
    ("report_parameter_naziv_required", "naziv", NO_NAME),
    ("report_parameter_request_naziv_shape", "requestNaziv", "Naziv u zahtevu sme da sadrži samo slova i cifre."),
    ("report_parameter_type_naziv_required", "naziv", NO_NAME),
];

/// Rules that triggers keep, since they ask another table or the clock: answered 422.
const GUARDS: &[(&str, &str, &str)] = &[
    ("entry_datum_unosa_to_today", "datumUnosa", "Datum pregleda ne može biti u budućnosti."),
    ("entry_datum_unosa_from_birth", "datumUnosa", "Datum pregleda ne može biti pre rođenja pacijenta."),
    ("entry_datum_unosa_to_death", "datumUnosa", AFTER_DEATH),
    ("patient_status_dan_to_today", "dan", "Dan statusa ne može biti u budućnosti."),
    ("patient_status_dan_from_birth", "dan", "Dan statusa ne može biti pre rođenja pacijenta."),
    ("patient_status_corrects_its_kind", "ispravljaID", "Ispravka mora biti istog statusa i registra kao ono što ispravlja."),
    (
        "question_message_follows",
        "stanje",
        "Stanje upita je u međuvremenu promenjeno: zatvoren upit se prvo ponovo otvara. Učitajte ga ponovo.",
    ),
    ("patient_consent_dan_of_life", "dan", "Dan mora biti između rođenja pacijenta i današnjeg dana."),
    ("patient_consent_text_fits", "tekstID", "To nije tekst ove saglasnosti."),
    ("patient_anonimizovan", "pacijentID", ANONYMOUS),
    (
        "patient_merge_obstacle",
        "pacijentID",
        "Kartoni su u međuvremenu promenjeni, pa se sada ne mogu spojiti ni razdvojiti. Učitajte ih ponovo.",
    ),
    ("patient_erasure_reason", "razlog", "Razlog ne sme da sadrži podatke po kojima se pacijent prepoznaje."),
    ("form_field_ponavlja_se_used", "ponavljaSe", "Unosi imaju vrednosti polja ove sekcije, pa se njeno ponavljanje ne može menjati."),
    (
        "form_field_in_rows_used",
        "nadredjeniAtributUTipuSkupaID",
        "Polje ima snimljene vrednosti, pa ne može ni u sekciju koja se ponavlja ni iz nje.",
    ),
    ("patient_datum_rodjenja_to_status", "datumRodjenja", "Datum rođenja ne može biti posle dana statusa ili smrti pacijenta."),
    ("patient_datum_rodjenja_to_entries", "datumRodjenja", "Datum rođenja ne može biti posle postojećeg pregleda."),
];

/// Duplicates that triggers find: answered 409.
const OTHERS: &[(&str, &str, &str)] = &[
    ("patient_status_one_death", "status", "Smrt pacijenta je već zabeležena. Ispravite taj zapis."),
    ("entry_signed", "id", "Unos je potpisan, pa se ne briše. Prvo ga vratite u rad, uz razlog."),
];

/// Names of the rules that have a message.
pub fn names() -> impl Iterator<Item = &'static str> {
    DUPLICATES.iter().chain(RULES).map(|(rule, ..)| *rule)
}

/// The rule by which the database refuses to write what is locked; its detail says who locked it, when and why.
const LOCKED: &str = "entry_locked";

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct LockDetail {
    radnik: String,
    vreme: String,
    razlog: String,
    do_dana: Option<String>,
}

/// Who locked it, when, why, and who can unlock it.
pub fn locked(detail: Option<&str>) -> String {
    const WAY: &str = "Otključava radnik sa pravom na zaključavanje unosa.";
    match detail.and_then(|detail| serde_json::from_str::<LockDetail>(detail).ok()) {
        Some(LockDetail { radnik, vreme, razlog, do_dana: Some(day) }) => {
            format!("Period do {day} je zaključan: {radnik}, {vreme}, razlog: {razlog}. {WAY}")
        }
        Some(LockDetail { radnik, vreme, razlog, do_dana: None }) => {
            format!("Unos je zaključan: {radnik}, {vreme}, razlog: {razlog}. {WAY}")
        }
        None => format!("Unos je zaključan. {WAY}"),
    }
}

/// The error that a refusal of the database means for the client; none when the fault is the server's.
pub fn explain(error: &(dyn DatabaseError + 'static)) -> Option<Error> {
    let error = error.try_downcast_ref::<PgDatabaseError>()?;
    if let Some(name) = error.constraint() {
        if name == LOCKED {
            return Some(Error::conflict(locked(error.detail())));
        }
        let named = |table: &'static [(&'static str, &'static str, &'static str)]| table.iter().find(|(rule, ..)| *rule == name);
        if let Some((_, field, message)) = named(DUPLICATES).or_else(|| named(OTHERS)) {
            return Some(Error::Conflict { field: Some((*field).into()), message: (*message).into() });
        }
        if let Some((_, field, message)) = named(RULES).or_else(|| named(GUARDS)) {
            return Some(Error::invalid(*field, *message));
        }
    }
    match error.code() {
        // not_null_violation
        "23502" => Some(Error::invalid(json_name(error.column()?), "Polje je obavezno.")),
        // foreign_key_violation
        "23503" => Some(Error::malformed(UNKNOWN_CHOICE)),
        // numeric_value_out_of_range
        "22003" => Some(Error::malformed("Broj je izvan dozvoljenog opsega.")),
        // character_not_in_repertoire, untranslatable_character
        "22021" | "22P05" => Some(Error::malformed("Tekst sadrži nedozvoljen znak.")),
        _ => None,
    }
}

/// `datum_rodjenja` as the client knows it: `datumRodjenja`.
fn json_name(column: &str) -> String {
    let mut name = String::with_capacity(column.len());
    let mut words = column.split('_');
    name.push_str(words.next().unwrap_or_default());
    for word in words {
        let mut letters = word.chars();
        name.extend(letters.next().map(|letter| letter.to_ascii_uppercase()));
        name.push_str(letters.as_str());
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_is_named_as_in_json() {
        assert_eq!(json_name("datum_rodjenja"), "datumRodjenja");
        assert_eq!(json_name("naziv"), "naziv");
    }
}
