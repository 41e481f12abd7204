//! Whom a report names is taken from what the views gave: an author who selects another patient, or none, hides nobody.

use std::{collections::HashSet, time::Duration};

use domain::report_sql::{Binds, NamedPatients, PatientOf, ReportDb, ReportSqlError, Scope, Statement};

use crate::world::World;

const TIME: Duration = Duration::from_secs(5);

struct Naming {
    world: World,
    reports: ReportDb,
    ana: i64,
    eva: i64,
}

impl Naming {
    async fn new() -> Self {
        let world = World::new().await;
        let (ana, eva) = (world.patient("0101990710006").await, world.patient("0101990710014").await);
        let mut tx = domain::db::begin(&world.db.owner, domain::db::SYSTEM_WORKER).await.unwrap();
        sqlx::query("update patient set ime = 'Eva' where id = $1").bind(eva).execute(&mut *tx).await.unwrap();
        tx.commit().await.unwrap();
        let reports = ReportDb::new(world.db.app.clone(), &world.db.report_url, 4).unwrap();
        Self { world, reports, ana, eva }
    }

    async fn named(&self, sql: &str) -> Result<(usize, Option<NamedPatients>), ReportSqlError> {
        let statement = Statement::scan(sql).unwrap();
        let scope = Scope { run: None, radnik_id: self.world.radnik, ustanova_id: Some(self.world.ustanova) };
        let mut session = self.reports.open(scope, "proba", TIME).await?;
        session.follow(&statement, &Binds::new(), PatientOf::Column).await?;
        session.declare(&statement, &Binds::new(), 1000).await?;
        let rows = session.fetch().await?.len();
        let named = session.named().await?;
        session.close().await;
        Ok((rows, named))
    }

    fn proven(&self, patients: &[i64]) -> Option<NamedPatients> {
        Some(NamedPatients { patients: patients.iter().copied().collect(), proven: true })
    }

    fn everybody(&self) -> Option<NamedPatients> {
        Some(NamedPatients { patients: HashSet::from([self.ana, self.eva]), proven: false })
    }
}

#[tokio::test]
async fn a_report_that_says_whom_it_names_and_names_no_other_is_believed() {
    let scene = Naming::new().await;
    for (sql, rows, patients) in [
        ("select ime as a, id as pacijent_id from pacijent order by prezime, id".to_owned(), 2, vec![scene.ana, scene.eva]),
        (format!("select ime as a, id as pacijent_id from pacijent where id = {}", scene.ana), 1, vec![scene.ana]),
        (
            format!("select ime as a, (select count(*) from pacijent) as n, id as pacijent_id from pacijent where id = {}", scene.ana),
            1,
            vec![scene.ana],
        ),
        ("select string_agg(ime, ', ') as a, null::bigint as pacijent_id from pacijent where false".to_owned(), 1, vec![]),
        ("select ime as a, id as pacijent_id from pacijent where false".to_owned(), 0, vec![]),
    ] {
        assert_eq!(scene.named(&sql).await.unwrap(), (rows, scene.proven(&patients)), "{sql}");
    }
    assert_eq!(scene.named("select count(*) as n from pacijent").await.unwrap(), (1, None), "nobody is named");
}

/// Each would have left no trace of whom it shows.
#[tokio::test]
async fn a_report_that_names_another_than_it_says_is_recorded_with_everybody() {
    let scene = Naming::new().await;
    let (ana, eva) = (scene.ana, scene.eva);
    for sql in [
        // Another one's name beside an id.
        format!("select (select ime from pacijent where id = {eva}) as a, {ana}::bigint as pacijent_id"),
        format!("select ime as a, {ana}::bigint as pacijent_id from pacijent where id = {eva}"),
        // No id, one of another type, one that an expression hides.
        "select ime as a, null::bigint as pacijent_id from pacijent".to_owned(),
        "select ime as a, id::text as pacijent_id from pacijent".to_owned(),
        format!("select string_agg(ime, ', ') as a, {ana}::bigint as pacijent_id from pacijent"),
        // A whole row as a text, as json, through a cast, in an array.
        format!("select p::text as a, {ana}::bigint as pacijent_id from pacijent p where id = {eva}"),
        format!("select row_to_json(p)::text as a, {ana}::bigint as pacijent_id from pacijent p where id = {eva}"),
        format!("select (array_agg(p))[1]::text as a, {ana}::bigint as pacijent_id from pacijent p where id = {eva}"),
        // Whether a condition on a name holds; the name in the choice of an id, of an order, of a number of rows.
        format!("select 'da' as a, {ana}::bigint as pacijent_id where exists (select from pacijent where id = {eva} and ime = 'Eva')"),
        format!(
            "select 'x' as a, case when (select ime from pacijent where id = {eva}) = 'Eva' then {ana} else 0 end::bigint as pacijent_id"
        ),
        format!(
            "select x::text as a, {ana}::bigint as pacijent_id from generate_series(1, (select length(ime) from pacijent where id = {eva})) x"
        ),
        format!(
            "select n::text as a, {ana}::bigint as pacijent_id from (values (1), (2)) v (n)
                  order by n * (select case ime when 'Eva' then -1 else 1 end from pacijent where id = {eva})"
        ),
    ] {
        assert_eq!(scene.named(&sql).await.unwrap().1, scene.everybody(), "{sql}");
    }
}

/// A statement learns whether it is being proven, and gains nothing by it.
#[tokio::test]
async fn a_report_that_behaves_while_it_is_proven_gains_nothing() {
    let scene = Naming::new().await;
    let sql = format!(
        "select case when exists (select from pacijent where ime is null) then 'nevino' else (select ime from pacijent where id = {}) end as a,
                {}::bigint as pacijent_id",
        scene.eva, scene.ana
    );
    assert_eq!(scene.named(&sql).await.unwrap().1, scene.everybody());
    let random = format!("select random()::text || ime as a, id as pacijent_id from pacijent where id = {}", scene.ana);
    assert_eq!(scene.named(&random).await.unwrap().1, scene.everybody(), "rows that differ each time prove nothing");
}

#[tokio::test]
async fn a_proof_takes_no_more_than_a_part_of_the_time_and_leaves_the_rest_to_the_report() {
    let scene = Naming::new().await;
    let sql = format!("select ime as a, id as pacijent_id from pacijent, pg_sleep(1) where id = {}", scene.ana);
    assert_eq!(scene.named(&sql).await.unwrap(), (1, scene.everybody()));
}
