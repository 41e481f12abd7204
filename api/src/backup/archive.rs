//! The file of a backup: a tar whose last member lists all others with their length and SHA-256, so that a file that was cut, or
//! changed on its way, is not taken for a whole one.

use std::{
    fs::File,
    io::{self, BufReader, BufWriter, Read, Write},
    path::Path,
};

use anyhow::{Context, bail, ensure};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::is_plain;

const LIST: &str = "manifest.json";

#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Member {
    path: String,
    bytes: u64,
    sha256: String,
}

pub struct Writer {
    tar: tar::Builder<BufWriter<File>>,
    members: Vec<Member>,
}

impl Writer {
    pub fn new(file: File) -> Self {
        Self { tar: tar::Builder::new(BufWriter::new(file)), members: Vec::new() }
    }

    pub fn add(&mut self, path: &str, bytes: u64, content: impl Read) -> io::Result<()> {
        let mut content = Hashing { inner: content.take(bytes), hash: Sha256::new(), bytes: 0 };
        append(&mut self.tar, path, bytes, &mut content)?;
        if content.bytes != bytes {
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, format!("{path} grew shorter while it was read")));
        }
        self.members.push(Member { path: path.to_owned(), bytes, sha256: hex::encode(content.hash.finalize()) });
        Ok(())
    }

    /// Writes the list and makes the file durable.
    pub fn finish(mut self) -> anyhow::Result<()> {
        let list = serde_json::to_vec(&self.members)?;
        append(&mut self.tar, LIST, list.len() as u64, &mut list.as_slice())?;
        let mut buffer = self.tar.into_inner()?;
        buffer.flush()?;
        buffer.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()?;
        Ok(())
    }
}

fn append(tar: &mut tar::Builder<BufWriter<File>>, path: &str, bytes: u64, content: &mut impl Read) -> io::Result<()> {
    let mut header = tar::Header::new_gnu();
    header.set_size(bytes);
    header.set_mode(0o600);
    tar.append_data(&mut header, path, content)
}

/// Reads the whole file and compares it with its list.
pub fn verify(file: &Path) -> anyhow::Result<()> {
    let (mut found, mut listed) = (Vec::new(), None);
    each(file, |path, content| {
        ensure!(listed.is_none(), "something follows the list");
        if path == LIST {
            listed = Some(serde_json::from_reader::<_, Vec<Member>>(content).context("its list cannot be read")?);
            return Ok(());
        }
        let mut content = Hashing { inner: content, hash: Sha256::new(), bytes: 0 };
        io::copy(&mut content, &mut io::sink())?;
        found.push(Member { path: path.to_owned(), bytes: content.bytes, sha256: hex::encode(content.hash.finalize()) });
        Ok(())
    })
    .with_context(|| format!("{} is not a whole backup", file.display()))?;
    let Some(listed) = listed else { bail!("{} is not a whole backup: it was cut off", file.display()) };
    ensure!(listed == found, "{} is not a whole backup: it was changed after it was made", file.display());
    Ok(())
}

/// Hands over the members in their order.
pub fn each(file: &Path, mut take: impl FnMut(&str, &mut dyn Read) -> anyhow::Result<()>) -> anyhow::Result<()> {
    let file = File::open(file).with_context(|| format!("{} cannot be opened", file.display()))?;
    let mut tar = tar::Archive::new(BufReader::with_capacity(1 << 20, file));
    for member in tar.entries()? {
        let mut member = member?;
        let path = member.path()?.into_owned();
        let name = path.to_str().filter(|_| is_plain(&path)).context("it names a file that may not be named")?;
        take(name, &mut member)?;
    }
    Ok(())
}

struct Hashing<R> {
    inner: R,
    hash: Sha256,
    bytes: u64,
}

impl<R: Read> Read for Hashing<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.inner.read(buffer)?;
        self.hash.update(&buffer[..n]);
        self.bytes += n as u64;
        Ok(n)
    }
}
