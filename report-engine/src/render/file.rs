//! The file being written: counted, bounded, and gone again when rendering fails.
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use super::error::RenderError;
use crate::plan::Format;

/// A file that refuses to outgrow the limit of an artifact and deletes itself unless it was kept.
pub struct OutFile {
    writer: BufWriter<File>,
    path: PathBuf,
    bytes: u64,
    limit: u64,
    outgrown: bool,
    kept: bool,
}

#[derive(Debug, thiserror::Error)]
#[error("the file is too large")]
struct FileTooLarge;

impl OutFile {
    pub fn create(path: &Path, limit: u64) -> io::Result<Self> {
        let writer = BufWriter::with_capacity(128 * 1024, File::create(path)?);
        Ok(OutFile { writer, path: path.to_owned(), bytes: 0, limit, outgrown: false, kept: false })
    }

    /// A file that is needed only until this one is written.
    pub fn beside(&self, ending: &str) -> io::Result<Self> {
        OutFile::create(&self.path.with_added_extension(ending), u64::MAX)
    }

    /// What has been written, from the beginning; the file goes when this one does.
    pub fn reread(&mut self) -> io::Result<File> {
        self.writer.flush()?;
        File::open(&self.path)
    }

    /// Whether a write was refused for the limit: for writers that hide the cause of their error.
    pub fn has_outgrown(&self) -> bool {
        self.outgrown
    }

    /// Flushes the file and lets it stay; returns its size.
    pub fn keep(mut self) -> io::Result<u64> {
        self.writer.flush()?;
        self.kept = true;
        Ok(self.bytes)
    }
}

impl Write for OutFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.bytes + bytes.len() as u64 > self.limit {
            self.outgrown = true;
            return Err(io::Error::other(FileTooLarge));
        }
        let written = self.writer.write(bytes)?;
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

impl Drop for OutFile {
    fn drop(&mut self) {
        if !self.kept {
            // Best effort: the sweep of temporary files finds what could not be deleted.
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

/// Tells a file that outgrew its limit from a disk that failed.
pub fn explain(error: io::Error, format: Format, limit: u64) -> RenderError {
    let outgrown = error.get_ref().is_some_and(|inner| inner.is::<FileTooLarge>());
    if outgrown { RenderError::TooLarge { format, limit } } else { RenderError::Io(error) }
}
