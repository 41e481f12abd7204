//! The demo's institutions, roles, workers, sponsors and reports, as `demo.toml` lists them.

use std::collections::HashMap;

use accounts::passwords;
use anyhow::{Context, ensure};
use base64::{Engine, engine::general_purpose::STANDARD};
use platform::rows::{Row, Table, row};
use serde::Deserialize;
use serde_json::json;
use sqlx::PgConnection;

const INSTITUTIONS: Table = Table { name: "institution", key: &["naziv"], soft: true };
const ROLES: Table = Table { name: "role", key: &["ime"], soft: true };
const WORKERS: Table = Table { name: "worker", key: &["username"], soft: true };
const SPONSORS: Table = Table { name: "sponsor", key: &["code"], soft: false };
const PARAMETER_TYPES: Table = Table { name: "report_parameter_type", key: &["naziv"], soft: true };
const CATEGORIES: Table = Table { name: "report_category", key: &["naziv"], soft: true };
const TYPES: Table = Table { name: "report_type", key: &["naziv", "kategorija_id"], soft: true };
const REPORTS: Table = Table { name: "report", key: &["jasper_fajl"], soft: true };
const PARAMETERS: Table = Table { name: "report_parameter", key: &["izvestaj_id", "request_naziv"], soft: true };

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Setup {
    ustanove: Vec<Institution>,
    uloge: Vec<Role>,
    radnici: Vec<Worker>,
    sponzori: Vec<Sponsor>,
    tipovi_parametara: Vec<ParameterType>,
    kategorije: Vec<Category>,
    tipovi_izvestaja: Vec<ReportType>,
    izvestaji: Vec<Report>,
    tekstovi_saglasnosti: Vec<ConsentText>,
    pravila_kvaliteta: Vec<QualityRule>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Institution {
    sifra: String,
    naziv: String,
    adresa: String,
    telefon: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Role {
    ime: String,
    opis: String,
    numericka_vrednost: i32,
    #[serde(default)]
    moze_biti_odgovoran: bool,
    pacijenti: String,
    #[serde(default)]
    sve_ustanove: bool,
    prava: Vec<i32>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Worker {
    username: String,
    ime: String,
    prezime: String,
    pol: bool,
    ustanova: String,
    ustanove: Vec<String>,
    uloge: Vec<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Sponsor {
    code: String,
    name: String,
    display_order: i32,
    description: String,
    note: String,
    address: String,
    phone: String,
    website_url: String,
    logo: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ParameterType {
    naziv: String,
    vrsta: i16,
    upit: Option<String>,
    link: Option<String>,
    #[serde(default)]
    logovan: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Category {
    naziv: String,
    numericka_vrednost: i32,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct ReportType {
    naziv: String,
    numericka_vrednost: i32,
    kategorija: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Report {
    naziv: String,
    numericka_vrednost: i32,
    jasper_fajl: String,
    opis: String,
    tip: String,
    registar: Option<String>,
    obim: String,
    #[serde(default)]
    prilog_u_mejlu: bool,
    parametri: Vec<Parameter>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Parameter {
    naziv: String,
    request_naziv: String,
    tip: String,
    #[serde(default)]
    opcioni: bool,
    #[serde(default)]
    multi_select: bool,
    podrazumevano: Option<String>,
}

/// To what patients of a register agree.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ConsentText {
    registar: String,
    svrha: String,
    tekst: String,
}

/// What is looked for in the entries of a register; fields by their codes.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct QualityRule {
    registar: String,
    formular: Option<String>,
    naziv: String,
    vrsta: String,
    tezina: String,
    polje: Option<String>,
    razlika: Option<i32>,
    formula: Option<String>,
    poruka: Option<String>,
}

impl Setup {
    pub fn read() -> anyhow::Result<Self> {
        toml::from_str(include_str!("../../../demo/demo.toml")).context("demo.toml")
    }

    /// Institutions, roles, workers, sponsors: what data needs before it.
    pub async fn store_house(&self, tx: &mut PgConnection) -> anyhow::Result<()> {
        let institutions = self.store_institutions(tx).await?;
        let roles = self.store_roles(tx).await?;
        self.store_workers(tx, &institutions, &roles).await?;
        self.store_sponsors(tx).await
    }

    async fn store_institutions(&self, tx: &mut PgConnection) -> anyhow::Result<HashMap<&str, i64>> {
        let wanted = |known: &Institution| {
            row(json!({ "sifra": known.sifra, "naziv": known.naziv, "adresa": known.adresa, "telefon": known.telefon }))
        };
        let ids = INSTITUTIONS.sync(tx, self.ustanove.iter().map(wanted).collect()).await?.ids;
        Ok(self.ustanove.iter().map(|known| known.sifra.as_str()).zip(ids).collect())
    }

    async fn store_roles(&self, tx: &mut PgConnection) -> anyhow::Result<HashMap<&str, i64>> {
        let wanted = |role: &Role| {
            row(json!({
                "ime": role.ime,
                "opis": role.opis,
                "numericka_vrednost": role.numericka_vrednost,
                "pacijenti": role.pacijenti,
                "moze_biti_odgovoran": role.moze_biti_odgovoran,
                "sve_ustanove": role.sve_ustanove,
            }))
        };
        let ids = ROLES.sync(tx, self.uloge.iter().map(wanted).collect()).await?.ids;
        for (role, id) in self.uloge.iter().zip(&ids) {
            sqlx::query!(
                "insert into role_right (uloga_id, aplikativno_pravo_id)
                 select $1, id from application_right where numericka_vrednost = any ($2) on conflict do nothing",
                id,
                &role.prava
            )
            .execute(&mut *tx)
            .await?;
        }
        Ok(self.uloge.iter().map(|role| role.ime.as_str()).zip(ids).collect())
    }

    async fn store_workers(
        &self,
        tx: &mut PgConnection,
        institutions: &HashMap<&str, i64>,
        roles: &HashMap<&str, i64>,
    ) -> anyhow::Result<()> {
        let mut wanted: Vec<Row> = vec![];
        for worker in &self.radnici {
            wanted.push(row(json!({
                "username": worker.username,
                "password_hash": passwords::hash(worker.username.clone()).await?,
                "ime": worker.ime,
                "prezime": worker.prezime,
                "pol": worker.pol,
                "ustanova_id": institutions[worker.ustanova.as_str()],
                "demo_nalog": true,
            })));
        }
        let ids = WORKERS.sync(tx, wanted).await?.ids;
        for (worker, id) in self.radnici.iter().zip(ids) {
            let own_institutions: Vec<i64> = worker.ustanove.iter().map(|code| institutions[code.as_str()]).collect();
            let own_roles: Vec<i64> = worker.uloge.iter().map(|name| roles[name.as_str()]).collect();
            sqlx::query!(
                "insert into worker_institution (radnik_id, ustanova_id) select $1, unnest($2::bigint[]) on conflict do nothing",
                id,
                &own_institutions
            )
            .execute(&mut *tx)
            .await?;
            sqlx::query!(
                "insert into worker_role (radnik_id, uloga_id) select $1, unnest($2::bigint[]) on conflict do nothing",
                id,
                &own_roles
            )
            .execute(&mut *tx)
            .await?;
        }
        Ok(())
    }

    async fn store_sponsors(&self, tx: &mut PgConnection) -> anyhow::Result<()> {
        let mut wanted: Vec<Row> = vec![];
        for sponsor in &self.sponzori {
            wanted.push(row(json!({
                "code": sponsor.code,
                "name": sponsor.name,
                "display_order": sponsor.display_order,
                "description": sponsor.description,
                "note": sponsor.note,
                "address": sponsor.address,
                "phone": sponsor.phone,
                "website_url": sponsor.website_url,
                "logo": STANDARD.encode(super::picture(&sponsor.logo)?),
            })));
        }
        SPONSORS.sync(tx, wanted).await?;
        Ok(())
    }

    /// The registers must be there.
    pub async fn store_consent_texts(&self, tx: &mut PgConnection) -> anyhow::Result<()> {
        for text in &self.tekstovi_saglasnosti {
            let stored = sqlx::query!(
                "insert into consent_text (registar_id, svrha, broj, tekst) select id, $2, 0, $3 from register where sifra = $1 and aktivan",
                text.registar,
                text.svrha,
                text.tekst
            );
            let rows = stored.execute(&mut *tx).await?.rows_affected();
            ensure!(rows == 1, "demo.toml: there is no register {}", text.registar);
        }
        Ok(())
    }

    /// What the demo's patients have said of being called: seven of ten have agreed, one has not, and two were not asked.
    pub async fn store_consents(&self, tx: &mut PgConnection) -> anyhow::Result<()> {
        sqlx::query!(
            "insert into patient_consent (pacijent_id, registar_id, svrha, dat, dan, tekst_id, ustanova_id)
             select p.id, r.registar_id, 'kontakt', p.id % 10 <> 0, r.prvi_unos_datum, case when p.id % 10 <> 0 then t.id end, p.ustanova_id
               from patient_register r join patient p on p.id = r.pacijent_id join register g on g.id = r.registar_id and g.pristanak_kontakt
               left join consent_text t on t.registar_id = r.registar_id and t.svrha = 'kontakt'
              where p.id % 10 not in (3, 7) and r.prvi_unos_datum is not null
              order by p.id"
        )
        .execute(tx)
        .await?;
        Ok(())
    }

    /// The registers must be there; their entries are looked at by the first run, or as they come.
    pub async fn store_quality_rules(&self, tx: &mut PgConnection) -> anyhow::Result<()> {
        for rule in &self.pravila_kvaliteta {
            let stored = sqlx::query!(
                "insert into quality_rule (registar_id, form_id, naziv, vrsta, tezina, polje_id, razlika, formula, poruka)
                 select r.id, f.id, $3, $4, $5, p.id, $7::int, $8, $9
                   from register r left join form f on f.registar_id = r.id and f.sifra_veza = $2 and f.aktivan
                   left join form_field p on p.tip_skupa_atributa_id = f.id and p.sifra = $6 and p.aktivan
                  where r.sifra = $1 and r.aktivan and (f.id is null) = ($2::text is null) and (p.id is null) = ($6::text is null)",
                rule.registar,
                rule.formular,
                rule.naziv,
                rule.vrsta,
                rule.tezina,
                rule.polje,
                rule.razlika,
                rule.formula,
                rule.poruka
            );
            let rows = stored.execute(&mut *tx).await?.rows_affected();
            ensure!(rows == 1, "demo.toml: the rule {} names a register, a form or a field that is not there", rule.naziv);
        }
        sqlx::query!("select order_quality_run(r.id) from register r where exists (select from quality_rule q where q.registar_id = r.id)")
            .fetch_all(&mut *tx)
            .await?;
        Ok(())
    }

    /// Reports and what they are arranged by; their registers must be there.
    pub async fn store_reports(&self, tx: &mut PgConnection) -> anyhow::Result<()> {
        let parameter_types = self.store_parameter_types(tx).await?;
        let types = self.store_report_types(tx).await?;
        let registers: HashMap<String, i64> =
            sqlx::query!(r#"select sifra as "sifra!", id from register where sifra is not null and aktivan"#)
                .fetch_all(&mut *tx)
                .await?
                .into_iter()
                .map(|register| (register.sifra, register.id))
                .collect();
        let wanted = self.izvestaji.iter().map(|report| {
            row(json!({
                "naziv": report.naziv,
                "numericka_vrednost": report.numericka_vrednost,
                "jasper_fajl": report.jasper_fajl,
                "prikazuje_se": true,
                "opis": report.opis,
                "tip_id": types[report.tip.as_str()],
                "registar_id": report.registar.as_ref().map(|sifra| registers[sifra]),
                "obim": report.obim,
                "prilog_u_mejlu": report.prilog_u_mejlu,
            }))
        });
        let ids = REPORTS.sync(tx, wanted.collect()).await?.ids;
        for (report, id) in self.izvestaji.iter().zip(ids) {
            let parameters = report.parametri.iter().enumerate().map(|(place, parameter)| {
                row(json!({
                    "izvestaj_id": id,
                    "naziv": parameter.naziv,
                    "prikazni_redosled": place + 1,
                    "multi_select": parameter.multi_select,
                    "opcioni": parameter.opcioni,
                    "request_naziv": parameter.request_naziv,
                    "tip_id": parameter_types[parameter.tip.as_str()],
                    "podrazumevano": parameter.podrazumevano,
                }))
            });
            PARAMETERS.sync(tx, parameters.collect()).await?;
            sqlx::query!(
                "insert into report_format_link (izvestaj_id, format_id) select $1, id from report_format on conflict do nothing",
                id
            )
            .execute(&mut *tx)
            .await?;
        }
        Ok(())
    }

    async fn store_parameter_types(&self, tx: &mut PgConnection) -> anyhow::Result<HashMap<&str, i64>> {
        let wanted = |known: &ParameterType| {
            let upit = known.upit.as_deref().map(str::trim);
            row(json!({ "naziv": known.naziv, "tip_recnika": known.vrsta, "upit": upit, "link": known.link, "logged": known.logovan }))
        };
        let ids = PARAMETER_TYPES.sync(tx, self.tipovi_parametara.iter().map(wanted).collect()).await?.ids;
        Ok(self.tipovi_parametara.iter().map(|known| known.naziv.as_str()).zip(ids).collect())
    }

    async fn store_report_types(&self, tx: &mut PgConnection) -> anyhow::Result<HashMap<&str, i64>> {
        let wanted = |known: &Category| row(json!({ "naziv": known.naziv, "numericka_vrednost": known.numericka_vrednost }));
        let ids = CATEGORIES.sync(tx, self.kategorije.iter().map(wanted).collect()).await?.ids;
        let categories: HashMap<&str, i64> = self.kategorije.iter().map(|known| known.naziv.as_str()).zip(ids).collect();
        let wanted = |known: &ReportType| {
            let category = categories[known.kategorija.as_str()];
            row(json!({ "naziv": known.naziv, "numericka_vrednost": known.numericka_vrednost, "kategorija_id": category }))
        };
        let ids = TYPES.sync(tx, self.tipovi_izvestaja.iter().map(wanted).collect()).await?.ids;
        Ok(self.tipovi_izvestaja.iter().map(|known| known.naziv.as_str()).zip(ids).collect())
    }
}
