//! Registers (B §2.3): everyone reads the list that opens them, administrators configure them.

use accounts::{
    auth::Actor,
    rights::{Access, Right},
};
use domain::register::{bad_causes, rules};
use jiff::civil::Date;
use platform::{
    error::{Error, Result, refuse_first},
    state::AppState,
};
use sqlx::PgConnection;

use crate::{
    admin::usage,
    crud::{self, Column, List, NoScope, Resource},
};

pub struct Register;

crud::fields! {
    shown as Register, sent as RegisterInput;
    text naziv: String,
    text sifra: Option<String>,
    text opis: Option<String>,
    text naziv_prvi_unos: Option<String>,
    /// The form of a first entry.
    #[serde(rename = "prviTipHijerarhijeAtributaID")]
    explained prvi_tip_hijerarhije_atributa_id: Option<i64>,
    text naziv_podrazumevani_unos: Option<String>,
    /// The form that is chosen at first.
    #[serde(rename = "podrazumevaniTipHijerarhijeAtributaID")]
    explained podrazumevani_tip_hijerarhije_atributa_id: Option<i64>,
    /// 50, 100, 200, 1000 or -1 for all. None: what the parameter of the same name says, whatever it is at the time of a search.
    explained broj_rezultata_u_pretrazi: Option<i32>,
    prikaz_tekucih_unosa_kod_pretrage: bool,
    text logo_putanja: Option<String>,
    /// Causes that may be chosen with a status of a patient, one a line: status; code; name.
    text uzroci_statusa: Option<String>,
    /// Whether the register asks each patient, and for what: to be in it (else it stands on the law), for research, to be written to, for exchange.
    pristanak_registar: bool,
    pristanak_istrazivanje: bool,
    pristanak_kontakt: bool,
    pristanak_razmena: bool,
}

impl Resource for Register {
    type Input = Input;
    type Record = Record;
    type Scope = NoScope;

    const NAME: &'static str = "registers";
    const READ: Access = Access::Everyone;
    const WRITE: Access = Access::AnyOf(&[Right::Registers]);
    const TABLE: &'static str = "register";

    const LIST: List = List {
        from: "register",
        columns: &[Column::text("naziv"), Column::text("sifra"), Column::text("opis")],
        searched: "naziv, sifra, opis",
        then: "naziv",
        of: None,
        but: None,
    };

    async fn fetch(db: &mut PgConnection, _: &Actor, ids: &[i64]) -> Result<Vec<(i64, Record)>> {
        let rows = sqlx::query_as!(
            Record,
            r#"select id, naziv, sifra, opis, naziv_prvi_unos, prvi_tip_hijerarhije_atributa_id, naziv_podrazumevani_unos,
                  podrazumevani_tip_hijerarhije_atributa_id, broj_rezultata_u_pretrazi,
                  prikaz_tekucih_unosa_kod_pretrage, logo_putanja, uzroci_statusa, pristanak_registar, pristanak_istrazivanje, pristanak_kontakt, pristanak_razmena, aktivan, verzija
             from register where id = any($1)"#,
            ids
        );
        Ok(rows.fetch_all(db).await?.into_iter().map(|row| (row.id, row)).collect())
    }

    fn validate(input: &Input, _: Date) -> Result<()> {
        let refusals = rules::of_register(&input.naziv, input.broj_rezultata_u_pretrazi);
        refuse_first(refusals.into_iter().chain(bad_causes(input.uzroci_statusa.as_deref())))
    }

    async fn usages(tx: &mut PgConnection, _: &Actor, state: &AppState, id: i64) -> Result<Vec<String>> {
        usage::register::places(tx, &state.config.template_dir, id).await
    }

    /// Its forms come back with it; a type of theirs may have been removed meanwhile.
    async fn fits_again(tx: &mut PgConnection, _: &Actor, id: i64) -> Result<()> {
        let missing = sqlx::query!(
            "select t.naziv, o.naziv as formular
               from form o join form_field f on f.tip_skupa_atributa_id = o.id and f.aktivan join form_field_place m on m.polje_id = f.id
               join attribute_type t on t.id = f.tip_atributa_id and not t.aktivan
              where o.registar_id = $1 and o.aktivan order by o.prikazni_redosled, o.id, m.mesto limit 1",
            id
        );
        match missing.fetch_optional(tx).await? {
            Some(row) => {
                let message = format!("Prvo vratite tip atributa „{}”: ima ga polje formulara „{}”.", row.naziv, row.formular);
                Err(Error::conflict(message))
            }
            None => Ok(()),
        }
    }
}
