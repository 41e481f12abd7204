//! The sources of the programs, for tests that hold them to something.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// The crates of the workspace by their folders: `api`, `api/platform`.
pub fn crates() -> Vec<String> {
    let workspace = fs::read_to_string(root().join("Cargo.toml")).expect("the workspace");
    let workspace: toml::Table = workspace.parse().expect("TOML");
    let members = workspace["workspace"]["members"].as_array().expect("a list of members");
    members.iter().map(|member| member.as_str().expect("a folder").to_owned()).collect()
}

/// Every Rust file of a crate but those of tests.
pub fn of(folder: &str) -> Vec<PathBuf> {
    files(&root().join(folder).join("src"))
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.file_stem() == Some("testing".as_ref()) {
            continue;
        }
        if path.is_dir() {
            found.extend(files(&path));
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.push(path);
        }
    }
    found
}
