//! What of a rule is wrong: by itself, and in its register.

use domain::{
    entry::{form::EntryForm, quality::QualityKind},
    formula::compile_conditions,
    register::{ValueType, rules},
};
use platform::error::{Error, Result};
use sqlx::PgConnection;

use super::Input;
use crate::admin::other_forms;
use crate::crud;

/// What each kind asks for.
pub fn shape(input: &Input) -> Result<()> {
    use QualityKind as Kind;
    let is_any = |kinds: &[Kind]| kinds.contains(&input.vrsta);
    crud::required([
        (input.naziv.is_empty(), "naziv", rules::NO_NAME),
        (input.registar_id.is_none(), "registarID", "Niste izabrali registar."),
        (
            input.form_id.is_none() && (input.polje_id.is_some() || is_any(&[Kind::Skok, Kind::Jedinica, Kind::Redosled, Kind::Formula])),
            "formID",
            "Izaberite formular čija polja pravilo čita.",
        ),
        (input.polje_id.is_none() && is_any(&[Kind::Skok, Kind::Jedinica, Kind::Redosled]), "poljeID", "Izaberite polje."),
        (
            input.polje_id.is_none() && (input.donja_granica.is_some() || input.gornja_granica.is_some()),
            "poljeID",
            "Granice pravila važe za jedno polje: izaberite ga.",
        ),
        (input.drugo_polje_id.is_none() && input.vrsta == Kind::Redosled, "drugoPoljeID", "Izaberite datum koji ne sme biti raniji."),
        (input.razlika.is_none() && input.vrsta == Kind::Skok, "razlika", "Unesite najveću dozvoljenu promenu."),
        (input.formula.is_none() && input.vrsta == Kind::Formula, "formula", "Unesite formulu."),
        (input.formula.is_some() && input.vrsta != Kind::Formula, "formula", "Formulu ima samo pravilo po formuli."),
    ])
}

/// Whether the form is of the register, the fields are of the form and of the type that the kind asks for, and the formula can be asked.
pub async fn fits(db: &mut PgConnection, input: &Input) -> Result<()> {
    let Some(form_id) = input.form_id else { return Ok(()) };
    let form = sqlx::query_scalar!("select registar_id from form where id = $1 and aktivan", form_id).fetch_optional(&mut *db).await?;
    if form.is_none() || form != input.registar_id {
        return Err(Error::invalid("formID", "Formular nije iz ovog registra."));
    }
    let form = EntryForm::load(&mut *db, form_id).await?;
    let kind_of = |id: i64| form.fields.iter().find(|field| field.id == id).map(|field| field.tva_num_vrednost);
    let is_date = |kind: ValueType| matches!(kind, ValueType::Date | ValueType::Moment);
    if let Some(field) = input.polje_id {
        let kind = kind_of(field).filter(|kind| kind.holds_value());
        let kind = kind.ok_or_else(|| Error::invalid("poljeID", "Polje nije iz ovog formulara, ili nema vrednost."))?;
        match input.vrsta {
            QualityKind::Granice | QualityKind::Skok | QualityKind::Jedinica if kind != ValueType::Number => {
                return Err(Error::invalid("poljeID", "Ovo pravilo traži brojno polje."));
            }
            QualityKind::Redosled | QualityKind::PosleSmrti | QualityKind::PreRodjenja | QualityKind::PosleDanas if !is_date(kind) => {
                return Err(Error::invalid("poljeID", "Ovo pravilo traži datumsko polje."));
            }
            _ => {}
        }
    }
    if let Some(field) = input.drugo_polje_id
        && (input.polje_id == Some(field) || !kind_of(field).is_some_and(is_date))
    {
        return Err(Error::invalid("drugoPoljeID", "Izaberite drugo datumsko polje ovog formulara."));
    }
    let fields = other_forms::all_fields(db, &form, input.formula.as_deref()).await?;
    match input.formula.as_deref().map(|text| compile_conditions(&[text], &fields).remove(0)) {
        Some(Err(error)) => Err(Error::invalid("formula", error.to_string())),
        _ => Ok(()),
    }
}
