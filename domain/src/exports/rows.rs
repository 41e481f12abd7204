//! The rows of an export, counted and read by the same conditions.
//!
//! An entry leaves only with the institution that made it, a patient of a register only with the institution that registered the
//! patient or made one of the entries: whoever does not belong to it is given neither.

use futures::{StreamExt, stream::BoxStream};
use jiff_sqlx::{Date, Timestamp};
use serde_json::Value;
use sqlx::{PgConnection, types::Json};

use crate::register::PatientStatus;

use super::{LoggedSearch, Profile, RowOf, Selection, WantedStates};

/// Orders patients so that nobody can tell which is which: drawn anew for each attempt, and kept nowhere.
pub type Key = [u8; 32];

/// How much an export holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Count {
    pub redova: i64,
    pub pacijenata: i64,
}

/// One row as it is stored. What names a patient is read for the profile with identity only.
#[derive(Debug)]
pub struct Row {
    pub pacijent_id: i64,
    pub unos_id: Option<i64>,
    pub poseta_id: Option<i64>,
    pub datum_unosa: Option<Date>,
    pub ustanova_id: Option<i64>,
    pub vrednosti: Option<Value>,
    /// Its values that do not compare with the others: field, reason and unit.
    pub zastareli: Json<Vec<(i64, String, Option<String>)>>,
    /// The patient's first and last examination among those that are exported, and how many there are.
    pub prvi: Option<Date>,
    pub poslednji: Option<Date>,
    pub broj: Option<i64>,
    /// What holds of the patient in the register, and since when.
    pub status: Option<PatientStatus>,
    pub status_dan: Option<Date>,
    pub datum_rodjenja: Date,
    pub pol_trenutni: bool,
    pub jmbg: Option<String>,
    pub lbo: Option<String>,
    pub broj_kartona: Option<String>,
    pub prezime: Option<String>,
    pub ime: Option<String>,
}

/// Entries of a form: what they are chosen by stands once. `$8`: patients are named, so that nobody's consent to research is
/// asked. Values begin at `$10`.
macro_rules! of_form {
    ($query:ident, $(($out:ty),)? $head:literal, $tail:literal, $selection:expr, $form:expr $(, $more:expr)*) => {
        sqlx::$query!(
            $($out,)?
            $head
                + " from (select e.id, e.pacijent_id, e.poseta_id, e.registar_id, e.datum_unosa, e.ustanova_id, e.vrednosti,
                                 min(e.datum_unosa) over (partition by e.pacijent_id) as prvi,
                                 max(e.datum_unosa) over (partition by e.pacijent_id) as poslednji,
                                 count(*) over (partition by e.pacijent_id) as broj,
                                 row_number() over (partition by e.pacijent_id order by e.datum_unosa desc, e.id desc) as from_last
                            from entry e join patient known on known.id = e.pacijent_id and known.aktivan
                           where e.aktivan and e.tsa_id = $1 and e.ustanova_id = any ($2)
                             and ($3::date is null or e.datum_unosa >= $3) and ($4::date is null or e.datum_unosa <= $4)
                             and ($9::text = 'svi' or entry_stands(e.id, $9))
                             and ($6::bigint is null or e.pacijent_id in (select s.pacijent_id from audit_log_patient s
                                                                           where s.log_id = $6 and s.vreme_pristupa = $7))) u
                    join patient p on p.id = u.pacijent_id
                    left join patient_register r on r.pacijent_id = u.pacijent_id and r.registar_id = u.registar_id
                   where (not $5::boolean or u.from_last = 1) and ($8::boolean or coalesce(r.za_istrazivanje, true)) "
                + $tail,
            $form,
            &$selection.ustanove,
            $selection.datum_od.map(Date::from) as _,
            $selection.datum_do.map(Date::from) as _,
            $selection.red == RowOf::Pacijent,
            $selection.pretraga.map(|search| search.zapis),
            $selection.pretraga.map(moment) as _,
            $selection.profil == Profile::Identitet,
            $selection.stanja as WantedStates
            $(, $more)*
        )
    };
}

/// Patients of a register. `$7`: patients are named. Values begin at `$8`.
macro_rules! of_register {
    ($query:ident, $(($out:ty),)? $head:literal, $tail:literal, $selection:expr $(, $more:expr)*) => {
        sqlx::$query!(
            $($out,)?
            $head
                + " from patient_register r join patient p on p.id = r.pacijent_id and p.aktivan
                   cross join lateral (select min(e.datum_unosa) as prvi, max(e.datum_unosa) as poslednji, count(*) as broj
                                         from entry e
                                        where e.pacijent_id = p.id and e.registar_id = r.registar_id and e.aktivan and e.ustanova_id = any ($2)
                                          and ($3::date is null or e.datum_unosa >= $3) and ($4::date is null or e.datum_unosa <= $4)) u
                  where r.registar_id = $1 and ($7::boolean or r.za_istrazivanje)
                    and (u.broj > 0 or $3::date is null and $4::date is null and p.ustanova_id = any ($2))
                    and ($5::bigint is null or p.id in (select s.pacijent_id from audit_log_patient s
                                                         where s.log_id = $5 and s.vreme_pristupa = $6)) "
                + $tail,
            $selection.registar_id,
            &$selection.ustanove,
            $selection.datum_od.map(Date::from) as _,
            $selection.datum_do.map(Date::from) as _,
            $selection.pretraga.map(|search| search.zapis),
            $selection.pretraga.map(moment) as _,
            $selection.profil == Profile::Identitet
            $(, $more)*
        )
    };
}

fn moment(search: LoggedSearch) -> Timestamp {
    search.vreme.into()
}

pub async fn count(db: &mut PgConnection, selection: &Selection) -> sqlx::Result<Count> {
    match selection.tsa_id {
        Some(form) => {
            of_form!(
                query_as,
                (Count),
                r#"select count(*) as "redova!", count(distinct u.pacijent_id) as "pacijenata!""#,
                "",
                selection,
                form
            )
            .fetch_one(db)
            .await
        }
        None => {
            of_register!(query_as, (Count), r#"select count(*) as "redova!", count(*) as "pacijenata!""#, "", selection).fetch_one(db).await
        }
    }
}

/// Patients of the selection whose data do not leave without identity, because they have not agreed to research.
pub async fn without_consent(db: &mut PgConnection, selection: &Selection) -> sqlx::Result<i64> {
    if selection.profil == Profile::Identitet {
        return Ok(0);
    }
    sqlx::query_scalar!(
        r#"select count(*) as "n!" from patient_register r join patient p on p.id = r.pacijent_id and p.aktivan
            where r.registar_id = $1 and not r.za_istrazivanje
              and (exists (select from entry e
                            where e.pacijent_id = p.id and e.registar_id = $1 and e.aktivan and e.ustanova_id = any ($2)
                              and ($5::bigint is null or e.tsa_id = $5) and ($8::text = 'svi' or entry_stands(e.id, $8))
                              and ($3::date is null or e.datum_unosa >= $3) and ($4::date is null or e.datum_unosa <= $4))
                   or $3::date is null and $4::date is null and $5::bigint is null and p.ustanova_id = any ($2))
              and ($6::bigint is null or p.id in (select s.pacijent_id from audit_log_patient s where s.log_id = $6 and s.vreme_pristupa = $7))"#,
        selection.registar_id,
        &selection.ustanove,
        selection.datum_od.map(Date::from) as _,
        selection.datum_do.map(Date::from) as _,
        selection.tsa_id,
        selection.pretraga.map(|search| search.zapis),
        selection.pretraga.map(moment) as _,
        selection.stanja as WantedStates
    )
    .fetch_one(db)
    .await
}

/// The rows, one patient's after another's, by date: in the order of their numbers with identity, else in an order that nobody can
/// follow back.
pub fn rows<'a>(db: &'a mut PgConnection, selection: &'a Selection, key: &'a Key) -> BoxStream<'a, sqlx::Result<Row>> {
    match selection.tsa_id {
        Some(form) => of_form!(
            query_as,
            (Row),
            r#"select u.pacijent_id, u.id as unos_id, u.poseta_id as "poseta_id?", u.datum_unosa as "datum_unosa: Date", u.ustanova_id, u.vrednosti,
                      (select coalesce(jsonb_agg(jsonb_build_array(s.polje_id, s.razlog, s.jedinica) order by s.polje_id), '[]')
                         from stale_result s where s.unos_id = u.id) as "zastareli!: Json<Vec<(i64, String, Option<String>)>>", u.prvi as "prvi: Date",
                      u.poslednji as "poslednji: Date", u.broj, r.status as "status?: PatientStatus", r.status_dan as "status_dan?: Date",
                      p.datum_rodjenja as "datum_rodjenja: Date", p.pol_trenutni,
                      case when $8 then p.jmbg end as jmbg, case when $8 then p.lbo end as lbo,
                      case when $8 then p.broj_kartona end as broj_kartona, case when $8 then p.prezime end as prezime,
                      case when $8 then p.ime end as ime"#,
            "order by case when $8 then int8send(u.pacijent_id) else sha256($10 || int8send(u.pacijent_id)) end, u.datum_unosa, u.id",
            selection,
            form,
            &key[..]
        )
        .fetch(db)
        .boxed(),
        None => of_register!(
            query_as,
            (Row),
            r#"select p.id as pacijent_id, null::bigint as unos_id, null::bigint as poseta_id, null::date as "datum_unosa: Date", null::bigint as ustanova_id,
                      null::jsonb as vrednosti,
                      '[]'::jsonb as "zastareli!: Json<Vec<(i64, String, Option<String>)>>", u.prvi as "prvi: Date", u.poslednji as "poslednji: Date", u.broj,
                      r.status as "status?: PatientStatus", r.status_dan as "status_dan?: Date", p.datum_rodjenja as "datum_rodjenja: Date", p.pol_trenutni,
                      case when $7 then p.jmbg end as jmbg, case when $7 then p.lbo end as lbo,
                      case when $7 then p.broj_kartona end as broj_kartona, case when $7 then p.prezime end as prezime,
                      case when $7 then p.ime end as ime"#,
            "order by case when $7 then int8send(p.id) else sha256($8 || int8send(p.id)) end",
            selection,
            &key[..]
        )
        .fetch(db)
        .boxed(),
    }
}
