//! The PDF file as a stream of objects: each is written once and forgotten, only its offset is kept.
use std::io::{self, Write};

use libdeflater::{CompressionLvl, Compressor};
use pdf_writer::{Chunk, Ref};

use crate::render::file::OutFile;

const LEVEL: i32 = 6;

pub struct Objects {
    file: OutFile,
    position: u64,
    /// Offset by object number; 0 for numbers given out and not yet written.
    offsets: Vec<u64>,
    compressor: Compressor,
    compressed: Vec<u8>,
}

impl Objects {
    pub fn begin(file: OutFile) -> io::Result<Self> {
        let level = CompressionLvl::new(LEVEL).expect("level 6 exists");
        let mut objects = Objects { file, position: 0, offsets: vec![0], compressor: Compressor::new(level), compressed: Vec::new() };
        objects.put(b"%PDF-1.7\n%\xE2\xE3\xCF\xD3\n")?;
        Ok(objects)
    }

    /// A number for an object that is written later.
    pub fn reserve(&mut self) -> Ref {
        self.offsets.push(0);
        Ref::new(self.offsets.len() as i32 - 1)
    }

    /// Writes one object, built by `pdf-writer`.
    pub fn write(&mut self, id: Ref, build: impl FnOnce(&mut Chunk)) -> io::Result<()> {
        let mut chunk = Chunk::new();
        build(&mut chunk);
        self.offsets[id.get() as usize] = self.position;
        self.put(chunk.as_bytes())
    }

    /// The bytes as a zlib stream, for `Filter::FlateDecode`; valid until the next call.
    pub fn deflate(&mut self, data: &[u8]) -> io::Result<Vec<u8>> {
        let mut out = std::mem::take(&mut self.compressed);
        out.resize(self.compressor.zlib_compress_bound(data.len()), 0);
        let length = self.compressor.zlib_compress(data, &mut out).map_err(io::Error::other)?;
        out.truncate(length);
        Ok(out)
    }

    /// Gives the buffer of [`Objects::deflate`] back for the next use.
    pub fn recycle(&mut self, buffer: Vec<u8>) {
        self.compressed = buffer;
    }

    /// Writes the cross-reference table and the trailer, and keeps the file; returns its size.
    pub fn finish(mut self, catalog: Ref, info: Ref, identity: &[u8]) -> io::Result<u64> {
        let start = self.position;
        let mut table = format!("xref\n0 {}\n0000000000 65535 f \n", self.offsets.len()).into_bytes();
        for offset in &self.offsets[1..] {
            writeln!(table, "{offset:010} 00000 n ")?;
        }
        let id = hex::encode_upper(identity);
        write!(
            table,
            "trailer\n<</Size {}/Root {} 0 R/Info {} 0 R/ID[<{id}><{id}>]>>\nstartxref\n{start}\n%%EOF\n",
            self.offsets.len(),
            catalog.get(),
            info.get(),
        )?;
        self.put(&table)?;
        self.file.keep()
    }

    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.position += bytes.len() as u64;
        self.file.write_all(bytes)
    }
}
