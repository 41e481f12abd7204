//! `api parse`: reads one file of a stranger for the api (`platform/parsers.rs`), under limits that it sets for itself, and answers in JSON.

use std::io::{Read, Write};

use anyhow::Context;
use base64::{Engine, prelude::BASE64_STANDARD};
use clap::Subcommand;
use domain::{
    attachment,
    picture::{self, Photo},
};
use interchange::exchange::source;
use rustix::process::{Resource, Rlimit, setrlimit};
use serde::Serialize;

/// Seconds of computing; a whole file takes a few tenths.
const SECONDS: u64 = 10;
/// All addresses of the process: the largest picture that is shown takes a half of it.
const MEMORY: u64 = 1 << 30;
/// Less than the api has where it reads the file afterwards: what nests too deep for the api has ended here.
const STACK: usize = source::STACK / 2;

#[derive(Clone, Subcommand)]
pub enum Task {
    /// Whether a file that describes a register or forms can be read within the limits.
    Definition { kind: source::Kind },
    /// What an attached file is.
    Attachment,
    /// A picture as a logo is kept.
    Logo,
    /// A picture in a smaller size.
    Photo { most: u32 },
}

pub fn run(task: Task) -> anyhow::Result<()> {
    bound()?;
    let mut bytes = Vec::new();
    std::io::stdin().read_to_end(&mut bytes)?;
    let reading = std::thread::Builder::new().stack_size(STACK).spawn(move || carry_out(&task, &bytes))?;
    let answer = reading.join().ok().context("reading panicked")??;
    std::io::stdout().write_all(&answer)?;
    Ok(())
}

/// Whoever is over a limit is ended by the system; nothing is written to a disk, neither a file nor what was in the memory.
fn bound() -> anyhow::Result<()> {
    for (resource, most) in
        [(Resource::Cpu, SECONDS), (Resource::As, MEMORY), (Resource::Core, 0), (Resource::Fsize, 0), (Resource::Nofile, 16)]
    {
        setrlimit(resource, Rlimit { current: Some(most), maximum: Some(most) })?;
    }
    Ok(())
}

fn carry_out(task: &Task, bytes: &[u8]) -> anyhow::Result<Vec<u8>> {
    let in_base64 = |bytes: &[u8]| BASE64_STANDARD.encode(bytes);
    match task {
        Task::Definition { kind } => {
            source::read_bytes(*kind, bytes);
            told(&())
        }
        Task::Attachment => told(&attachment::judged(bytes)),
        Task::Logo => {
            let sent = std::str::from_utf8(bytes)?;
            told(&picture::logo("logo", sent).map(|image| in_base64(&image.png)).map_err(|refusal| refusal.message))
        }
        Task::Photo { most } => told(&Photo::read(bytes, *most).map(|photo| in_base64(&photo.jpeg))),
    }
}

fn told(answer: &impl Serialize) -> anyhow::Result<Vec<u8>> {
    Ok(serde_json::to_vec(answer)?)
}
