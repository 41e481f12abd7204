//! The PDF file as a stream of objects: each is written once and forgotten, only its offset is kept.
use std::io::{self, Write};

use libdeflater::{CompressionLvl, Compressor};
use pdf_writer::{Chunk, Ref};

use super::content::push_integer;
use crate::render::file::OutFile;

/// Of pages, letters and pictures.
const LEVEL: i32 = 6;
/// Of packs and tables, which repeat themselves: a hundredth more bytes in three quarters of the time.
const PACK_LEVEL: i32 = 5;

pub struct Objects {
    file: OutFile,
    position: u64,
    /// Place by object number, 0 for numbers given out and not yet written: an offset, or [`PACKED`] with pack and place in it.
    offsets: Vec<u32>,
    /// Small objects that wait to be written together.
    pack: Pack,
    /// The objects that hold the packs, in the order of their numbers.
    packs: Vec<u32>,
    compressor: Compressor,
    packer: Compressor,
    compressed: Vec<u8>,
}

/// Objects in one pack.
const PACK: usize = 512;
const PACKED: u32 = 1 << 31;
/// Objects that one cross-reference stream tells of.
const TABLE: usize = 1 << 16;

/// Compressed bytes at the front of a buffer that is used again.
pub struct DeflatedBytes {
    buffer: Vec<u8>,
    length: usize,
}

impl std::ops::Deref for DeflatedBytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.buffer[..self.length]
    }
}

#[derive(Default)]
struct Pack {
    /// Number and place of each object.
    index: Vec<(i32, usize)>,
    body: Vec<u8>,
}

impl Objects {
    pub fn begin(file: OutFile) -> io::Result<Self> {
        let compressor = |level| Compressor::new(CompressionLvl::new(level).expect("a level from 1 to 12"));
        let mut objects = Objects {
            file,
            position: 0,
            offsets: vec![0],
            pack: Pack::default(),
            packs: Vec::new(),
            compressor: compressor(LEVEL),
            packer: compressor(PACK_LEVEL),
            compressed: Vec::new(),
        };
        objects.put(b"%PDF-1.7\n%\xE2\xE3\xCF\xD3\n")?;
        Ok(objects)
    }

    /// A number for an object that is written later.
    pub fn reserve(&mut self) -> Ref {
        if self.offsets.len() == self.offsets.capacity() {
            self.offsets.reserve_exact(TABLE);
        }
        self.offsets.push(0);
        Ref::new(self.offsets.len() as i32 - 1)
    }

    /// Writes one object, built by `pdf-writer`.
    pub fn write(&mut self, id: Ref, build: impl FnOnce(&mut Chunk)) -> io::Result<()> {
        let mut chunk = Chunk::new();
        build(&mut chunk);
        self.begin_object(id)?;
        self.put(chunk.as_bytes())
    }

    /// Adds one small object to the pack under way, which is compressed as a whole.
    pub fn pack(&mut self, id: Ref, build: impl FnOnce(&mut Vec<u8>) -> io::Result<()>) -> io::Result<()> {
        self.offsets[id.get() as usize] = PACKED | (self.packs.len() * PACK + self.pack.index.len()) as u32;
        self.pack.index.push((id.get(), self.pack.body.len()));
        build(&mut self.pack.body)?;
        self.pack.body.push(b'\n');
        if self.pack.index.len() == PACK { self.write_pack() } else { Ok(()) }
    }

    fn write_pack(&mut self) -> io::Result<()> {
        let Pack { index, body } = std::mem::take(&mut self.pack);
        let mut data = Vec::with_capacity(body.len() + index.len() * 12);
        for (id, place) in &index {
            push_integer(&mut data, *id);
            data.push(b' ');
            push_integer(&mut data, *place);
            data.push(b' ');
        }
        let first = data.len();
        data.extend_from_slice(&body);
        let stream = self.reserve();
        self.packs.push(stream.get() as u32);
        let compressed = compress(&mut self.packer, std::mem::take(&mut self.compressed), &data)?;
        self.begin_object(stream)?;
        let (count, length) = (index.len(), compressed.len());
        let head = format!("{} 0 obj\n<</Type/ObjStm/N {count}/First {first}/Length {length}/Filter/FlateDecode>>\nstream\n", stream.get());
        self.put(head.as_bytes())?;
        self.put(&compressed)?;
        self.put(b"\nendstream\nendobj\n")?;
        self.recycle(compressed);
        Ok(())
    }

    /// Notes where an object begins: files stay below two gigabytes, as their limit does.
    fn begin_object(&mut self, id: Ref) -> io::Result<()> {
        let place = u32::try_from(self.position).ok().filter(|place| place & PACKED == 0);
        self.offsets[id.get() as usize] = place.ok_or_else(|| io::Error::other("the file is too long for its table"))?;
        Ok(())
    }

    /// The bytes as a zlib stream, for `Filter::FlateDecode`; valid until the next call.
    pub fn deflate(&mut self, data: &[u8]) -> io::Result<DeflatedBytes> {
        compress(&mut self.compressor, std::mem::take(&mut self.compressed), data)
    }

    /// Gives the buffer of [`Objects::deflate`] back for the next use.
    pub fn recycle(&mut self, deflated: DeflatedBytes) {
        self.compressed = deflated.buffer;
    }

    /// Writes the cross-reference streams, each after the one that it goes on from, and keeps the file; returns its size.
    pub fn finish(mut self, catalog: Ref, info: Ref, identity: &[u8]) -> io::Result<u64> {
        if !self.pack.index.is_empty() {
            self.write_pack()?;
        }
        let tables: Vec<Ref> = (0..(self.offsets.len() / TABLE).max(1)).map(|_| self.reserve()).collect();
        let id = hex::encode_upper(identity);
        let ends = format!("/Root {} 0 R/Info {} 0 R/ID[<{id}><{id}>]", catalog.get(), info.get());
        let mut before = String::new();
        let mut start = 0;
        for (index, table) in tables.iter().enumerate() {
            let from = index * TABLE;
            // The last one holds the streams themselves as well.
            let to = if index + 1 == tables.len() { self.offsets.len() } else { from + TABLE };
            start = self.position;
            self.begin_object(*table)?;
            let entries = self.entries(from, to);
            let compressed = compress(&mut self.packer, std::mem::take(&mut self.compressed), &entries)?;
            let head = format!(
                "{} 0 obj\n<</Type/XRef/Size {}/Index[{from} {}]/W[1 4 2]{ends}{before}/Length {}/Filter/FlateDecode>>\nstream\n",
                table.get(),
                self.offsets.len(),
                to - from,
                compressed.len(),
            );
            self.put(head.as_bytes())?;
            self.put(&compressed)?;
            self.put(b"\nendstream\nendobj\n")?;
            self.recycle(compressed);
            before = format!("/Prev {start}");
        }
        self.put(format!("startxref\n{start}\n%%EOF\n").as_bytes())?;
        self.file.keep()
    }

    fn entries(&self, from: usize, to: usize) -> Vec<u8> {
        let mut entries = Vec::with_capacity(7 * (to - from));
        for place in &self.offsets[from..to] {
            let (kind, place, within): (u8, u32, u16) = match place & PACKED {
                // The head of the free ones, and what was given out and not needed in the end.
                0 if *place == 0 => (0, 0, u16::MAX),
                0 => (1, *place, 0),
                _ => {
                    let place = (place & !PACKED) as usize;
                    (2, self.packs[place / PACK], (place % PACK) as u16)
                }
            };
            entries.push(kind);
            entries.extend_from_slice(&place.to_be_bytes());
            entries.extend_from_slice(&within.to_be_bytes());
        }
        entries
    }

    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.position += bytes.len() as u64;
        self.file.write_all(bytes)
    }
}

fn compress(compressor: &mut Compressor, mut buffer: Vec<u8>, data: &[u8]) -> io::Result<DeflatedBytes> {
    let most = compressor.zlib_compress_bound(data.len());
    if buffer.len() < most {
        buffer.resize(most, 0);
    }
    let length = compressor.zlib_compress(data, &mut buffer).map_err(io::Error::other)?;
    Ok(DeflatedBytes { buffer, length })
}
