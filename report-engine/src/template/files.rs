//! Report templates as files: a declaration and a query each, compiled once for as long as the file stays the same.

use std::{
    collections::HashMap,
    io,
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
};

use domain::report_sql::{Fault, Statement};
use sha2::{Digest, Sha256};

use super::parsed::ReportTemplate;
use crate::plan::TemplateError;

/// A report's files, ready to run.
pub struct Loaded {
    pub template: ReportTemplate,
    pub statement: Statement,
    /// Of both files together.
    pub sha256: [u8; 32],
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

/// The compiled templates of this engine, by the name that a report carries.
pub struct Templates {
    folder: PathBuf,
    compiled: Mutex<HashMap<String, Arc<Loaded>>>,
}

impl Templates {
    pub fn new(folder: PathBuf) -> Self {
        Self { folder, compiled: Mutex::default() }
    }

    /// Reads the report's files and compiles them, unless this engine has done so for the very same texts. Blocks.
    pub fn load(&self, name: &str) -> Result<Arc<Loaded>, LoadError> {
        let source = self.read(name, "hbs")?;
        let query = self.read(name, "sql")?;
        let sha256: [u8; 32] = Sha256::new().chain_update(&source).chain_update([0]).chain_update(&query).finalize().into();
        if let Some(loaded) = self.compiled().get(name).filter(|loaded| loaded.sha256 == sha256) {
            return Ok(loaded.clone());
        }
        let loaded = Arc::new(Loaded { template: ReportTemplate::parse(&source)?, statement: Statement::scan(&query)?, sha256 });
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

    fn compiled(&self) -> std::sync::MutexGuard<'_, HashMap<String, Arc<Loaded>>> {
        self.compiled.lock().expect("no panic happens under this lock")
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
}

fn is_plain(name: &str) -> bool {
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
    fn a_name_never_leaves_the_folder() {
        let folder = tempfile::tempdir().unwrap();
        let templates = Templates::new(folder.path().join("reports"));
        write(folder.path(), TEMPLATE, "select 1 as a");
        for name in ["../proba", "/etc/passwd", "", "Proba"] {
            assert!(matches!(templates.load(name), Err(LoadError::Missing(_))), "{name}");
        }
    }
}
