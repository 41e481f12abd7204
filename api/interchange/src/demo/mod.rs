//! `api demo`: an installation to look at. Two registers with patients, accounts, sponsors and reports, in one transaction,
//! through the same import that hospitals use.

mod cardiology;
mod dice;
mod people;
mod rheumatology;
mod setup;

use anyhow::{Context, bail, ensure};
use domain::{db, environment};
use jiff::civil::Date;
use sqlx::{PgConnection, PgPool};

use self::{people::People, setup::Setup};
use crate::import::{
    self, check,
    data::{self, Failure, Request},
    definition, formulas,
    mapping::Mapping,
    problems::listing,
    progress::{self, Progress},
    register,
    schema::RegisterName,
};

/// Sources of the demo's records begin with this.
const SOURCE: &str = "demo:";

/// A register with its data.
struct Part {
    sifra: &'static str,
    definition: &'static str,
    mapping: &'static str,
    file: fn(&mut People) -> anyhow::Result<Vec<u8>>,
}

const PARTS: [Part; 2] = [
    Part {
        sifra: "kardiologija",
        definition: include_str!("../../../demo/kardiologija.toml"),
        mapping: include_str!("../../../demo/kardiologija.mapping.toml"),
        file: cardiology::file,
    },
    Part {
        sifra: "reumatologija",
        definition: include_str!("../../../demo/reumatologija.toml"),
        mapping: include_str!("../../../demo/reumatologija.mapping.toml"),
        file: rheumatology::file,
    },
];

pub async fn run() -> anyhow::Result<()> {
    ensure!(environment::optional("REGIX_DEMO", "") == "1", "demo podaci se učitavaju samo gde je REGIX_DEMO=1");
    let owner = db::pool(&db::required("OWNER_DATABASE_URL")?, "regix-demo", 2).await.context("the database does not answer")?;
    match load(&owner, import::today(), &mut progress::watched()).await? {
        DemoState::Now => println!("Demo podaci su učitani."),
        DemoState::Before => println!("Demo podaci su već učitani."),
    }
    Ok(())
}

#[derive(PartialEq, Eq, Debug)]
pub enum DemoState {
    Now,
    /// Nothing was touched: what people changed since stays changed.
    Before,
}

/// Loads everything, or nothing. Refuses where there are patients of anyone else.
pub async fn load(owner: &PgPool, today: Date, progress: &mut Progress) -> anyhow::Result<DemoState> {
    let mut tx = db::begin(owner, db::SYSTEM_WORKER).await?;
    let state = sqlx::query!(
        r#"select exists (select from import_record where starts_with(izvor, $1)) as "loaded!", exists (select from patient) as "patients!""#,
        SOURCE
    )
    .fetch_one(&mut *tx)
    .await?;
    if state.loaded {
        return Ok(DemoState::Before);
    }
    if state.patients {
        bail!("u bazi već ima pacijenata koji nisu iz demoa, pa se demo ne učitava");
    }
    let setup = Setup::read()?;
    setup.store_house(&mut tx).await?;
    let mut people = People::new()?;
    for part in &PARTS {
        load_part(&mut tx, part, &mut people, today, progress).await?;
    }
    setup.store_consent_texts(&mut tx).await?;
    setup.store_consents(&mut tx).await?;
    setup.store_quality_rules(&mut tx).await?;
    setup.store_reports(&mut tx).await?;
    tx.commit().await?;
    // An owner who is no superuser is told of every catalogue table that is left out: of no use to anyone.
    sqlx::raw_sql("set client_min_messages = error; analyze; reset client_min_messages").execute(owner).await?;
    Ok(DemoState::Now)
}

async fn load_part(tx: &mut PgConnection, part: &Part, people: &mut People, today: Date, progress: &mut Progress) -> anyhow::Result<()> {
    let definition = definition::parse(part.definition, picture)?;
    let mut defects = check::defects(&definition);
    let formulas = if defects.is_empty() { formulas::compile(&definition) } else { Default::default() };
    defects.extend(formulas.defects.iter().cloned());
    ensure!(defects.is_empty(), "the demo's register {} has defects:\n{}", part.sifra, defects.join("\n"));
    register::store(tx, &definition, &formulas, false).await?;

    let mapping = Mapping::parse(part.mapping)?;
    let file = (part.file)(people)?;
    let source = format!("{SOURCE}{}", part.sifra);
    let request =
        Request { register: RegisterName::Code(part.sifra), institution: None, mapping: &mapping, file: &file, source: &source, today };
    match data::import(tx, &request, progress).await {
        Ok(_) => Ok(()),
        Err(Failure::Defects(problems)) => bail!("the demo's data have defects:\n{}", listing(&problems.defects, 20)),
        Err(Failure::Other(error)) => Err(error),
    }
}

/// The demo's pictures by their names.
fn picture(name: &str) -> anyhow::Result<Vec<u8>> {
    let bytes: &[u8] = match name {
        "homunkulus.png" => include_bytes!("../../../demo/homunkulus.png"),
        "fondacija.png" => include_bytes!("../../../demo/fondacija.png"),
        "udruzenje.png" => include_bytes!("../../../demo/udruzenje.png"),
        "laboratorija.png" => include_bytes!("../../../demo/laboratorija.png"),
        _ => bail!("there is no picture {name}"),
    };
    Ok(bytes.to_vec())
}
