//! Fields of a form (B §2.3): atribut u tipu skupa, auts. A field is saved only where the whole form still fits together: its
//! formulas, and what stands in what.

mod fit;
mod formulas;
mod warning;

use domain::{
    entry::form::Form,
    formula,
    register::{FieldProperties, ValueType},
};
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use serde_json::json;
use sqlx::PgConnection;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;

use self::{formulas::Trees, warning::FormulaWarning};
use super::{
    impact::Before,
    usage::{self, Places},
};
use crate::{
    auth::Actor,
    crud::{self, Hit, Listing, Resource},
    error::{Error, Result, refuse_first},
    rights::{Access, Right},
    rows::{self, Row},
    state::AppState,
};

pub struct FormField;

pub fn routes() -> OpenApiRouter<AppState> {
    crud::routes::<FormField>().merge(warning::routes())
}

#[derive(Default, Serialize, Deserialize, ToSchema)]
#[schema(as = FormFieldInput)]
#[serde(rename_all = "camelCase", default)]
pub struct Input {
    #[serde(rename = "tipAtributaID", alias = "tipAtributa")]
    tip_atributa_id: Option<i64>,
    redosled: Option<i32>,
    /// The form; fixed when the field is made.
    #[serde(rename = "tipSkupaAtributaID", alias = "tipSkupaAtributa")]
    tip_skupa_atributa_id: Option<i64>,
    /// The tab, panel or image that the field stands in.
    #[serde(rename = "nadredjeniAtributUTipuSkupaID", alias = "nadredjeniAtributUTipuSkupa")]
    nadredjeni_atribut_u_tipu_skupa_id: Option<i64>,
    #[serde(rename = "inicijalnaEnumStavkaID", alias = "inicijalnaEnumStavka")]
    inicijalna_enum_stavka_id: Option<i64>,
    #[serde(flatten)]
    own: FieldProperties,
    /// How many stored results differ after the change, as whoever asks for it was told.
    potvrdjeno_rezultata: Option<i64>,
}

impl Input {
    fn row(&self, trees: &Trees) -> Result<Row> {
        let mut row = rows::columns_of(&self.own)?;
        row.extend(rows::row(json!({
            "tip_atributa_id": self.tip_atributa_id,
            "redosled": self.redosled,
            "nadredjeni_atribut_u_tipu_skupa_id": self.nadredjeni_atribut_u_tipu_skupa_id,
            "inicijalna_enum_stavka_id": self.inicijalna_enum_stavka_id,
            "formula_za_prikaz_ast": trees.prikaz,
            "formula_za_racunanje_ast": trees.racunanje,
        })));
        Ok(row)
    }
}

#[derive(Serialize, ToSchema)]
#[schema(as = FormField)]
#[serde(rename_all = "camelCase")]
pub struct Record {
    id: i64,
    #[serde(rename = "tipAtributaID")]
    tip_atributa_id: i64,
    tip_atributa_naziv: String,
    tip_vrednosti_atributa_num_vrednost: ValueType,
    redosled: i32,
    /// The form; fixed when the field is made.
    #[serde(rename = "tipSkupaAtributaID")]
    tip_skupa_atributa_id: i64,
    #[serde(rename = "nadredjeniAtributUTipuSkupaID")]
    nadredjeni_atribut_u_tipu_skupa_id: Option<i64>,
    nadredjeni_atribut_u_tipu_skupa_naziv: Option<String>,
    /// The kind of value of the parent.
    #[serde(rename = "nadredjeniAtributUTipuSkupaTVANumVr")]
    nadredjeni_atribut_u_tipu_skupa_tva_num_vr: Option<ValueType>,
    #[serde(rename = "inicijalnaEnumStavkaID")]
    inicijalna_enum_stavka_id: Option<i64>,
    inicijalna_enum_stavka_naziv: Option<String>,
    #[serde(flatten)]
    own: FieldProperties,
    aktivan: bool,
    verzija: i32,
    /// What is warned of in its formulas; a list does not ask.
    upozorenja: Vec<FormulaWarning>,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Scope {
    /// Only the fields of this form.
    #[serde(rename = "tipSkupaAtributa")]
    tip_skupa_atributa: Option<i64>,
}

impl Resource for FormField {
    type Input = Input;
    type Record = Record;
    type Scope = Scope;

    const NAME: &'static str = "form-fields";
    const READ: Access = Access::AnyOf(&[Right::Registers]);
    const WRITE: Access = Access::AnyOf(&[Right::Registers]);
    const SORT: &'static [&'static str] = &["redosled", "sifra", "naziv", "tip_atributa_naziv", "nadredjeni_naziv"];

    crud::brought_back!("form_field");

    async fn page(db: &mut PgConnection, _: &Actor, listing: &Listing, scope: &Scope) -> Result<Vec<Hit>> {
        let hits = sqlx::query_as!(
            Hit,
            r#"
            select f.id as "id!", count(*) over () as "total!"
              from (select f.id, f.aktivan, f.tip_skupa_atributa_id, f.redosled, f.sifra, f.naziv, t.naziv as tip_atributa_naziv,
                           p.naziv as nadredjeni_naziv
                      from form_field f join attribute_type t on t.id = f.tip_atributa_id
                      left join form_field p on p.id = f.nadredjeni_atribut_u_tipu_skupa_id) f
             where f.aktivan = $1 and ($7::bigint is null or f.tip_skupa_atributa_id = $7)
               and ($2::text is null or fold(concat_ws(' ', f.sifra, f.naziv, f.tip_atributa_naziv, f.nadredjeni_naziv)) like $2)
             order by case when not $4 then to_jsonb(f) -> $3 end, case when $4 then to_jsonb(f) -> $3 end desc, f.redosled, f.id
             limit $5 offset $6
            "#,
            listing.aktivan,
            listing.like,
            listing.sort,
            listing.descending,
            listing.limit,
            listing.offset,
            scope.tip_skupa_atributa
        );
        Ok(hits.fetch_all(db).await?)
    }

    async fn fetch(db: &mut PgConnection, _: &Actor, ids: &[i64]) -> Result<Vec<(i64, Record)>> {
        let rows = sqlx::query!(
            r#"
            select f.id, f.tip_atributa_id, t.naziv as type_name, t.tip_vrednosti_atributa as "value_type: ValueType", f.redosled,
                   f.tip_skupa_atributa_id, f.nadredjeni_atribut_u_tipu_skupa_id, p.naziv as "parent_name?",
                   (select tip_vrednosti_atributa from attribute_type where id = p.tip_atributa_id) as "parent_type: ValueType",
                   f.inicijalna_enum_stavka_id, (select naziv from enum_item where id = f.inicijalna_enum_stavka_id) as item_name,
                   f.aktivan, f.verzija,
                   to_jsonb(f) - '{formula_za_prikaz_ast,formula_za_racunanje_ast}'::text[] as "own!: sqlx::types::Json<Row>"
              from form_field f join attribute_type t on t.id = f.tip_atributa_id
              left join form_field p on p.id = f.nadredjeni_atribut_u_tipu_skupa_id
             where f.id = any($1)
            "#,
            ids
        );
        let mut records = Vec::with_capacity(ids.len());
        for row in rows.fetch_all(&mut *db).await? {
            let own: FieldProperties = rows::record_of(row.own.0)?;
            let upozorenja = match ids {
                [id] => warning::of_saved(&mut *db, row.tip_skupa_atributa_id, *id, &own).await?,
                _ => Vec::new(),
            };
            let record = Record {
                id: row.id,
                tip_atributa_id: row.tip_atributa_id,
                tip_atributa_naziv: row.type_name,
                tip_vrednosti_atributa_num_vrednost: row.value_type,
                redosled: row.redosled,
                tip_skupa_atributa_id: row.tip_skupa_atributa_id,
                nadredjeni_atribut_u_tipu_skupa_id: row.nadredjeni_atribut_u_tipu_skupa_id,
                nadredjeni_atribut_u_tipu_skupa_naziv: row.parent_name,
                nadredjeni_atribut_u_tipu_skupa_tva_num_vr: row.parent_type,
                inicijalna_enum_stavka_id: row.inicijalna_enum_stavka_id,
                inicijalna_enum_stavka_naziv: row.item_name,
                own,
                aktivan: row.aktivan,
                verzija: row.verzija,
                upozorenja,
            };
            records.push((row.id, record));
        }
        Ok(records)
    }

    /// The form is locked too: two fields that are saved at once could make a circle of formulas.
    async fn lock(tx: &mut PgConnection, id: i64) -> Result<Option<i32>> {
        let verzija = sqlx::query_scalar!(
            "select f.verzija from form_field f join form t on t.id = f.tip_skupa_atributa_id
              where f.id = $1 and f.aktivan for no key update",
            id
        );
        Ok(verzija.fetch_optional(tx).await?)
    }

    fn validate(input: &Input, _: Date) -> Result<()> {
        if input.tip_atributa_id.is_none() {
            return Err(Error::invalid("tipAtributaID", "Niste izabrali tip atributa."));
        }
        refuse_first(input.own.refusals())?;
        if input.redosled.is_none() {
            return Err(Error::invalid("redosled", "Niste uneli prikazni redosled."));
        }
        if input.tip_skupa_atributa_id.is_none() {
            return Err(Error::invalid("tipSkupaAtributaID", "Niste izabrali formular."));
        }
        Ok(())
    }

    async fn insert(tx: &mut PgConnection, _: &Actor, input: Input) -> Result<i64> {
        let form = sqlx::query_scalar!("select id from form where id = $1 and aktivan for no key update", input.tip_skupa_atributa_id)
            .fetch_optional(&mut *tx)
            .await?
            .ok_or_else(|| Error::invalid("tipSkupaAtributaID", "Formular ne postoji."))?;
        let trees = fit::into_form(&mut *tx, form, fit::NEW, &input).await?;
        let mut row = input.row(&trees)?;
        row.insert("tip_skupa_atributa_id".to_owned(), form.into());
        Ok(rows::create(tx, Self::TABLE, row).await?)
    }

    async fn update(tx: &mut PgConnection, _: &Actor, id: i64, input: Input) -> Result<()> {
        fit::refuse_another_kind(&mut *tx, id, input.tip_atributa_id).await?;
        let form = form_of(&mut *tx, id).await?;
        let trees = fit::into_form(&mut *tx, form, id, &input).await?;
        let before = Before::of_form(&mut *tx, form).await?;
        rows::change(&mut *tx, Self::TABLE, id, input.row(&trees)?).await?;
        before.settle(tx, input.potvrdjeno_rezultata).await
    }

    async fn usages(tx: &mut PgConnection, state: &AppState, id: i64) -> Result<Vec<String>> {
        let used = sqlx::query!(
            r#"
            select f.sifra, f.naziv, t.naziv as form,
                   (select count(*) from entry e where e.tsa_id = f.tip_skupa_atributa_id and e.vrednosti ? f.id::text) as "entries!",
                   array(select c.naziv from form_field c
                          where c.tip_skupa_atributa_id = f.tip_skupa_atributa_id and c.aktivan and c.id <> f.id
                            and c.grafik @> jsonb_build_array(jsonb_build_object('sifra', f.sifra)) order by c.redosled, c.id) as "charts!: Vec<String>"
              from form_field f join form t on t.id = f.tip_skupa_atributa_id where f.id = $1
            "#,
            id
        )
        .fetch_one(&mut *tx)
        .await?;
        let code = used.sifra.as_deref();
        let another = sqlx::query_scalar!(
            r#"select exists (select from form_field where sifra = $1 and aktivan and id <> $2) as "another!""#,
            code,
            id
        )
        .fetch_one(&mut *tx)
        .await?;
        // Reports name a field by its code alone: while another form has it too, they still find one.
        let (reports, queries) = if another {
            (Vec::new(), Vec::new())
        } else {
            (usage::reports_reading(&mut *tx, &state.config.template_dir, code).await?, usage::queries_reading(&mut *tx, code).await?)
        };
        Ok(Places::default()
            .counted(
                &format!("polje „{}” formulara „{}” ima vrednost u ", used.naziv, used.form),
                used.entries,
                ["unosu", "unosa", "unosa"],
            )
            .named("crta ga grafik ", &used.charts)
            .named("čita ga izveštaj ", &reports)
            .named("čita ga upit ", &queries)
            .all())
    }

    async fn before_return(tx: &mut PgConnection, id: i64) -> Result<Option<Before>> {
        let form = form_of(&mut *tx, id).await?;
        Ok(Some(Before::of_form(tx, form).await?))
    }

    /// A field comes back into a form that has changed since.
    async fn fits_again(tx: &mut PgConnection, _: &Actor, id: i64) -> Result<()> {
        let around = sqlx::query!(
            r#"
            select f.tip_skupa_atributa_id as form, t.aktivan as type_there, o.aktivan as form_there, coalesce(p.aktivan, true) as "parent_there!"
              from form_field f join attribute_type t on t.id = f.tip_atributa_id join form o on o.id = f.tip_skupa_atributa_id
              left join form_field p on p.id = f.nadredjeni_atribut_u_tipu_skupa_id
             where f.id = $1
            "#,
            id
        )
        .fetch_one(&mut *tx)
        .await?;
        for (there, what) in
            [(around.form_there, "formular"), (around.type_there, "tip atributa"), (around.parent_there, "nadređeno polje")]
        {
            if !there {
                return Err(Error::conflict(format!("Prvo vratite {what} ovog polja.")));
            }
        }
        let form = Form::load(&mut *tx, around.form).await?;
        match formula::check_form(&form.formulas).into_iter().next() {
            Some(problem) => Err(Error::conflict(format!("Formula polja ne odgovara formularu: {}", problem.message))),
            None => Ok(()),
        }
    }

    async fn remove(tx: &mut PgConnection, _: &Actor, id: i64) -> Result<()> {
        let form = form_of(&mut *tx, id).await?;
        let form = Form::load(&mut *tx, form).await?;
        if let Some(reader) = formulas::reader_of(&form, id) {
            return Err(Error::conflict(format!("Polje se ne može obrisati: koristi ga formula polja „{}”.", reader.naziv)));
        }
        if let Some(child) = form.fields.iter().find(|other| other.naredjeni_auts == Some(id)) {
            return Err(Error::conflict(format!("Polje se ne može obrisati: u njemu je polje „{}”.", child.naziv)));
        }
        sqlx::query!("update form_field set aktivan = false where id = $1", id).execute(tx).await?;
        Ok(())
    }
}

async fn form_of(tx: &mut PgConnection, id: i64) -> Result<i64> {
    Ok(sqlx::query_scalar!("select tip_skupa_atributa_id from form_field where id = $1", id).fetch_one(tx).await?)
}
