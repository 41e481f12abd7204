//! `./dev` where something is not as it should be: parts of the script, run by themselves.

use std::{
    path::{Path, PathBuf},
    process::{Command, Output},
};

use domain::testing;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Runs `script` after all that `dev` defines and before what it is told to do; `I` is a folder of the test's.
fn with_dev(script: &str, folder: &Path) -> Output {
    let dev = std::fs::read_to_string(root().join("dev")).expect("the script");
    let (defined, _) = dev.split_once("\ncommand=").expect("what it is told to do stands at its end");
    let defined = defined.replace("cd \"$(dirname \"$(readlink -f \"$0\")\")\"", "cd \"$1\"");
    let whole = format!("{defined}\nI=$2; mkdir -p \"$I\"/{{pid,port,log,secret}}\n{script}");
    Command::new("bash").args(["-c", &whole, "dev"]).arg(root()).arg(folder).output().expect("a shell")
}

fn text(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

#[test]
fn an_up_that_cannot_use_its_database_leaves_the_settings_of_the_one_before() {
    let folder = tempfile::tempdir().unwrap();
    let up = |migrates: &str, url: &str, port: u16| {
        let script = format!(
            "OWNER_URL={url}; settings_aside
             write_env redis://127.0.0.1 smtp://127.0.0.1 {port}; echo {port} >\"$I/port/api\"
             as_owner() {{ {migrates}; }}; PROGRAMS=(); REGIX_DEMO=1 start_stack {port}"
        );
        with_dev(&script, folder.path())
    };
    let kept = || ["env", "secret/owner-url", "port/api"].map(|name| std::fs::read_to_string(folder.path().join(name)).ok());
    let first = up("false", "postgres://nobody:tajna@127.0.0.1:1/nema", 9001);
    assert!(!first.status.success(), "{}", text(&first));
    assert_eq!(kept(), [None, None, None], "of the first nothing is left");

    let right = up("true", "postgres://regix_owner:tajna@127.0.0.1:2/regix", 9002);
    assert!(right.status.success(), "{}", text(&right));
    let before = kept();
    assert!(before[0].as_deref().is_some_and(|env| env.contains("127.0.0.1:2/regix")), "{before:?}");

    let wrong = up("false", "postgres://nobody:tajna@127.0.0.1:1/nema", 9003);
    assert!(!wrong.status.success() && text(&wrong).contains("nothing of these settings is kept"), "{}", text(&wrong));
    assert_eq!(kept(), before);
}

/// What a program needs is unpacked beside it also where the system has it: a headless shell looked for its data beside itself, and Debian's
/// chromium-common was taken for present.
#[test]
fn packages_that_only_this_machine_has_count_for_nothing_where_a_program_is_unpacked() {
    let folder = tempfile::tempdir().unwrap();
    let count = "dpkg-query -W -f '${db:Status-Status} ${Package}\\n' | grep -c '^installed '";
    let listed = with_dev(&format!("{count}; least_system | sed -n 's/^Package: //p'"), folder.path());
    let said = String::from_utf8_lossy(&listed.stdout).into_owned();
    let Some((installed, least)) = said.split_once('\n').filter(|_| listed.status.success()) else {
        testing::left_out("what unpacked programs are unpacked with", "this machine has no packages of Debian's");
        return;
    };
    let (installed, least): (usize, Vec<&str>) = (installed.parse().unwrap(), least.lines().collect());
    for package in ["libc6", "dpkg", "bash"] {
        assert!(least.contains(&package), "{package} is essential: {least:?}");
    }
    let more = "git gcc libnss3 openssl ca-certificates chromium chromium-common r-base-core";
    for package in more.split(' ') {
        assert!(!least.contains(&package), "{package} is on no Debian by itself");
    }
    assert!(least.len() < installed, "{} of {installed}", least.len());
}
