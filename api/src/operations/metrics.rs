//! The figures that the api tells Prometheus: its own, and those of the whole system, which the database knows and only the api gives.

use domain::{metrics::Figures, process::Kind, runs::FailureCode};
use platform::state::AppState;

use super::figures;

/// Serves them where `METRICS_BIND` says, apart from the site.
pub async fn serve(state: AppState) -> anyhow::Result<()> {
    domain::metrics::serve(move || {
        let state = state.clone();
        async move { measure(&state).await }
    })
    .await
}

pub async fn measure(state: &AppState) -> Figures {
    let mut figures = Figures::of(Kind::Api, &state.pools(), state.dispatcher.ping().await);
    if let Some(lag) = state.report_db.lag().await {
        figures.replica_lag(lag);
    }
    let store = state.config.artifacts.look(false).await;
    figures.gauge("store_up", "Whether the store of artifacts can be used", [([], f64::from(u8::from(store.is_some())))]);
    if let Some(free) = store.and_then(|store| store.free) {
        figures.gauge("store_free_bytes", "Room in the folder of artifacts", [([], free as f64)]);
    }
    state.vitals.watch.measure(&mut figures);
    figures.durations(
        "answers_seconds",
        "How long calls took, by the area of the API and the class of their answer",
        &state.vitals.answers,
    );
    let counted = count(state, &mut figures).await;
    if let Err(error) = &counted {
        tracing::warn!(%error, "the figures of the database could not be read");
    }
    figures.gauge("database_up", "Whether the database answers", [([], f64::from(u8::from(counted.is_ok())))]);
    figures
}

async fn count(state: &AppState, figures: &mut Figures) -> sqlx::Result<()> {
    let db = &state.vitals.db;
    let waiting = figures::waiting(db).await?;
    let of_kind = |value: fn(&figures::Waiting) -> f64| waiting.iter().map(move |row| ([("kind", row.vrsta.name())], value(row)));
    figures.gauge("queue_waiting", "Jobs that wait", of_kind(|row| row.ceka as f64));
    figures.gauge("queue_running", "Jobs under way", of_kind(|row| row.izvrsava_se as f64));
    figures.gauge(
        "queue_oldest_seconds",
        "How long ago the first job that waits should have been done",
        of_kind(|row| row.najstarije_sekundi.unwrap_or(0.0)),
    );

    let causes = figures::causes(db).await?;
    figures.gauge(
        "runs_failed",
        "Failed runs of the last 24 hours",
        causes.iter().map(|row| ([("cause", row.sifra.map_or("unknown", FailureCode::name))], row.broj as f64)),
    );

    let mail = figures::mail(db).await?;
    let classes = [
        ("waiting", mail.ceka),
        ("sending", mail.salje_se),
        ("sent", mail.poslato),
        ("refused", mail.odbijeno),
        ("given_up", mail.odustalo),
        ("uncertain", mail.neizvesno),
    ];
    figures.gauge(
        "mail",
        "Messages by class; sent, refused and given up are those of the last 24 hours",
        classes.map(|(class, count)| ([("class", class)], count as f64)),
    );

    let server = figures::mail_server(db).await?;
    figures.gauge("mail_up", "Whether the mail server answers", [([], f64::from(u8::from(server.radi)))]);
    figures.gauge("mail_down_seconds", "How long the mail server has been down", [([], server.ne_radi_sekundi.unwrap_or(0.0))]);

    let fires = figures::fires(db).await?;
    figures.gauge("fire_lag_seconds", "How late the first due schedule is", [([], fires.kasni_sekundi)]);
    figures.gauge("schedules_due", "Schedules whose moment has passed", [([], fires.dospelo as f64)]);
    figures.gauge("schedules_paused", "Schedules that are paused", [([], fires.pauzirano as f64)]);

    if let Some(backup) = figures::last_backup(db).await? {
        figures.gauge("backup_age_seconds", "How old the data of the last backup is", [([], backup.stara_sekundi)]);
        figures.gauge("backup_bytes", "Size of the last backup", [([], backup.bajtova as f64)]);
        figures.gauge("backup_missing_files", "Files that the last backup could not read", [([], f64::from(backup.nedostaje))]);
    }

    let partitions = sqlx::query!(
        r#"select tabela as "tabela!", meseci_unapred as "meseci_unapred!", zatecenih as "zatecenih!" from partitions_ahead()"#
    );
    let partitions = partitions.fetch_all(db).await?;
    let of_table = |value: fn(i32, i64) -> f64| -> Vec<([(&str, &str); 1], f64)> {
        partitions.iter().map(|row| ([("table", row.tabela.as_str())], value(row.meseci_unapred, row.zatecenih))).collect()
    };
    figures.gauge("partitions_ahead", "Months to come that have a partition", of_table(|months, _| f64::from(months)));
    figures.gauge("partition_strays", "Rows (as many as a thousand) that lie in no month's partition", of_table(|_, rows| rows as f64));

    let processes = sqlx::query!(
        r#"select k.kind as "kind!", s.state as "state!", count(p.id) as "count!"
             from unnest(array['api', 'report-engine', 'scheduler']) k (kind) cross join unnest(array['working', 'resting', 'silent']) s (state)
             left join process p on p.kind = k.kind and s.state = case when p.seen_at < clock_timestamp() - interval '30 seconds' then 'silent'
                                                                       when p.rests is not null then 'resting' else 'working' end
              -- One whose place another has taken on its machine is missed by nobody.
              and not is_replaced(p.id)
            group by 1, 2"#
    )
    .fetch_all(db)
    .await?;
    let states = processes.iter().map(|row| ([("kind", row.kind.as_str()), ("state", row.state.as_str())], row.count as f64));
    figures.gauge("processes", "Processes by whether they work", states);
    Ok(())
}
