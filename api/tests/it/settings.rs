//! What stands in files beside the programs is held to what the programs do: their settings, and the names of their figures.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use domain::testing;

use crate::sources;

/// How the programs read a setting.
const READERS: [&str; 9] = ["required", "optional", "number", "within", "seconds", "flag", "variable", "var", "var_os"];

/// What no installation sets: tests and developers do, or an image that has it.
const NOT_FOR_COMPOSE: [&str; 8] =
    ["ENGINE_FAILPOINT", "ENGINE_KNOWS", "NO_COLOR", "PG_BIN", "REGENERATE", "REGIX_DEMO", "TEST_ROLE_PASSWORD", "TZDIR"];

/// Those that libraries read.
const OF_LIBRARIES: [&str; 8] = [
    "OTEL_EXPORTER_OTLP_HEADERS",
    "RUST_LOG",
    "TMPDIR",
    "AWS_ENDPOINT",
    "AWS_REGION",
    "AWS_ACCESS_KEY_ID",
    "AWS_SECRET_ACCESS_KEY",
    "AWS_SESSION_TOKEN",
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn text(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The sources of the programs, without what only tests have.
fn sources() -> Vec<String> {
    sources::crates().iter().flat_map(|folder| sources::of(folder)).map(|file| fs::read_to_string(file).expect("a source")).collect()
}

/// The texts that stand first in a call of one of `callers`.
fn named<'a>(source: &'a str, callers: &'a [&str]) -> impl Iterator<Item = &'a str> {
    source.match_indices('(').filter_map(|(at, _)| {
        let caller = source[..at].rsplit(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_').next()?;
        let text = source[at + 1..].trim_start().strip_prefix('"')?;
        callers.contains(&caller).then_some(text.split('"').next()?)
    })
}

fn is_setting(name: &str) -> bool {
    name.len() > 3 && name.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_')
}

fn settings() -> BTreeSet<String> {
    let sources = sources();
    let read = sources.iter().flat_map(|source| named(source, &READERS)).filter(|name| is_setting(name));
    read.chain(OF_LIBRARIES).filter(|name| !NOT_FOR_COMPOSE.contains(name)).map(str::to_owned).collect()
}

#[test]
fn every_setting_of_the_programs_is_passed_by_compose_and_told_in_the_documents() {
    let (compose, image, running) = (text("compose.yaml"), text("Dockerfile"), text("docs/running.md"));
    let settings = settings();
    assert!(settings.len() > 35, "the sources are read: {settings:?}");
    let passed = |name: &str| compose.lines().any(|line| line.trim_start().starts_with(&format!("{name}: ")));
    let in_image = |name: &str| image.contains(&format!(" {name}="));
    let lacking: Vec<&String> = settings.iter().filter(|name| !passed(name) && !in_image(name)).collect();
    assert!(lacking.is_empty(), "compose.yaml does not pass {lacking:?}");
    let untold: Vec<&String> = settings.iter().filter(|name| !running.contains(&format!("`{name}"))).collect();
    assert!(untold.is_empty(), "docs/running.md does not tell of {untold:?}");
}

#[test]
fn what_compose_asks_of_its_environment_stands_in_the_documents() {
    let (compose, running) = (text("compose.yaml"), text("docs/running.md"));
    let asked: BTreeSet<&str> = compose.split("${").skip(1).map(|behind| behind.split([':', '}']).next().expect("a name")).collect();
    let untold: Vec<&&str> = asked.iter().filter(|name| !running.contains(&format!("`{name}"))).collect();
    assert!(untold.is_empty(), "docs/running.md does not tell of {untold:?}");
}

#[test]
fn every_service_of_compose_bounds_its_log_and_has_walls() {
    let compose = text("compose.yaml");
    let (_, services) = compose.split_once("\nservices:\n").expect("services");
    let services = services.split("\nvolumes:\n").next().expect("services");
    let mut parts: BTreeMap<&str, String> = BTreeMap::new();
    let mut service = "";
    for line in services.lines() {
        match line.strip_prefix("  ").and_then(|line| line.strip_suffix(':')).filter(|name| !name.starts_with([' ', '#'])) {
            Some(name) => service = name,
            None => parts.entry(service).or_default().push_str(line),
        }
    }
    assert!(parts.len() > 7, "{:?}", parts.keys());
    for (name, part) in parts {
        assert!(part.contains("<<: *regix") || part.contains("logging: *log"), "{name}");
        let walls = ["cap_drop: [ALL]", "security_opt: [\"no-new-privileges:true\"]", "mem_limit: "];
        assert!(part.contains("<<: *regix") || walls.iter().all(|wall| part.contains(wall)), "{name} has walls");
    }
    assert!(compose.contains("logging: *log") && compose.contains("max-size: 20m"));
    let (_, ours) = compose.split_once("x-walls: &walls\n").expect("what no program needs");
    let ours = ours.split("\n\n").next().expect("the walls");
    for wall in ["read_only: true", "cap_drop: [ALL]", "no-new-privileges:true", "tmpfs: [\"/tmp:", "mem_limit: ", "pids_limit: "] {
        assert!(ours.contains(wall), "{wall}");
    }
    assert!(compose.contains("x-regix: &regix\n  <<: *walls\n"));
}

#[test]
fn the_image_that_serves_has_authorities_and_makes_backups() {
    let image = text("Dockerfile");
    let (_, last) = image.rsplit_once("\nFROM ").expect("stages");
    assert!(last.starts_with("debian:bookworm-slim AS regix"), "{last}");
    for package in ["ca-certificates", "\"postgresql-client-$POSTGRES_VERSION\""] {
        assert!(last.contains(package), "{package}");
    }
    assert_eq!(text("compose.yaml").matches("target: regix").count(), 1, "backups are of the image that serves");
}

/// A program as a unit names it, with what it is told to do.
fn started_by(unit: &str) -> Vec<&str> {
    let line = unit.lines().find_map(|line| line.strip_prefix("ExecStart=")).expect("a unit starts something");
    let (_, program) = line.split_once("/usr/local/bin/").expect("a program of ours");
    program.split_whitespace().take(2).collect()
}

#[test]
fn units_of_systemd_have_walls_and_start_what_there_is() {
    let folder = root().join(".config/systemd");
    let walls = text(".config/systemd/regix-.service.d.conf");
    for wall in [
        "User=regix",
        "MemoryMax=2G",
        "TasksMax=512",
        "NoNewPrivileges=yes",
        "CapabilityBoundingSet=",
        "ProtectSystem=strict",
        "ProtectHome=yes",
        "PrivateTmp=yes",
        "PrivateDevices=yes",
        "SystemCallFilter=@system-service",
    ] {
        assert!(walls.lines().any(|line| line == wall), "{wall}");
    }
    let names: BTreeSet<String> =
        fs::read_dir(&folder).expect("units").map(|file| file.expect("a file").file_name().into_string().expect("a name")).collect();
    let running = text("docs/running.md");
    let services: Vec<&String> = names.iter().filter(|name| name.ends_with(".service")).collect();
    assert!(services.len() > 5, "{names:?}");
    for name in services {
        let unit = fs::read_to_string(folder.join(name)).expect("a unit");
        assert!(name.starts_with("regix-"), "{name}: the walls are of names that begin so");
        for opens in ["User=", "CapabilityBoundingSet=", "AmbientCapabilities=", "NoNewPrivileges=", "ProtectSystem=", "SystemCallFilter="]
        {
            assert!(!unit.contains(opens), "{name} takes a wall down: {opens}");
        }
        let started = started_by(&unit);
        let known = match started[..] {
            ["api", task] => {
                let api = std::process::Command::new(env!("CARGO_BIN_EXE_api")).args([task, "--help"]).env_clear().output();
                api.expect("the program").status.success()
            }
            ["report-engine" | "scheduler"] => true,
            _ => false,
        };
        assert!(known, "{name} starts {started:?}");
        let as_owner = started.get(1).is_some_and(|task| ["migrate", "backup", "rehearse"].contains(task));
        assert_eq!(unit.contains("EnvironmentFile=/etc/regix/owner.env"), as_owner, "{name} and the database's owner");
        assert!(unit.contains("EnvironmentFile=/etc/regix/regix.env"), "{name}");
        let told = name.trim_end_matches(".service").trim_end_matches('@').trim_start_matches("regix-");
        assert!(running.contains(told), "docs/running.md does not tell of {name}");
    }
    for timer in names.iter().filter(|name| name.ends_with(".timer")) {
        assert!(names.contains(&timer.replace(".timer", ".service")), "{timer} starts nothing");
        assert!(running.contains(timer.as_str()), "docs/running.md does not tell of {timer}");
    }
}

/// systemd leaves a setting that it does not know out, and says so in a log that nobody reads.
#[test]
fn systemd_knows_every_setting_of_the_units() {
    let (folder, units) = (root().join(".config/systemd"), tempfile::tempdir().expect("a folder"));
    let walls = units.path().join("regix-.service.d");
    fs::create_dir(&walls).expect("a folder");
    fs::copy(folder.join("regix-.service.d.conf"), walls.join("walls.conf")).expect("the walls");
    let mut names = Vec::new();
    for file in fs::read_dir(&folder).expect("units").map(|file| file.expect("a file").path()) {
        if file.extension().is_some_and(|kind| kind == "service" || kind == "timer") {
            let unit = units.path().join(file.file_name().expect("a name"));
            fs::copy(&file, &unit).expect("a unit");
            // A numbered one is looked at as one of its numbers.
            names.push(unit.display().to_string().replace('@', "@1"));
        }
    }
    let mut verify = std::process::Command::new("systemd-analyze");
    verify.arg("verify").args(&names).env("SYSTEMD_UNIT_PATH", format!("{}:", units.path().display()));
    let Ok(said) = verify.output() else {
        testing::left_out("the units of systemd by systemd-analyze", "it is not on this machine");
        return;
    };
    let said = String::from_utf8_lossy(&[said.stdout, said.stderr].concat()).into_owned();
    let wrong: Vec<&str> = said.lines().filter(|line| line.starts_with(&*units.path().to_string_lossy())).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn what_the_alerts_ask_for_is_what_the_programs_tell() {
    let (alerts, sources) = (text("docs/alerts.md"), sources());
    let named =
        |caller: &[&str]| -> BTreeSet<String> { sources.iter().flat_map(|source| named(source, caller)).map(str::to_owned).collect() };
    let (gauges, counters, durations) = (named(&["gauge"]), named(&["counter"]), named(&["durations"]));
    let is_part = |letter: char| letter.is_ascii_lowercase() || letter == '_';
    let mut asked = 0;
    for behind in alerts.split("regix_").skip(1) {
        let (name, rest) = behind.split_at(behind.find(|letter| !is_part(letter)).expect("an expression goes on"));
        let counted = name.strip_suffix("_total").is_some_and(|name| counters.contains(name));
        let timed = ["_count", "_bucket"].into_iter().any(|part| name.strip_suffix(part).is_some_and(|name| durations.contains(name)));
        let told = gauges.contains(name) || counted || timed;
        assert!(told, "no program tells of regix_{name}");
        let labels = rest.strip_prefix('{').and_then(|rest| rest.split('}').next()).unwrap_or_default();
        for label in labels.split(',').filter_map(|label| label.split(['=', '!']).next()).filter(|label| !label.is_empty()) {
            assert!(sources.iter().any(|source| source.contains(&format!("\"{label}\""))), "regix_{name} has no label {label}");
        }
        asked += 1;
    }
    assert!(asked > 15 && gauges.len() > 15, "the table and the sources are read");
}

/// Name, expression and time of each alert.
type Alert = [String; 3];

#[test]
fn the_rules_for_prometheus_are_the_table_of_alerts() {
    let (table, rules) = (text("docs/alerts.md"), text("docs/alerts.rules.yml"));
    let rows = table.lines().filter(|line| line.starts_with("| ") && line.contains(" | `"));
    let of_table: Vec<Alert> = rows
        .map(|row| {
            let row = row.replace("\\|", "\u{1}");
            let cells: Vec<&str> = row.split('|').map(str::trim).collect();
            [cells[1].to_owned(), cells[2].trim_matches('`').replace('\u{1}', "|"), cells[3].to_owned()]
        })
        .collect();
    let after = |rule: &str, mark: &str| {
        rule.lines().find_map(|line| line.trim().strip_prefix(mark)).expect("a part").trim_matches('\'').to_owned()
    };
    let of_rules: Vec<Alert> = rules
        .split("      - alert: ")
        .skip(1)
        .map(|rule| [rule.lines().next().expect("a name").to_owned(), after(rule, "expr: "), after(rule, "for: ")])
        .collect();
    assert!(of_rules.len() > 20, "{}", of_rules.len());
    assert_eq!(of_table, of_rules);
}

#[test]
fn promtool_takes_the_rules_and_they_fire_when_they_should() {
    let promtool = std::env::var("PROMTOOL").unwrap_or_else(|_| "promtool".to_owned());
    for (deed, file) in [("check", "docs/alerts.rules.yml"), ("test", "docs/alerts.test.yml")] {
        let Ok(ended) = std::process::Command::new(&promtool).args([deed, "rules"]).arg(root().join(file)).output() else {
            testing::left_out("the rules of the alerts by promtool", "it is not on this machine, and PROMTOOL does not name it");
            return;
        };
        let said = String::from_utf8_lossy(&[ended.stdout, ended.stderr].concat()).into_owned();
        assert!(ended.status.success(), "{file}: {said}");
    }
}

#[tokio::test]
async fn compose_has_no_younger_postgresql_than_the_tests() {
    let (compose, image) = (text("compose.yaml"), text("Dockerfile"));
    let after = |text: &str, mark: &str| -> i32 {
        let behind = text.split_once(mark).unwrap_or_else(|| panic!("{mark}")).1;
        behind.split(|letter: char| !letter.is_ascii_digit()).next().expect("digits").parse().expect("a version")
    };
    let version = after(&compose, "postgres:${POSTGRES_VERSION:-");
    assert_eq!(version, after(&image, "ARG POSTGRES_VERSION="), "the programs of backups are of the server's version");
    assert_eq!(version, after(&compose, "args: { POSTGRES_VERSION: \"${POSTGRES_VERSION:-"));
    let db = testing::database().await;
    let here: String = sqlx::query_scalar("show server_version_num").fetch_one(&db.owner).await.unwrap();
    let here = here.parse::<i32>().unwrap() / 10_000;
    assert!(version <= here, "compose runs PostgreSQL {version}, the tests {here}");
}

/// Who makes a migration says in `CHANGELOG.md` what it is for.
#[test]
fn the_newest_release_of_the_changelog_has_the_schema_of_the_programs() {
    let changelog = text("CHANGELOG.md");
    let newest = changelog.lines().find(|line| line.starts_with("## ")).expect("a release");
    let wanted = format!("## {}, schema {}: ", env!("CARGO_PKG_VERSION"), domain::schema::newest());
    assert!(newest.starts_with(&wanted), "{newest}");
}
