//! Fields of a form (B §2.3): atribut u tipu skupa, auts. A field is saved only where the whole form still fits together: its
//! formulas, and what stands in what.

mod fit;
mod formulas;
pub(super) mod near;
mod warning;

use accounts::{
    auth::Actor,
    rights::{Access, Right},
};
use domain::{
    entry::form_lock,
    register::{FieldProperties, ValueType, rules},
};
use jiff::civil::Date;
use platform::{
    error::{Error, Result, refuse_first},
    routes::Routes,
    rows::{self, Row},
    state::AppState,
};
use serde::{Deserialize, Serialize};
use serde_json::json;
use sqlx::PgConnection;
use utoipa::ToSchema;

use self::{
    formulas::Trees,
    near::{FieldDependencies, FieldPart, Readers},
    warning::FormulaWarning,
};
use super::{impact::Before, other_forms, queries::FirstValues, usage, visit_plan};
use crate::crud::{self, Column, List, ListBind, Resource};

pub struct FormField;

pub fn routes() -> Routes {
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
    fn wanted(&self) -> FieldDependencies {
        FieldDependencies::of(&self.own, self.nadredjeni_atribut_u_tipu_skupa_id)
    }

    fn row(&self, trees: &Trees) -> Result<Row> {
        let mut row = rows::columns_of(&self.own)?;
        row.extend(rows::row(json!({
            "tip_atributa_id": self.tip_atributa_id,
            "redosled": self.redosled,
            "nadredjeni_atribut_u_tipu_skupa_id": self.nadredjeni_atribut_u_tipu_skupa_id,
            "inicijalna_enum_stavka_id": self.inicijalna_enum_stavka_id,
            "formula_za_prikaz_ast": trees.prikaz,
            "formula_za_racunanje_ast": trees.racunanje,
            "obavezan_ako_ast": trees.obavezan,
        })));
        Ok(row)
    }
}

#[derive(Serialize, Deserialize, ToSchema)]
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

#[derive(serde::Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Scope {
    /// Only the fields of this form.
    #[serde(rename = "tipSkupaAtributa")]
    of: Option<i64>,
}

impl Resource for FormField {
    type Input = Input;
    type Record = Record;
    type Scope = Scope;

    const NAME: &'static str = "form-fields";
    const READ: Access = Access::AnyOf(&[Right::Registers]);
    const WRITE: Access = Access::AnyOf(&[Right::Registers]);
    const TABLE: &'static str = "form_field";

    // The joins are planned for the whole form (`offset 0`): behind the conditions of the columns the planner expects hardly a row, and
    // looks each field's place up by itself.
    const LIST: List = List {
        from: "(select f.id, f.aktivan, f.tip_skupa_atributa_id, f.redosled, m.mesto, f.sifra, f.naziv, t.naziv as tip_atributa_naziv,
                      p.naziv as nadredjeni_atribut_u_tipu_skupa_naziv
                 from form_field f join attribute_type t on t.id = f.tip_atributa_id join form_field_place m on m.polje_id = f.id
                 left join form_field p on p.id = f.nadredjeni_atribut_u_tipu_skupa_id
                where $7::bigint is null or f.tip_skupa_atributa_id = $7 offset 0)",
        columns: &[
            Column::number("mesto"),
            Column::number("redosled"),
            Column::text("sifra"),
            Column::text("naziv"),
            Column::text("tip_atributa_naziv"),
            Column::text("nadredjeni_atribut_u_tipu_skupa_naziv"),
        ],
        searched: "sifra, naziv, tip_atributa_naziv, nadredjeni_atribut_u_tipu_skupa_naziv",
        then: "mesto",
        of: Some("tip_skupa_atributa_id = $7"),
        but: None,
    };

    fn binds(_: &Actor, scope: &Scope) -> Vec<ListBind> {
        vec![ListBind::Id(scope.of)]
    }

    async fn fetch(db: &mut PgConnection, _: &Actor, ids: &[i64]) -> Result<Vec<(i64, Record)>> {
        let rows = sqlx::query_scalar!(
            r#"
            select to_jsonb(r) - '{formula_za_prikaz_ast,formula_za_racunanje_ast,obavezan_ako_ast}'::text[] as "row!: sqlx::types::Json<Row>"
              from (select f.*, t.naziv as tip_atributa_naziv, t.tip_vrednosti_atributa as tip_vrednosti_atributa_num_vrednost,
                           p.naziv as nadredjeni_atribut_u_tipu_skupa_naziv,
                           (select tip_vrednosti_atributa from attribute_type where id = p.tip_atributa_id)
                               as "nadredjeniAtributUTipuSkupaTVANumVr",
                           (select naziv from enum_item where id = f.inicijalna_enum_stavka_id) as inicijalna_enum_stavka_naziv,
                           '[]'::jsonb as upozorenja
                      from form_field f join attribute_type t on t.id = f.tip_atributa_id
                      left join form_field p on p.id = f.nadredjeni_atribut_u_tipu_skupa_id) r
             where r.id = any($1)
            "#,
            ids
        );
        let record = |row: sqlx::types::Json<Row>| -> Result<(i64, Record)> {
            let record: Record = rows::record_of(row.0)?;
            Ok((record.id, record))
        };
        rows.fetch_all(db).await?.into_iter().map(record).collect()
    }

    /// With what is warned of in its formulas.
    async fn told(db: &mut PgConnection, mut record: Record) -> Result<Record> {
        record.upozorenja = warning::of_saved(db, record.tip_skupa_atributa_id, record.id, &record.own).await?;
        Ok(record)
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
        crud::required([(input.tip_atributa_id.is_none(), "tipAtributaID", rules::NO_TYPE)])?;
        refuse_first(input.own.refusals())?;
        crud::required([
            (input.redosled.is_none(), "redosled", rules::NO_ORDER),
            (input.tip_skupa_atributa_id.is_none(), "tipSkupaAtributaID", rules::NO_FORM),
        ])
    }

    const EXAMINED: &'static [&'static str] = &["upitInicijalnaVrednost"];

    async fn examine(state: &AppState, actor: &Actor, input: &Input) -> Result<()> {
        let query = input.own.upit_inicijalna_vrednost.as_deref();
        match FirstValues::of(state, actor, query).await?.fault(query) {
            Some(fault) => Err(Error::invalid("upitInicijalnaVrednost", fault.to_owned())),
            None => Ok(()),
        }
    }

    async fn insert(tx: &mut PgConnection, _: &Actor, input: Input) -> Result<i64> {
        let form = sqlx::query_scalar!("select id from form where id = $1 and aktivan for no key update", input.tip_skupa_atributa_id)
            .fetch_optional(&mut *tx)
            .await?
            .ok_or_else(|| Error::invalid("tipSkupaAtributaID", "Formular ne postoji."))?;
        let around = near::part(&mut *tx, form, fit::NEW, &input.wanted(), Readers::Direct).await?;
        let trees = fit::into_form(&mut *tx, &around, fit::NEW, &input).await?;
        let mut row = input.row(&trees)?;
        row.insert("tip_skupa_atributa_id".to_owned(), form.into());
        let id = rows::create(&mut *tx, Self::TABLE, row).await?;
        other_forms::refuse_broken_readers_of(tx, form).await?;
        Ok(id)
    }

    async fn update(tx: &mut PgConnection, _: &Actor, id: i64, input: Input) -> Result<()> {
        fit::refuse_another_kind(&mut *tx, id, input.tip_atributa_id).await?;
        let form = form_of(&mut *tx, id).await?;
        form_lock::take(&mut *tx, form).await?;
        let wanted = input.wanted();
        let around = near::part(&mut *tx, form, id, &wanted, Readers::Direct).await?;
        let trees = fit::into_form(&mut *tx, &around, id, &input).await?;
        // A section's columns are another form's worth of rules; results are looked at only where they may become others.
        let before = if fit::is_of_rows(&around, id, &input) {
            Before::of_form(&mut *tx, form).await?
        } else if fit::computes_otherwise(&around, id, &input, &trees) {
            let before = near::part(&mut *tx, form, id, &wanted, Readers::All).await?;
            Before::of_part(before, FieldPart { id, wanted, readers: Readers::All })
        } else {
            Before::of_part(around, FieldPart { id, wanted, readers: Readers::Direct })
        };
        rows::change(&mut *tx, Self::TABLE, id, input.row(&trees)?).await?;
        visit_plan::refuse_broken_conditions(&mut *tx, form).await?;
        other_forms::refuse_broken_readers_of(&mut *tx, form).await?;
        before.settle(tx, input.potvrdjeno_rezultata).await
    }

    async fn usages(tx: &mut PgConnection, _: &Actor, state: &AppState, id: i64) -> Result<Vec<String>> {
        usage::form_field::places(tx, &state.config.template_dir, id).await
    }

    async fn bring_back(tx: &mut PgConnection, actor: &Actor, id: i64, told: Option<i64>) -> Result<()> {
        let form = form_of(&mut *tx, id).await?;
        let before = Before::of_form(&mut *tx, form).await?;
        Self::set_active(&mut *tx, id, true).await?;
        Self::fits_again(&mut *tx, actor, id).await?;
        other_forms::refuse_broken_readers_of(&mut *tx, form).await?;
        before.settle(tx, told).await
    }

    async fn fits_again(tx: &mut PgConnection, _: &Actor, id: i64) -> Result<()> {
        fit::again(tx, id).await
    }

    async fn remove(tx: &mut PgConnection, _: &Actor, id: i64) -> Result<()> {
        fit::refuse_gap(&mut *tx, id).await?;
        Self::set_active(&mut *tx, id, false).await?;
        let form = form_of(&mut *tx, id).await?;
        visit_plan::refuse_broken_conditions(&mut *tx, form).await?;
        other_forms::refuse_broken_readers_of(tx, form).await
    }
}

async fn form_of(tx: &mut PgConnection, id: i64) -> Result<i64> {
    Ok(sqlx::query_scalar!("select tip_skupa_atributa_id from form_field where id = $1", id).fetch_one(tx).await?)
}
