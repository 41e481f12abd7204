//! Whether a field fits into its form: its type, its items, what it stands in, and who reads it.

use domain::{
    entry::form::{EntryField, EntryForm},
    formula,
    register::{FieldProperties, ValueType, rules},
};
use platform::error::{Error, Result, refuse_first};
use rust_decimal::prelude::ToPrimitive;
use sqlx::PgConnection;

use super::{
    super::other_forms,
    Input, form_of,
    formulas::{self, Trees},
    near::{self, FieldDependencies, Readers},
};

/// Stands for the id of a field that is not stored yet.
pub const NEW: i64 = 0;

/// Refuses what does not fit into the form as it is; gives the field's formulas, parsed.
pub async fn into_form(tx: &mut PgConnection, form: &EntryForm, id: i64, input: &Input) -> Result<Trees> {
    let own = formula::Field { sekcija: section_of(form, input), ..own_type(tx, id, input).await? };
    refuse_first(input.own.refusals_of(own.tip_vrednosti, parent_type(form, id, input)?))?;
    if own.sekcija.is_some() {
        refuse_first(input.own.refusals_in_rows(own.tip_vrednosti))?;
    }
    if input.own.ponavlja_se && !stored_in(form, id).is_some_and(EntryField::is_section) {
        // Any formula of the form may read one of its fields.
        let whole = EntryForm::load(&mut *tx, form.id).await?;
        refuse_misfits(&mut *tx, &whole, id).await?;
    }
    if let Some(item) = input.inicijalna_enum_stavka_id
        && !own.items.iter().any(|known| known.id == item)
    {
        return Err(Error::invalid("inicijalnaEnumStavkaID", rules::STRANGE_FIRST_ITEM));
    }
    if let Some(reader) = formulas::reader_of(form, id) {
        if stored_in(form, id).is_some_and(|stored| stored.sifra != input.own.sifra) {
            return Err(Error::invalid("sifra", format!("Šifru koristi {reader}.")));
        }
        if !own.tip_vrednosti.holds_value() && !input.own.ponavlja_se {
            return Err(Error::invalid("tipAtributaID", format!("Vrednost polja koristi {reader}.")));
        }
    }
    let texts = [&input.own.formula_za_racunanje, &input.own.formula_za_prikaz, &input.own.obavezan_ako];
    let beside = other_forms::beside(&mut *tx, form, texts.into_iter().filter_map(|text| text.as_deref())).await?;
    formulas::compile(form, beside, own, &input.own)
}

fn stored_in(form: &EntryForm, id: i64) -> Option<&EntryField> {
    form.everything().find(|field| field.id == id)
}

/// Whether it is a section that repeats, or becomes one or ceases to be: its fields are concerned then.
pub fn is_of_rows(form: &EntryForm, id: i64, input: &Input) -> bool {
    input.own.ponavlja_se || stored_in(form, id).is_some_and(EntryField::is_section)
}

/// Whether results may be others after the change: its own formulas, or what those see of it that read it.
pub fn computes_otherwise(form: &EntryForm, id: i64, input: &Input, trees: &Trees) -> bool {
    stored_in(form, id).is_none_or(|stored| {
        stored.sifra != input.own.sifra
            || Some(stored.izvor.tip_atributa_id) != input.tip_atributa_id
            || stored.naredjeni_auts != input.nadredjeni_atribut_u_tipu_skupa_id
            || stored.multiselect != input.own.multiselect
            || stored.formula_za_racunanje != trees.racunanje
            || stored.formula_za_prikaz != trees.prikaz
    })
}

/// The field as formulas see it, without its formulas.
async fn own_type(tx: &mut PgConnection, id: i64, input: &Input) -> Result<formula::Field> {
    let known = sqlx::query!(
        r#"select tip_vrednosti_atributa as "tip_vrednosti_atributa: ValueType", donja_granica_brojne_vrednosti,
                  gornja_granica_brojne_vrednosti
             from attribute_type
            where id = $1 and (aktivan or exists (select from form_field f where f.id = $2 and f.tip_atributa_id = $1))"#,
        input.tip_atributa_id,
        id
    )
    .fetch_optional(&mut *tx)
    .await?
    .ok_or_else(|| Error::invalid("tipAtributaID", rules::UNKNOWN_TYPE))?;
    let items = sqlx::query!(
        "select id, num_vrednost, naziv, sifra_veza from enum_item where tip_atributa_id = $1 order by redosled, id",
        input.tip_atributa_id
    )
    .fetch_all(tx)
    .await?;
    Ok(formula::Field {
        id,
        sifra: input.own.sifra.clone(),
        parent: input.nadredjeni_atribut_u_tipu_skupa_id,
        tip_vrednosti: known.tip_vrednosti_atributa,
        items: items
            .into_iter()
            .map(|item| formula::Item {
                id: item.id,
                num: item.num_vrednost.and_then(|num| num.to_f64()),
                name: item.naziv,
                code: item.sifra_veza,
            })
            .collect(),
        multiple: input.own.multiselect,
        donja_granica: known.donja_granica_brojne_vrednosti.and_then(|bound| bound.to_f64()),
        gornja_granica: known.gornja_granica_brojne_vrednosti.and_then(|bound| bound.to_f64()),
        racunanje: None,
        prikaz: None,
        sekcija: None,
        other_form: None,
    })
}

/// The type of what the field stands in: a field of its form, and none that stands in it.
fn parent_type(form: &EntryForm, id: i64, input: &Input) -> Result<Option<ValueType>> {
    let refuse = |message: &'static str| Err(Error::invalid("nadredjeniAtributUTipuSkupaID", message));
    let fields = form.by_id();
    let Some(parent) = input.nadredjeni_atribut_u_tipu_skupa_id else { return Ok(None) };
    let Some(known) = fields.get(&parent) else { return refuse(rules::STRANGE_PARENT) };
    if rules::is_in_itself(id, Some(parent), |outer| fields.get(&outer)?.naredjeni_auts) {
        return refuse(rules::IN_ITSELF);
    }
    Ok(Some(known.tva_num_vrednost))
}

fn section_of(form: &EntryForm, input: &Input) -> Option<i64> {
    let parent = form.by_id().get(&input.nadredjeni_atribut_u_tipu_skupa_id?).copied()?;
    parent.is_section().then_some(parent.id)
}

/// A panel that repeats holds plain fields only, which no formula outside of it reads.
async fn refuse_misfits(tx: &mut PgConnection, form: &EntryForm, id: i64) -> Result<()> {
    let inside = sqlx::query!(
        r#"select f.naziv, f.sifra, t.tip_vrednosti_atributa as "kind: ValueType", to_jsonb(f) as "row!: sqlx::types::Json<platform::rows::Row>"
             from form_field f join attribute_type t on t.id = f.tip_atributa_id join form_field_place m on m.polje_id = f.id
            where f.nadredjeni_atribut_u_tipu_skupa_id = $1 and f.aktivan order by m.mesto"#,
        id
    )
    .fetch_all(tx)
    .await?;
    for field in inside {
        let own: FieldProperties = platform::rows::record_of(field.row.0).map_err(anyhow::Error::from)?;
        let reader = form
            .formulas
            .iter()
            .filter(|other| other.parent != Some(id))
            .find(|other| field.sifra.as_deref().is_some_and(|code| other.formulas().any(|one| one.reads(code))));
        let message = match (own.refusals_in_rows(field.kind).into_iter().next(), reader) {
            (Some(refusal), _) => refusal.message,
            (None, Some(_)) => "Njegovu vrednost čita formula, a u sekciji koja se ponavlja ima vrednost u svakom redu.".to_owned(),
            (None, None) => continue,
        };
        return Err(Error::invalid("ponavljaSe", format!("Polje „{}”: {message}", field.naziv)));
    }
    Ok(())
}

/// Saved values keep their type, and other fields what they stand in.
pub async fn refuse_another_kind(tx: &mut PgConnection, id: i64, wanted: Option<i64>) -> Result<()> {
    let found = sqlx::query!(
        r#"
        select (was.tip_vrednosti_atributa <> wanted.tip_vrednosti_atributa or was.tip_vrednosti_atributa = type_number('skupovni'))
               and exists (select from entry e where e.tsa_id = f.tip_skupa_atributa_id and entry_holds(e.vrednosti, f.id)) as "saved!",
               wanted.tip_vrednosti_atributa <> all ($3)
               and exists (select from form_field c where c.nadredjeni_atribut_u_tipu_skupa_id = f.id and c.aktivan) as "holds!"
          from form_field f join attribute_type was on was.id = f.tip_atributa_id join attribute_type wanted on wanted.id = $2
         where f.id = $1 and was.id <> wanted.id
        "#,
        id,
        wanted,
        &ValueType::HOLDERS.map(ValueType::number)
    )
    .fetch_optional(tx)
    .await?;
    match found {
        Some(found) if found.saved => Err(Error::invalid("tipAtributaID", rules::TYPE_IN_USE)),
        Some(found) if found.holds => Err(Error::invalid("tipAtributaID", "U polju su druga polja, pa mora ostati panel, slika ili tab.")),
        _ => Ok(()),
    }
}

/// A field comes back into a form that has changed since.
pub async fn again(tx: &mut PgConnection, id: i64) -> Result<()> {
    let around = sqlx::query!(
        r#"
        select f.tip_skupa_atributa_id as form, t.aktivan as type_there, o.aktivan as form_there,
               coalesce(p.aktivan, true) as "parent_there!"
          from form_field f join attribute_type t on t.id = f.tip_atributa_id join form o on o.id = f.tip_skupa_atributa_id
          left join form_field p on p.id = f.nadredjeni_atribut_u_tipu_skupa_id
         where f.id = $1
        "#,
        id
    )
    .fetch_one(&mut *tx)
    .await?;
    for (there, what) in [(around.form_there, "formular"), (around.type_there, "tip atributa"), (around.parent_there, "nadređeno polje")] {
        if !there {
            return Err(Error::conflict(format!("Prvo vratite {what} ovog polja.")));
        }
    }
    let form = EntryForm::load(&mut *tx, around.form).await?;
    let fields = other_forms::all_fields(&mut *tx, &form, []).await?;
    match formula::check_form(&fields).into_iter().next() {
        Some(problem) => Err(Error::conflict(format!("Formula polja ne odgovara formularu: {}", problem.message))),
        None => match form.missed_by_conditions(&fields) {
            Some(problem) => Err(Error::conflict(format!("Formular se ne uklapa: {problem}"))),
            None => Ok(()),
        },
    }
}

/// Refuses to take away what a formula reads, or what other fields stand in.
pub async fn refuse_gap(tx: &mut PgConnection, id: i64) -> Result<()> {
    let form = form_of(&mut *tx, id).await?;
    let form = near::part(&mut *tx, form, id, &FieldDependencies::default(), Readers::Direct).await?;
    if let Some(reader) = formulas::reader_of(&form, id) {
        return Err(Error::conflict(format!("Polje se ne može obrisati: koristi ga {reader}.")));
    }
    if let Some(code) = form.everything().find(|field| field.id == id).and_then(|field| field.sifra.clone())
        && let Some(reader) = other_forms::readers(&mut *tx, form.id, Some(&code)).await?.into_iter().next()
    {
        return Err(Error::conflict(format!("Polje se ne može obrisati: čita ga formula „{reader}”.")));
    }
    let inside = sqlx::query_scalar!(
        "select naziv from form_field join form_field_place on polje_id = id
          where nadredjeni_atribut_u_tipu_skupa_id = $1 and aktivan order by mesto limit 1",
        id
    );
    if let Some(child) = inside.fetch_optional(tx).await? {
        return Err(Error::conflict(format!("Polje se ne može obrisati: u njemu je polje „{child}”.")));
    }
    Ok(())
}
