//! What reports are made from, compiled: the files of a report, once for as long as they stay the same, and versions of its definition,
//! which never change.

use std::{
    collections::HashMap,
    io,
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
};

use domain::{
    picture::Image,
    report_sql::{Fault, Statement},
};
use sha2::{Digest, Sha256};

use super::parsed::ReportTemplate;
use crate::plan::TemplateError;

/// Versions that one engine keeps compiled.
const MOST_VERSIONS: usize = 200;

/// A report's query and template, ready to run.
pub struct LoadedReport {
    pub template: ReportTemplate,
    pub statement: Statement,
    /// The template's text.
    pub source: String,
    /// Of both texts together.
    pub sha256: [u8; 32],
}

impl LoadedReport {
    pub fn compile(source: &str, query: &str) -> Result<Self, LoadError> {
        let (template, statement) = (ReportTemplate::parse(source)?, Statement::scan(query)?);
        Ok(Self { template, statement, source: source.to_owned(), sha256: digest(source, query) })
    }
}

fn digest(source: &str, query: &str) -> [u8; 32] {
    Sha256::new().chain_update(source).chain_update([0]).chain_update(query).finalize().into()
}

#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    #[error("no file {0}")]
    Missing(String),
    #[error("template: {0}")]
    Template(#[from] TemplateError),
    #[error("query: {0}")]
    Query(#[from] Fault),
    #[error("file: {0}")]
    Io(#[from] io::Error),
}

/// The compiled templates of this engine: files by the name that a report carries, versions by their ids.
pub struct Templates {
    folder: PathBuf,
    compiled: Mutex<HashMap<String, Arc<LoadedReport>>>,
    versions: Mutex<HashMap<i64, Arc<LoadedReport>>>,
}

impl Templates {
    pub fn new(folder: PathBuf) -> Self {
        Self { folder, compiled: Mutex::default(), versions: Mutex::default() }
    }

    /// The version, where this engine has compiled it before.
    pub fn version(&self, id: i64) -> Option<Arc<LoadedReport>> {
        self.versions().get(&id).cloned()
    }

    /// Compiles a version and keeps it. Blocks.
    pub fn compile_version(&self, id: i64, source: &str, query: &str) -> Result<Arc<LoadedReport>, LoadError> {
        let loaded = Arc::new(LoadedReport::compile(source, query)?);
        let mut versions = self.versions();
        if versions.len() >= MOST_VERSIONS {
            versions.clear();
        }
        versions.insert(id, loaded.clone());
        Ok(loaded)
    }

    /// Reads the report's files and compiles them, unless this engine has done so for the very same texts. Blocks.
    pub fn load(&self, name: &str) -> Result<Arc<LoadedReport>, LoadError> {
        let source = self.read(name, "hbs")?;
        let query = self.read(name, "sql")?;
        let sha256 = digest(&source, &query);
        if let Some(loaded) = self.compiled().get(name).filter(|loaded| loaded.sha256 == sha256) {
            return Ok(loaded.clone());
        }
        let loaded = Arc::new(LoadedReport::compile(&source, &query)?);
        self.compiled().insert(name.to_owned(), loaded.clone());
        Ok(loaded)
    }

    /// Drops one compiled template, or all for an empty name; the next run compiles the file anew.
    pub fn evict(&self, name: &str) {
        let mut compiled = self.compiled();
        if name.is_empty() {
            compiled.clear();
        } else {
            compiled.remove(name);
        }
    }

    fn compiled(&self) -> std::sync::MutexGuard<'_, HashMap<String, Arc<LoadedReport>>> {
        self.compiled.lock().expect("no panic happens under this lock")
    }

    fn versions(&self) -> std::sync::MutexGuard<'_, HashMap<i64, Arc<LoadedReport>>> {
        self.versions.lock().expect("no panic happens under this lock")
    }

    fn read(&self, name: &str, extension: &str) -> Result<String, LoadError> {
        let file = format!("{name}.{extension}");
        // The database lets plain names only into `jasper_fajl`; a path must not get through here either.
        if !is_plain(name) {
            return Err(LoadError::Missing(file));
        }
        match std::fs::read_to_string(Path::new(&self.folder).join(&file)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Err(LoadError::Missing(file)),
            other => Ok(other?),
        }
    }

    /// A picture that templates name, from the folder `pictures` beside the reports; none where there is no such file, or no picture in it.
    /// Blocks.
    pub fn picture(&self, name: &str) -> Option<Image> {
        let folder = self.folder.parent().filter(|_| is_plain(name))?.join("pictures");
        let files = ["png", "jpg"].map(|extension| folder.join(format!("{name}.{extension}")));
        files.iter().find_map(|file| std::fs::read(file).ok()).and_then(|bytes| Image::read(&bytes))
    }

    /// The texts of a report's files, query and template.
    pub fn texts(&self, name: &str) -> Result<(String, String), LoadError> {
        Ok((self.read(name, "sql")?, self.read(name, "hbs")?))
    }
}

pub fn is_plain(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|letter| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == b'-')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(folder: &Path, template: &str, query: &str) {
        std::fs::write(folder.join("proba.hbs"), template).unwrap();
        std::fs::write(folder.join("proba.sql"), query).unwrap();
    }

    const TEMPLATE: &str = "{{#report}}{{col \"a\" head=\"A\"}}{{/report}}";

    #[test]
    fn a_template_is_compiled_once_until_its_file_or_its_query_changes() {
        let folder = tempfile::tempdir().unwrap();
        let templates = Templates::new(folder.path().to_owned());
        write(folder.path(), TEMPLATE, "select 1 as a");
        let first = templates.load("proba").unwrap();
        assert!(Arc::ptr_eq(&first, &templates.load("proba").unwrap()));
        write(folder.path(), TEMPLATE, "select 2 as a");
        let second = templates.load("proba").unwrap();
        assert_ne!(first.sha256, second.sha256);
        templates.evict("proba");
        assert!(!Arc::ptr_eq(&second, &templates.load("proba").unwrap()));
    }

    #[test]
    fn versions_are_compiled_once_and_do_not_fill_the_memory() {
        let templates = Templates::new(PathBuf::new());
        assert!(templates.version(1).is_none());
        let first = templates.compile_version(1, TEMPLATE, "select 1 as a").unwrap();
        assert!(Arc::ptr_eq(&first, &templates.version(1).unwrap()));
        for id in 2..=MOST_VERSIONS as i64 + 1 {
            templates.compile_version(id, TEMPLATE, "select 1 as a").unwrap();
        }
        assert!(templates.version(1).is_none());
        assert!(matches!(templates.compile_version(1, TEMPLATE, "select '"), Err(LoadError::Query(_))));
    }

    #[test]
    fn a_name_never_leaves_the_folder() {
        let folder = tempfile::tempdir().unwrap();
        let templates = Templates::new(folder.path().join("reports"));
        write(folder.path(), TEMPLATE, "select 1 as a");
        for name in ["../proba", "/etc/passwd", "", "Proba"] {
            assert!(matches!(templates.load(name), Err(LoadError::Missing(_))), "{name}");
        }
    }
}
