//! Who may open a generated report: the one who asked for it, and those it was sent to; what a board has made that is the same for everybody of
//! its institution, whoever there could ask for it herself. Decided anew at every call.
//!
//! Whoever is neither is told the same about a run that exists and about one that does not: that nothing was sent to her.

use accounts::{
    auth::Actor,
    rights::{Area, Reports},
};
use axum::{extract::FromRequestParts, http::request::Parts};
use domain::{
    period::Period,
    report_screen,
    report_sql::ParameterKind,
    report_wording::{About, Wording},
    runs::RunStatus,
    time::{date_text, zone},
};
use platform::error::{Error, Result};
use sqlx::{PgPool, types::Json as Jsonb};
use uuid::Uuid;

use super::{
    definition::Report,
    trail::{PATIENT_LINK, Subject},
    values::DescribedValue,
};

/// What is told to who asked for a report of an institution and works there no more.
pub(super) fn left_institution(name: &str) -> Error {
    Error::refused(format!("Izveštaj je ustanove „{name}”, a vi više niste njen radnik."))
}

/// A run that the worker may look at.
pub struct OpenedRun {
    pub izvestaj_id: i64,
    pub naziv: String,
    pub status: RunStatus,
    pub istekao: bool,
    /// When its files were made.
    pub finished_at: Option<jiff::Timestamp>,
    ustanova: String,
    trazio: String,
    zakazan: bool,
    parametri: serde_json::Value,
    parametri_opis: Vec<DescribedValue>,
}

impl OpenedRun {
    /// What its files are called.
    pub fn file_name(&self, wording: &Wording) -> String {
        wording.file_name(&About {
            izvestaj: &self.naziv,
            period: Period::of_values(&self.parametri),
            ustanova: &self.ustanova,
            posiljalac: &self.trazio,
            zakazan: self.zakazan,
            made: self.finished_at,
        })
    }

    pub fn subject(&self, id: Uuid) -> Subject<'_> {
        Subject {
            klasa: "report_run",
            red_id: id.to_string(),
            izvestaj_id: self.izvestaj_id,
            parametri: &self.parametri,
            opis: &self.parametri_opis,
        }
    }
}

/// A worker who holds the right to reports. Any other is told what is missing before it is looked at what the link names.
pub struct Reader(Actor);

impl std::ops::Deref for Reader {
    type Target = Actor;

    fn deref(&self) -> &Actor {
        &self.0
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Reader {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self> {
        let actor = Actor::from_request_parts(parts, state).await?;
        if !Reports::ACCESS.admits(&actor.prava) {
            return Err(Error::refused(
                "Za otvaranje izveštaja potrebno je pravo „Izveštaji”, koje nemate. Obratite se administratoru svoje ustanove.",
            ));
        }
        Ok(Self(actor))
    }
}

/// The run, for the one who asked for it in whatever state it is, and for a recipient once its files are there.
pub async fn open(db: &PgPool, reader: &Reader, id: Uuid) -> Result<OpenedRun> {
    let row = sqlx::query!(
        r#"select r.radnik_id, r.izvestaj_id as "izvestaj_id!", p.naziv, r.status as "status: RunStatus", r.parametri,
                  r.parametri_opis as "parametri_opis: Jsonb<Vec<DescribedValue>>", r.finished_at, r.expires_at, r.deleted_at is not null as "obrisan!",
                  coalesce(r.expires_at <= now(), false) as "istekao!", u.naziv as ustanova, t.ime || ' ' || t.prezime as "trazio!",
                  r.zakazivanje_id is not null as "zakazan!",
                  works_at($2, r.ustanova_id) as "radi_u_ustanovi!",
                  exists (select from report_recipient p
                           where p.run_id = r.id and (p.radnik_id = w.id or lower(p.adresa) = lower(btrim(w.email)))) as "poslat!"
             from report_run r
             join report p on p.id = r.izvestaj_id
             join institution u on u.id = r.ustanova_id
             join worker t on t.id = r.radnik_id
             join worker w on w.id = $2
            where r.id = $1
              and (r.radnik_id = $2
                   or exists (select from report_recipient p
                               where p.run_id = r.id and (p.radnik_id = w.id or lower(p.adresa) = lower(btrim(w.email))))
                   -- A value that may name a patient is told to nobody else.
                   or r.deljiv and r.formati = array[$5::text] and works_at($2, r.ustanova_id)
                      and not exists (select from report_parameter a join report_parameter_type t on t.id = a.tip_id
                                       where a.izvestaj_id = r.izvestaj_id and (t.tip_recnika = $3 or t.link = $4)
                                         and coalesce(r.parametri ->> a.request_naziv, '') <> ''))"#,
        id,
        reader.radnik_id,
        ParameterKind::Text as _,
        PATIENT_LINK,
        report_screen::FORMAT
    )
    .fetch_optional(db)
    .await?
    .ok_or_else(not_sent_to_you)?;
    let mine = row.radnik_id == reader.radnik_id;
    if !mine && !row.poslat {
        // As if she asked for it herself.
        Report::load(db, reader.radnik_id, row.izvestaj_id).await.map_err(|error| match error {
            Error::NotFound => not_sent_to_you(),
            other => other,
        })?;
    }
    if mine && row.obrisan {
        return Err(Error::NotFound);
    }
    if !row.radi_u_ustanovi {
        return Err(Error::refused(format!(
            "Izveštaj „{}” je ustanove „{}”, a vi niste njen radnik. Obratite se administratoru te ustanove{}",
            row.naziv,
            row.ustanova,
            if mine { ".".to_owned() } else { format!(" ili onome ko je izveštaj tražio: {}.", row.trazio) }
        )));
    }
    if !mine {
        if row.obrisan || row.istekao {
            let when = row.expires_at.filter(|_| !row.obrisan).map(|at| date_text(at.to_jiff().to_zoned(zone()).date()));
            return Err(Error::gone(format!(
                "Izveštaj „{}” {} Novi zatražite od onoga ko ga je tražio: {}.",
                row.naziv,
                when.map_or("je obrisan.".to_owned(), |when| format!("je istekao {when}")),
                row.trazio
            )));
        }
        if row.status != RunStatus::Succeeded {
            return Err(not_sent_to_you());
        }
    }
    Ok(OpenedRun {
        izvestaj_id: row.izvestaj_id,
        naziv: row.naziv,
        status: row.status,
        istekao: row.istekao,
        finished_at: row.finished_at.map(|at| at.to_jiff()),
        ustanova: row.ustanova,
        trazio: row.trazio,
        zakazan: row.zakazan,
        parametri: row.parametri,
        parametri_opis: row.parametri_opis.0,
    })
}

fn not_sent_to_you() -> Error {
    Error::missing(
        "Na ovoj adresi nema izveštaja koji je poslat vama. Izveštaj otvara onaj ko ga je tražio i onaj na čiju je e-mail adresu poslat, \
         ako je ta adresa upisana u njegov nalog. Proverite kojim ste nalogom prijavljeni i adresu u svom profilu, pa se obratite \
         onome ko vam je vezu poslao.",
    )
}
