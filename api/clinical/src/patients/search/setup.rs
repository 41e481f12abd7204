//! What the search screen of a register needs: its forms, searchable fields and the choices of sets.

use accounts::auth::Actor;
use axum::extract::State;
use domain::{
    parameters::{self, RESULTS},
    register::{OtherUnit, ValueType},
};
use platform::{
    error::{Error, Result},
    extract::{Json, Path},
    routes::{Routes, routes},
    state::AppState,
};
use serde::Serialize;
use utoipa::ToSchema;

pub fn routes() -> Routes {
    Routes::new().routes(routes!(setup))
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct SearchSetup {
    id: i64,
    naziv: String,
    opis: Option<String>,
    prikaz_tekucih_unosa_kod_pretrage: bool,
    #[serde(rename = "brojRezultataUPretrazi")]
    broj_rezultata: i32,
    odabir_datuma_pregleda_pre_unosa: bool,
    /// Which fixed fields are shown.
    kriterijumi: Criteria,
    tipovi_unosa: Vec<EntryType>,
    polja: Vec<SearchableField>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Criteria {
    ime: bool,
    prezime: bool,
    #[serde(rename = "JMBG")]
    jmbg: bool,
    #[serde(rename = "LBO")]
    lbo: bool,
    godina_od: bool,
    godina_do: bool,
    pol: bool,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct EntryType {
    id: i64,
    naziv: String,
    moze_se_instancirati: bool,
    max_instanci: Option<i32>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct SearchableField {
    id: i64,
    naziv: String,
    #[serde(rename = "tipUnosaID")]
    tip_unosa_id: i64,
    tip_vrednosti: ValueType,
    jedinica: Option<String>,
    /// In which the number of a criterion may be typed too, and the decimals to which it is rounded then.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    druge_jedinice: Vec<OtherUnit>,
    decimale: Option<i16>,
    stavke: Vec<Choice>,
}

#[derive(Serialize, ToSchema)]
#[schema(as = SearchChoice)]
struct Choice {
    id: i64,
    naziv: String,
}

#[utoipa::path(get, path = "/api/registers/{id}/search-setup", responses((status = 200, body = SearchSetup)))]
async fn setup(State(state): State<AppState>, _actor: Actor, Path(id): Path<i64>) -> Result<Json<SearchSetup>> {
    let register = sqlx::query!(
        "select id, naziv, opis, prikaz_tekucih_unosa_kod_pretrage, broj_rezultata_u_pretrazi from register where id = $1 and aktivan",
        id
    )
    .fetch_optional(&state.db)
    .await?
    .ok_or(Error::NotFound)?;
    let forms = sqlx::query_as!(
        EntryType,
        "select id, naziv, moze_se_instancirati, maksimalan_broj_instanci_po_pacijentu as max_instanci
           from form where registar_id = $1 and aktivan order by prikazni_redosled, id",
        id
    )
    .fetch_all(&state.db)
    .await?;
    // A name that a form has several times is followed by that of the panel around the item.
    let fields = sqlx::query!(
        r#"
        select f.id, f.tip_skupa_atributa_id,
               case when count(*) over (partition by g.id, f.naziv) > 1 then concat(f.naziv, ' (' || p.naziv || ')') else f.naziv end as "naziv!", t.tip_vrednosti_atributa as "tip_vrednosti_atributa: ValueType", t.jedinica,
               t.druge_jedinice as "druge_jedinice: sqlx::types::Json<Vec<OtherUnit>>", t.decimale_brojne_vrednosti as decimale,
               array(select e.id from enum_item e where e.tip_atributa_id = t.id and e.aktivan order by e.redosled, e.id) as "items!: Vec<i64>",
               array(select e.naziv from enum_item e where e.tip_atributa_id = t.id and e.aktivan order by e.redosled, e.id) as "names!: Vec<String>"
          from form_field f
          join form g on g.id = f.tip_skupa_atributa_id and g.aktivan
          join attribute_type t on t.id = f.tip_atributa_id
          join form_field_place m on m.polje_id = f.id
          left join form_field p on p.id = f.nadredjeni_atribut_u_tipu_skupa_id
         where g.registar_id = $1 and f.aktivan and f.pretrazuje_se and holds_value(t.tip_vrednosti_atributa)
         order by g.prikazni_redosled, g.id, m.mesto
        "#,
        id
    )
    .fetch_all(&state.db)
    .await?;
    let parameters = parameters::load(&state.db).await?;
    let flag = |naziv| parameters.is_on(naziv);
    Ok(Json(SearchSetup {
        id: register.id,
        naziv: register.naziv,
        opis: register.opis,
        prikaz_tekucih_unosa_kod_pretrage: register.prikaz_tekucih_unosa_kod_pretrage,
        broj_rezultata: register.broj_rezultata_u_pretrazi.unwrap_or_else(|| parameters.number(&RESULTS)),
        odabir_datuma_pregleda_pre_unosa: flag("odabirDatumaPregledaPreUnosa"),
        kriterijumi: Criteria {
            ime: flag("kriterijumIme"),
            prezime: flag("kriterijumPrezime"),
            jmbg: flag("kriterijumJMBG"),
            lbo: flag("kriterijumLBO"),
            godina_od: flag("kriterijumGodinaOd"),
            godina_do: flag("kriterijumGodinaDo"),
            pol: flag("kriterijumPol"),
        },
        tipovi_unosa: forms,
        polja: fields
            .into_iter()
            .map(|row| SearchableField {
                id: row.id,
                naziv: row.naziv,
                tip_unosa_id: row.tip_skupa_atributa_id,
                tip_vrednosti: row.tip_vrednosti_atributa,
                jedinica: row.jedinica,
                druge_jedinice: row.druge_jedinice.0,
                decimale: row.decimale,
                stavke: row.items.into_iter().zip(row.names).map(|(id, naziv)| Choice { id, naziv }).collect(),
            })
            .collect(),
    }))
}
