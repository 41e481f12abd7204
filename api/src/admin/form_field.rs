//! Fields of a form (B §2.3): atribut u tipu skupa, auts. A field is saved only where the whole form still fits together: its
//! formulas, and what stands in what.

use domain::{
    entry::form::{EntryField, Form},
    formula::{self, FormulaError, FormulaKind, Target},
    register::ValueType,
    report_sql::Statement,
};
use jiff::civil::Date;
use rust_decimal::{Decimal, prelude::ToPrimitive};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sqlx::PgConnection;
use utoipa::{IntoParams, ToSchema};

use super::{
    formula_warning::{self, FormulaWarning},
    impact::Before,
    report_parameter_type::fault_text,
    usage::{self, Places},
};
use crate::{
    auth::Actor,
    crud::{self, Hit, Listing, Resource},
    error::{Error, Result},
    pictures,
    rights::{Access, Right},
    state::AppState,
    text,
};

pub struct FormField;

/// A line of a chart, by the code of the field whose values it joins.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
#[schema(as = FormFieldLine)]
pub struct Line {
    oznaka: String,
    sifra: String,
    /// `#rrggbb`
    boja: String,
}

#[derive(Serialize, Deserialize, ToSchema)]
#[schema(as = FormFieldInput)]
#[serde(rename_all = "camelCase", default)]
pub struct Input {
    #[serde(rename = "tipAtributaID", alias = "tipAtributa")]
    tip_atributa_id: Option<i64>,
    #[serde(deserialize_with = "text::required")]
    naziv: String,
    redosled: Option<i32>,
    /// The form; fixed when the field is made.
    #[serde(rename = "tipSkupaAtributaID", alias = "tipSkupaAtributa")]
    tip_skupa_atributa_id: Option<i64>,
    /// The tab, panel or image that the field stands in.
    #[serde(rename = "nadredjeniAtributUTipuSkupaID", alias = "nadredjeniAtributUTipuSkupa")]
    nadredjeni_atribut_u_tipu_skupa_id: Option<i64>,
    #[serde(deserialize_with = "text::optional")]
    sifra: Option<String>,
    #[serde(deserialize_with = "text::optional")]
    sifra_veza: Option<String>,
    relevantni: bool,
    opcioni: bool,
    inicijalno_poslednja_popunjena_vrednost: bool,
    ispisuje_se_labela: bool,
    ima_cek_box: bool,
    vertikalni_prikaz: bool,
    pretrazuje_se: bool,
    prikazuje_se: bool,
    multiselect: bool,
    radio_button: bool,
    inicijalna_boolean_vrednost: Option<bool>,
    #[serde(deserialize_with = "text::optional")]
    inicijalna_string_vrednost: Option<String>,
    /// Of a dot on an image: its diameter.
    #[schema(value_type = Option<f64>)]
    inicijalna_brojna_vrednost: Option<Decimal>,
    #[serde(rename = "inicijalnaEnumStavkaID", alias = "inicijalnaEnumStavka")]
    inicijalna_enum_stavka_id: Option<i64>,
    /// SQL with `:pacijentID`, `:radnikID`, `:ustanovaID`, `:registarID`.
    #[serde(deserialize_with = "text::optional")]
    upit_inicijalna_vrednost: Option<String>,
    #[serde(deserialize_with = "text::optional")]
    formula_za_prikaz: Option<String>,
    #[serde(deserialize_with = "text::optional")]
    formula_za_racunanje: Option<String>,
    #[serde(deserialize_with = "text::optional")]
    napomena: Option<String>,
    /// HTML; it is cleaned where it is shown.
    #[serde(deserialize_with = "text::optional")]
    html_info: Option<String>,
    #[schema(value_type = Option<f64>)]
    donja_referentna_brojna_vrednost: Option<Decimal>,
    #[schema(value_type = Option<f64>)]
    gornja_referentna_brojna_vrednost: Option<Decimal>,
    /// Base64.
    #[serde(deserialize_with = "text::optional")]
    background_image: Option<String>,
    /// The centre of the dot, in the image's own pixels.
    #[schema(value_type = Option<f64>)]
    image_coordinate_x: Option<Decimal>,
    #[schema(value_type = Option<f64>)]
    image_coordinate_y: Option<Decimal>,
    grafik: Option<Vec<Line>>,
    /// How many stored results differ after the change, as whoever asks for it was told.
    potvrdjeno_rezultata: Option<i64>,
}

impl Default for Input {
    fn default() -> Self {
        Self {
            tip_atributa_id: None,
            naziv: String::new(),
            redosled: None,
            tip_skupa_atributa_id: None,
            nadredjeni_atribut_u_tipu_skupa_id: None,
            sifra: None,
            sifra_veza: None,
            relevantni: false,
            opcioni: true,
            inicijalno_poslednja_popunjena_vrednost: false,
            ispisuje_se_labela: true,
            ima_cek_box: false,
            vertikalni_prikaz: false,
            pretrazuje_se: false,
            prikazuje_se: true,
            multiselect: false,
            radio_button: false,
            inicijalna_boolean_vrednost: None,
            inicijalna_string_vrednost: None,
            inicijalna_brojna_vrednost: None,
            inicijalna_enum_stavka_id: None,
            upit_inicijalna_vrednost: None,
            formula_za_prikaz: None,
            formula_za_racunanje: None,
            napomena: None,
            html_info: None,
            donja_referentna_brojna_vrednost: None,
            gornja_referentna_brojna_vrednost: None,
            background_image: None,
            image_coordinate_x: None,
            image_coordinate_y: None,
            grafik: None,
            potvrdjeno_rezultata: None,
        }
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
    naziv: String,
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
    sifra: Option<String>,
    sifra_veza: Option<String>,
    relevantni: bool,
    opcioni: bool,
    inicijalno_poslednja_popunjena_vrednost: bool,
    ispisuje_se_labela: bool,
    ima_cek_box: bool,
    vertikalni_prikaz: bool,
    pretrazuje_se: bool,
    prikazuje_se: bool,
    multiselect: bool,
    radio_button: bool,
    inicijalna_boolean_vrednost: Option<bool>,
    inicijalna_string_vrednost: Option<String>,
    #[schema(value_type = Option<f64>)]
    inicijalna_brojna_vrednost: Option<Decimal>,
    #[serde(rename = "inicijalnaEnumStavkaID")]
    inicijalna_enum_stavka_id: Option<i64>,
    inicijalna_enum_stavka_naziv: Option<String>,
    upit_inicijalna_vrednost: Option<String>,
    formula_za_prikaz: Option<String>,
    formula_za_racunanje: Option<String>,
    napomena: Option<String>,
    html_info: Option<String>,
    #[schema(value_type = Option<f64>)]
    donja_referentna_brojna_vrednost: Option<Decimal>,
    #[schema(value_type = Option<f64>)]
    gornja_referentna_brojna_vrednost: Option<Decimal>,
    background_image: Option<String>,
    #[schema(value_type = Option<f64>)]
    image_coordinate_x: Option<Decimal>,
    #[schema(value_type = Option<f64>)]
    image_coordinate_y: Option<Decimal>,
    #[schema(value_type = Option<Vec<Line>>)]
    grafik: Option<Value>,
    aktivan: bool,
    verzija: i32,
    /// What is warned of in its formulas; a list does not ask.
    #[schema(value_type = Vec<FormulaWarning>)]
    upozorenja: sqlx::types::Json<Vec<FormulaWarning>>,
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
        let rows = sqlx::query_as!(
            Record,
            r#"
            select f.id, f.tip_atributa_id, t.naziv as tip_atributa_naziv, t.tip_vrednosti_atributa as "tip_vrednosti_atributa_num_vrednost: ValueType",
                   f.naziv, f.redosled, f.tip_skupa_atributa_id, f.nadredjeni_atribut_u_tipu_skupa_id,
                   p.naziv as "nadredjeni_atribut_u_tipu_skupa_naziv?",
                   (select tip_vrednosti_atributa from attribute_type where id = p.tip_atributa_id) as "nadredjeni_atribut_u_tipu_skupa_tva_num_vr: ValueType",
                   f.sifra, f.sifra_veza, f.relevantni, f.opcioni, f.inicijalno_poslednja_popunjena_vrednost, f.ispisuje_se_labela,
                   f.ima_cek_box, f.vertikalni_prikaz, f.pretrazuje_se, f.prikazuje_se, f.multiselect, f.radio_button,
                   f.inicijalna_boolean_vrednost, f.inicijalna_string_vrednost, f.inicijalna_brojna_vrednost, f.inicijalna_enum_stavka_id,
                   (select naziv from enum_item where id = f.inicijalna_enum_stavka_id) as inicijalna_enum_stavka_naziv,
                   f.upit_inicijalna_vrednost, f.formula_za_prikaz, f.formula_za_racunanje, f.napomena, f.html_info,
                   f.donja_referentna_brojna_vrednost, f.gornja_referentna_brojna_vrednost, f.background_image, f.image_coordinate_x,
                   f.image_coordinate_y, f.grafik, f.aktivan, f.verzija,
                   '[]'::jsonb as "upozorenja!: sqlx::types::Json<Vec<FormulaWarning>>"
              from form_field f join attribute_type t on t.id = f.tip_atributa_id
              left join form_field p on p.id = f.nadredjeni_atribut_u_tipu_skupa_id
             where f.id = any($1)
            "#,
            ids
        );
        let mut rows = rows.fetch_all(&mut *db).await?;
        if let [row] = &mut rows[..] {
            let (racunanje, prikaz) = (row.formula_za_racunanje.as_deref(), row.formula_za_prikaz.as_deref());
            row.upozorenja.0 = formula_warning::of_saved(db, row.tip_skupa_atributa_id, row.id, racunanje, prikaz).await?;
        }
        Ok(rows.into_iter().map(|row| (row.id, row)).collect())
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
        if input.naziv.is_empty() {
            return Err(Error::invalid("naziv", "Niste uneli naziv."));
        }
        if input.redosled.is_none() {
            return Err(Error::invalid("redosled", "Niste uneli prikazni redosled."));
        }
        if input.tip_skupa_atributa_id.is_none() {
            return Err(Error::invalid("tipSkupaAtributaID", "Niste izabrali formular."));
        }
        if let (Some(low), Some(high)) = (input.donja_referentna_brojna_vrednost, input.gornja_referentna_brojna_vrednost)
            && low > high
        {
            return Err(Error::invalid("donjaReferentnaBrojnaVrednost", "Donja referentna vrednost ne sme biti veća od gornje."));
        }
        if input.image_coordinate_x.is_some() != input.image_coordinate_y.is_some() {
            return Err(Error::invalid("imageCoordinateX", "Koordinate na slici idu zajedno."));
        }
        if let Some(Err(fault)) = input.upit_inicijalna_vrednost.as_deref().map(Statement::scan) {
            return Err(Error::invalid("upitInicijalnaVrednost", format!("Upit nije ispravan: {}", fault_text(fault))));
        }
        validate_lines(input.grafik.as_deref().unwrap_or_default())?;
        pictures::validate("backgroundImage", input.background_image.as_deref())
    }

    async fn insert(tx: &mut PgConnection, _: &Actor, input: Input) -> Result<i64> {
        let form = sqlx::query_scalar!("select id from form where id = $1 and aktivan for no key update", input.tip_skupa_atributa_id)
            .fetch_optional(&mut *tx)
            .await?
            .ok_or_else(|| Error::invalid("tipSkupaAtributaID", "Formular ne postoji."))?;
        let trees = fit(&mut *tx, form, NEW, &input).await?;
        let id = sqlx::query_scalar!(
            "insert into form_field (tip_skupa_atributa_id, tip_atributa_id, nadredjeni_atribut_u_tipu_skupa_id, naziv, redosled, sifra,
                                     sifra_veza, relevantni, opcioni, inicijalno_poslednja_popunjena_vrednost, ispisuje_se_labela,
                                     ima_cek_box, vertikalni_prikaz, pretrazuje_se, prikazuje_se, multiselect, radio_button,
                                     inicijalna_boolean_vrednost, inicijalna_string_vrednost, inicijalna_brojna_vrednost,
                                     inicijalna_enum_stavka_id, upit_inicijalna_vrednost, formula_za_prikaz, formula_za_prikaz_ast,
                                     formula_za_racunanje, formula_za_racunanje_ast, napomena, html_info, donja_referentna_brojna_vrednost,
                                     gornja_referentna_brojna_vrednost, background_image, image_coordinate_x, image_coordinate_y, grafik)
             values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26,
                     $27, $28, $29, $30, $31, $32, $33, $34) returning id",
            form,
            input.tip_atributa_id,
            input.nadredjeni_atribut_u_tipu_skupa_id,
            input.naziv,
            input.redosled,
            input.sifra,
            input.sifra_veza,
            input.relevantni,
            input.opcioni,
            input.inicijalno_poslednja_popunjena_vrednost,
            input.ispisuje_se_labela,
            input.ima_cek_box,
            input.vertikalni_prikaz,
            input.pretrazuje_se,
            input.prikazuje_se,
            input.multiselect,
            input.radio_button,
            input.inicijalna_boolean_vrednost,
            input.inicijalna_string_vrednost,
            input.inicijalna_brojna_vrednost,
            input.inicijalna_enum_stavka_id,
            input.upit_inicijalna_vrednost,
            input.formula_za_prikaz,
            trees.prikaz,
            input.formula_za_racunanje,
            trees.racunanje,
            input.napomena,
            input.html_info,
            input.donja_referentna_brojna_vrednost,
            input.gornja_referentna_brojna_vrednost,
            input.background_image,
            input.image_coordinate_x,
            input.image_coordinate_y,
            lines(&input)
        );
        Ok(id.fetch_one(tx).await?)
    }

    async fn update(tx: &mut PgConnection, _: &Actor, id: i64, input: Input) -> Result<()> {
        refuse_another_kind(&mut *tx, id, input.tip_atributa_id).await?;
        let form = form_of(&mut *tx, id).await?;
        let trees = fit(&mut *tx, form, id, &input).await?;
        let before = Before::of_form(&mut *tx, form).await?;
        sqlx::query!(
            "update form_field
                set tip_atributa_id = $2, nadredjeni_atribut_u_tipu_skupa_id = $3, naziv = $4, redosled = $5, sifra = $6, sifra_veza = $7,
                    relevantni = $8, opcioni = $9, inicijalno_poslednja_popunjena_vrednost = $10, ispisuje_se_labela = $11,
                    ima_cek_box = $12, vertikalni_prikaz = $13, pretrazuje_se = $14, prikazuje_se = $15, multiselect = $16,
                    radio_button = $17, inicijalna_boolean_vrednost = $18, inicijalna_string_vrednost = $19,
                    inicijalna_brojna_vrednost = $20, inicijalna_enum_stavka_id = $21, upit_inicijalna_vrednost = $22,
                    formula_za_prikaz = $23, formula_za_prikaz_ast = $24, formula_za_racunanje = $25, formula_za_racunanje_ast = $26,
                    napomena = $27, html_info = $28, donja_referentna_brojna_vrednost = $29, gornja_referentna_brojna_vrednost = $30,
                    background_image = $31, image_coordinate_x = $32, image_coordinate_y = $33, grafik = $34
              where id = $1",
            id,
            input.tip_atributa_id,
            input.nadredjeni_atribut_u_tipu_skupa_id,
            input.naziv,
            input.redosled,
            input.sifra,
            input.sifra_veza,
            input.relevantni,
            input.opcioni,
            input.inicijalno_poslednja_popunjena_vrednost,
            input.ispisuje_se_labela,
            input.ima_cek_box,
            input.vertikalni_prikaz,
            input.pretrazuje_se,
            input.prikazuje_se,
            input.multiselect,
            input.radio_button,
            input.inicijalna_boolean_vrednost,
            input.inicijalna_string_vrednost,
            input.inicijalna_brojna_vrednost,
            input.inicijalna_enum_stavka_id,
            input.upit_inicijalna_vrednost,
            input.formula_za_prikaz,
            trees.prikaz,
            input.formula_za_racunanje,
            trees.racunanje,
            input.napomena,
            input.html_info,
            input.donja_referentna_brojna_vrednost,
            input.gornja_referentna_brojna_vrednost,
            input.background_image,
            input.image_coordinate_x,
            input.image_coordinate_y,
            lines(&input)
        )
        .execute(&mut *tx)
        .await?;
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
        if let Some(reader) = reader_of(&form, id) {
            return Err(Error::conflict(format!("Polje se ne može obrisati: koristi ga formula polja „{}”.", reader.naziv)));
        }
        if let Some(child) = form.fields.iter().find(|other| other.naredjeni_auts == Some(id)) {
            return Err(Error::conflict(format!("Polje se ne može obrisati: u njemu je polje „{}”.", child.naziv)));
        }
        sqlx::query!("update form_field set aktivan = false where id = $1", id).execute(tx).await?;
        Ok(())
    }
}

/// Stands for the id of a field that is not stored yet.
const NEW: i64 = 0;

/// The parsed formulas of a field, as they are stored.
#[derive(Default)]
struct Trees {
    prikaz: Option<Value>,
    racunanje: Option<Value>,
    warnings: Vec<FormulaWarning>,
}

/// What is warned of in a field as it would be saved; refused as the save would refuse it.
pub async fn warnings_of_input(db: &mut PgConnection, id: Option<i64>, input: &Input) -> Result<Vec<FormulaWarning>> {
    let form = match (id, input.tip_skupa_atributa_id) {
        (Some(id), _) => form_of(&mut *db, id).await?,
        (None, Some(form)) => form,
        (None, None) => return Err(Error::invalid("tipSkupaAtributaID", "Niste izabrali formular.")),
    };
    Ok(fit(db, form, id.unwrap_or(NEW), input).await?.warnings)
}

/// Whether the field fits into its form as it is, and its formulas parsed.
async fn fit(tx: &mut PgConnection, form_id: i64, id: i64, input: &Input) -> Result<Trees> {
    let form = Form::load(&mut *tx, form_id).await?;
    let own = own_type(tx, id, input).await?;
    fit_kind(input, own.tip_vrednosti)?;
    fit_parent(&form, id, input)?;
    if let Some(item) = input.inicijalna_enum_stavka_id
        && !own.items.iter().any(|known| known.id == item)
    {
        return Err(Error::invalid("inicijalnaEnumStavkaID", "Početna stavka ne pripada tipu atributa."));
    }
    if let Some(reader) = reader_of(&form, id) {
        if form.by_id().get(&id).is_some_and(|stored| stored.sifra != input.sifra) {
            return Err(Error::invalid("sifra", format!("Šifru koristi formula polja „{}”.", reader.naziv)));
        }
        if !own.tip_vrednosti.holds_value() {
            return Err(Error::invalid("tipAtributaID", format!("Vrednost polja koristi formula polja „{}”.", reader.naziv)));
        }
    }
    compile(form.formulas, own, input)
}

/// The field as formulas see it, without its formulas.
async fn own_type(tx: &mut PgConnection, id: i64, input: &Input) -> Result<formula::Field> {
    let known = sqlx::query!(
        r#"select tip_vrednosti_atributa as "tip_vrednosti_atributa: ValueType", donja_granica_brojne_vrednosti, gornja_granica_brojne_vrednosti
             from attribute_type
            where id = $1 and (aktivan or exists (select from form_field f where f.id = $2 and f.tip_atributa_id = $1))"#,
        input.tip_atributa_id,
        id
    )
    .fetch_optional(&mut *tx)
    .await?
    .ok_or_else(|| Error::invalid("tipAtributaID", "Tip atributa ne postoji."))?;
    let items = sqlx::query!(
        "select id, num_vrednost, naziv from enum_item where tip_atributa_id = $1 order by redosled, id",
        input.tip_atributa_id
    )
    .fetch_all(tx)
    .await?;
    Ok(formula::Field {
        id,
        sifra: input.sifra.clone(),
        parent: input.nadredjeni_atribut_u_tipu_skupa_id,
        tip_vrednosti: known.tip_vrednosti_atributa,
        items: items
            .into_iter()
            .map(|item| formula::Item { id: item.id, num: item.num_vrednost.to_f64().unwrap_or_default(), name: item.naziv })
            .collect(),
        multiple: input.multiselect,
        donja_granica: known.donja_granica_brojne_vrednosti.and_then(|bound| bound.to_f64()),
        gornja_granica: known.gornja_granica_brojne_vrednosti.and_then(|bound| bound.to_f64()),
        racunanje: None,
        prikaz: None,
    })
}

/// What only one kind of field has.
fn fit_kind(input: &Input, kind: ValueType) -> Result<()> {
    if !input.opcioni && !kind.holds_value() {
        return Err(Error::invalid("opcioni", "Obavezno može biti samo polje koje ima vrednost."));
    }
    if input.formula_za_racunanje.is_some() && !kind.holds_value() {
        return Err(Error::invalid("formulaZaRacunanje", "Računa se samo polje koje ima vrednost."));
    }
    if input.background_image.is_some() && kind != ValueType::Image {
        return Err(Error::invalid("backgroundImage", "Sliku ima samo slikovno polje."));
    }
    if input.grafik.is_some() && kind != ValueType::Chart {
        return Err(Error::invalid("grafik", "Linije ima samo grafik."));
    }
    Ok(())
}

fn fit_parent(form: &Form, id: i64, input: &Input) -> Result<()> {
    let refuse = |message: &'static str| Err(Error::invalid("nadredjeniAtributUTipuSkupaID", message));
    let fields = form.by_id();
    let parent = match input.nadredjeni_atribut_u_tipu_skupa_id {
        None => None,
        Some(parent) => match fields.get(&parent) {
            Some(parent) if parent.tva_num_vrednost.holds_fields() => Some(*parent),
            Some(_) => return refuse("Nadređeno polje mora biti panel, slika ili tab."),
            None => return refuse("Nadređeno polje nije u ovom formularu."),
        },
    };
    if input.image_coordinate_x.is_some() && parent.is_none_or(|parent| parent.tva_num_vrednost != ValueType::Image) {
        return Err(Error::invalid("imageCoordinateX", "Mesto na slici ima samo polje čije je nadređeno polje slika."));
    }
    let mut above = parent;
    for _ in 0..=form.fields.len() {
        let Some(field) = above else { return Ok(()) };
        if field.id == id {
            break;
        }
        above = field.naredjeni_auts.and_then(|id| fields.get(&id).copied());
    }
    refuse("Polje ne može biti u samom sebi.")
}

/// Parses the field's formulas among those of the other fields: unknown codes and circles are refused with their place.
fn compile(mut fields: Vec<formula::Field>, own: formula::Field, input: &Input) -> Result<Trees> {
    let id = own.id;
    fields.retain(|field| field.id != id);
    let parsed = |name, text: &Option<String>| text.as_deref().map(|text| formula::parse(text).map_err(at(name))).transpose();
    let racunanje = parsed(RACUNANJE, &input.formula_za_racunanje)?;
    let prikaz = parsed(PRIKAZ, &input.formula_za_prikaz)?;
    fields.push(formula::Field { racunanje, prikaz, ..own });
    let mut warnings = Vec::new();
    let mut compiled = |name, kind, text: &Option<String>| -> Result<Option<Value>> {
        let Some(text) = text else { return Ok(None) };
        let compiled = formula::compile(text, Target { field: id, kind }, &fields).map_err(at(name))?;
        warnings.extend(FormulaWarning::all_of(name, &compiled));
        Ok(Some(serde_json::to_value(compiled.formula).map_err(anyhow::Error::from)?))
    };
    let racunanje = compiled(RACUNANJE, FormulaKind::Calculation, &input.formula_za_racunanje)?;
    let prikaz = compiled(PRIKAZ, FormulaKind::Display, &input.formula_za_prikaz)?;
    // Another type with other items, which formulas of other fields name.
    let own = fields.iter().find(|field| field.id == id);
    if let Some(problem) = own.and_then(|own| formula::items_missed_in(own, &fields)) {
        return Err(Error::invalid("tipAtributaID", problem));
    }
    // A circle that goes through what the field stands in.
    match formula::check_form(&fields).into_iter().find(|problem| problem.field == id) {
        Some(problem) => Err(Error::invalid("nadredjeniAtributUTipuSkupaID", problem.message)),
        None => Ok(Trees { prikaz, racunanje, warnings }),
    }
}

pub const RACUNANJE: &str = "formulaZaRacunanje";
pub const PRIKAZ: &str = "formulaZaPrikaz";

fn at(field: &'static str) -> impl Fn(FormulaError) -> Error {
    move |error| Error::invalid(field, error.to_string())
}

/// Another field whose formula reads the code of this one.
fn reader_of(form: &Form, id: i64) -> Option<&EntryField> {
    let code = form.by_id().get(&id)?.sifra.clone()?;
    let reads = |field: &formula::Field| field.formulas().any(|formula| formula.reads(&code));
    let reader = form.formulas.iter().find(|field| field.id != id && reads(field))?;
    form.fields.iter().find(|field| field.id == reader.id)
}

async fn form_of(tx: &mut PgConnection, id: i64) -> Result<i64> {
    Ok(sqlx::query_scalar!("select tip_skupa_atributa_id from form_field where id = $1", id).fetch_one(tx).await?)
}

/// Saved values keep the shape of their field's type, and a set's values the ids of its items; other fields stand in it.
async fn refuse_another_kind(tx: &mut PgConnection, id: i64, wanted: Option<i64>) -> Result<()> {
    let found = sqlx::query!(
        r#"
        select (was.tip_vrednosti_atributa <> wanted.tip_vrednosti_atributa or was.tip_vrednosti_atributa = type_number('skupovni'))
               and exists (select from entry e where e.tsa_id = f.tip_skupa_atributa_id and e.vrednosti ? f.id::text) as "saved!",
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
        Some(found) if found.saved => Err(Error::invalid("tipAtributaID", "Polje ima sačuvane vrednosti, pa mu se tip ne može promeniti.")),
        Some(found) if found.holds => Err(Error::invalid("tipAtributaID", "U polju su druga polja, pa mora ostati panel, slika ili tab.")),
        _ => Ok(()),
    }
}

fn validate_lines(lines: &[Line]) -> Result<()> {
    for Line { oznaka, sifra, boja } in lines {
        if oznaka.trim().is_empty() || sifra.trim().is_empty() {
            return Err(Error::invalid("grafik", "Svaka linija mora imati oznaku i šifru polja."));
        }
        if !boja.strip_prefix('#').is_some_and(|hex| hex.len() == 6 && hex.bytes().all(|digit| digit.is_ascii_hexdigit())) {
            return Err(Error::invalid("grafik", format!("Boja linije „{oznaka}” nije ispravna.")));
        }
    }
    Ok(())
}

fn lines(input: &Input) -> Option<Value> {
    input.grafik.as_ref().map(|lines| serde_json::json!(lines))
}
