//! Settings of the engine that nobody can mean.

use crate::world::World;

#[tokio::test]
async fn a_number_that_nobody_can_mean_is_refused_by_its_name_before_anybody_is_waited_for() {
    let world = World::new().await;
    let nobody = format!("postgres://regix_app:tajna@127.0.0.1:{}/regix", domain::testing::free_port());
    for (name, value) in [
        ("ENGINE_LEASE_SECONDS", "0"),
        ("ENGINE_LEASE_SECONDS", "-5"),
        ("ENGINE_LEASE_SECONDS", "NaN"),
        ("ENGINE_LEASE_SECONDS", "1e9"),
        ("ENGINE_SWEEP_SECONDS", "0"),
        ("ENGINE_POLL_SECONDS", "0"),
        ("ENGINE_POLL_SECONDS", "inf"),
        ("ENGINE_SHUTDOWN_SECONDS", "-1"),
        ("ENGINE_SMTP_TIMEOUT_SECONDS", "0"),
        ("ENGINE_CONCURRENCY", "0"),
        ("ENGINE_CONCURRENCY", "5000"),
        ("ENGINE_CONCURRENCY", "-2"),
        ("ENGINE_MAIL_CONCURRENCY", "0"),
        ("ENGINE_MAIL_DELAY_SCALE", "0"),
        ("SMTP_URL", "posta.bolnica.rs"),
        ("MAIL_FROM", "bez adrese"),
        ("METRICS_BIND", "svuda"),
    ] {
        let engine = world.engine(&[("DATABASE_URL", &nobody), (name, value)]);
        engine.says(name).await;
        let said = engine.log();
        assert!(!engine.ended().await, "{name}={value}");
        assert!(!said.contains("tajna"), "{said}");
    }
}
