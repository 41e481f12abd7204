//! `api check`: what the programs stand on, asked once and told as a table, and the reports that a run would refuse.

use std::time::Duration;

use anyhow::ensure;
use domain::{
    config::Config,
    db, environment, metrics,
    report_sql::{Bind, ReportDb, ReportSqlError, Scope, Statement},
    standing::{self, Ground},
};
use platform::{identity_provider, proxies::Proxies};
use report_template::template::Templates;

/// The time that the server has to plan a query.
const PLANNING: Duration = Duration::from_secs(10);

pub async fn run(table: bool) -> anyhow::Result<()> {
    if table {
        print!("{}", standing::described());
        return Ok(());
    }
    let (config, ground) = ground()?;
    let findings = ground.ask().await;
    print!("{}", standing::checked(&findings));
    let failing = findings.iter().filter(|finding| !finding.holds()).count();
    ensure!(failing == 0, "{failing} of {} are not as they must be", findings.len());
    let refused = refused_reports(&config).await?;
    if !refused.is_empty() {
        println!("warning  reports over all institutions say whose data their rows hold");
        println!("         refused when they run: {}", refused.join(", "));
        println!("         → give their queries the column grupa_pacijenata (docs/reports.md), or let them be of one institution");
    }
    println!("All settings can be read, and what they name is as it must be.");
    Ok(())
}

/// Every setting that programs read, and the places that they name. Whose of them is wrong is named.
fn ground() -> anyhow::Result<(Config, Ground)> {
    let config = Config::from_env()?;
    Proxies::parse(&environment::optional("BEHIND_PROXY", ""))?;
    identity_provider::Settings::from_env()?;
    metrics::address()?;
    let mail = environment::optional("SMTP_URL", "");
    let ground = Ground::of(&config, (!mail.is_empty()).then_some(mail));
    Ok((config, ground))
}

/// The names of reports over all institutions that do not say whose data a row holds (decision 0069), as the server would refuse their runs.
async fn refused_reports(config: &Config) -> anyhow::Result<Vec<String>> {
    let app = db::pool(&config.database_url, "regix-check", 2).await?;
    let reports = sqlx::query!(
        r#"select r.naziv, r.jasper_fajl, d.upit as "upit?",
                  array(select p.request_naziv from report_parameter p where p.izvestaj_id = r.id and p.aktivan and p.multi_select) as "lists!"
             from report r left join report_definition d on d.id = r.definicija_id
            where r.aktivan and r.obim = 'sve' and r.vlasnik_id is null order by fold(r.naziv), r.id"#
    );
    let reports = reports.fetch_all(&app).await?;
    let server = ReportDb::new(app.clone(), &config.report_database_url, 1)?;
    let templates = Templates::new(config.template_dir.join("reports"));
    let scope = Scope { run: None, radnik_id: db::SYSTEM_WORKER, ustanova_id: None };
    let mut refused = Vec::new();
    for report in reports {
        // What cannot be read or scanned is told where it is written.
        let Some(upit) = report.upit.or_else(|| templates.texts(&report.jasper_fajl).ok().map(|(upit, _)| upit)) else { continue };
        let Ok(statement) = Statement::scan(&upit) else { continue };
        let is_list = |name: &String| report.lists.contains(name);
        let bind = |name: &String| (name.clone(), if is_list(name) { Bind::List(None) } else { Bind::Text(None) });
        let binds = statement.names().iter().map(bind).collect();
        if let Err(ReportSqlError::Ungrouped) = server.plan(scope, "regix-check", PLANNING, &statement, &binds).await {
            refused.push(report.naziv);
        }
    }
    Ok(refused)
}
