//! `./dev` of several clones at once: a port is one command's as long as that lives.

use std::{
    io::{BufRead, BufReader},
    path::Path,
    process::{Child, Command, Stdio},
};

/// A command of `./dev` that takes a port, says whether it has it, and stays until it is ended.
struct Taking(Child);

impl Taking {
    fn of(port: u16, folder: &Path) -> Self {
        let script = "set -euo pipefail; . \"$0\"; if take_port \"$1\"; then echo taken; else echo refused; fi; read -r _ || true";
        let processes = Path::new(env!("CARGO_MANIFEST_DIR")).join("../.config/dev/processes.sh");
        let mut bash = Command::new("bash");
        bash.args(["-c", script]).arg(processes).arg(port.to_string()).env("TMPDIR", folder);
        Self(bash.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("a shell"))
    }

    fn has_it(&mut self) -> bool {
        let mut said = String::new();
        BufReader::new(self.0.stdout.as_mut().expect("it is heard")).read_line(&mut said).expect("a line");
        match said.trim() {
            "taken" => true,
            "refused" => false,
            other => panic!("{other}"),
        }
    }

    fn end(mut self) {
        self.0.kill().expect("it stays until it is ended");
        self.0.wait().expect("it is gone");
    }
}

#[test]
fn of_many_commands_that_take_a_port_at_once_one_has_it_until_it_ends() {
    let folder = tempfile::tempdir().unwrap();
    let mut all: Vec<Taking> = (0..12).map(|_| Taking::of(8080, folder.path())).collect();
    let has_it: Vec<bool> = all.iter_mut().map(Taking::has_it).collect();
    assert_eq!(has_it.iter().filter(|has_it| **has_it).count(), 1, "{has_it:?}");
    let mut other = Taking::of(8081, folder.path());
    assert!(other.has_it(), "another port is another's");
    let mut later = Taking::of(8080, folder.path());
    assert!(!later.has_it());
    all.into_iter().for_each(Taking::end);
    let mut next = Taking::of(8080, folder.path());
    assert!(next.has_it(), "a command that was killed holds nothing");
    [other, later, next].into_iter().for_each(Taking::end);
}
