//! Packing by pieces: an archive whose long parts were packed while they were made, and are only copied into it at the end.
use std::io::{self, Write};

use flate2::{Compress, Compression, Crc, FlushCompress, Status};

/// Half the size of zlib's default effort, a seventh larger.
pub const LEVEL: u8 = 2;
const ROOM: usize = 64 * 1024;

/// What is known of packed bytes.
#[derive(Default)]
pub struct PackedFacts {
    checksum: Crc,
    plain: u64,
    pub packed: u64,
}

impl PackedFacts {
    /// Of these bytes and those that follow them.
    pub fn then(mut self, next: &PackedFacts) -> Self {
        self.checksum.combine(&next.checksum);
        self.plain += next.plain;
        self.packed += next.packed;
        self
    }
}

/// Packs bytes as they come. A piece refers to nothing before it, so pieces that were ended may follow one another.
pub struct Packer {
    compress: Compress,
    room: Vec<u8>,
    told: PackedFacts,
}

impl Packer {
    pub fn new() -> Self {
        let compress = Compress::new(Compression::new(LEVEL.into()), false);
        Packer { compress, room: Vec::with_capacity(ROOM), told: PackedFacts::default() }
    }

    pub fn add(&mut self, bytes: &[u8], out: &mut impl Write) -> io::Result<()> {
        self.told.checksum.update(bytes);
        self.told.plain += bytes.len() as u64;
        self.push(bytes, FlushCompress::None, out)
    }

    /// Ends a piece that others follow.
    pub fn end_piece(mut self, out: &mut impl Write) -> io::Result<PackedFacts> {
        self.push(&[], FlushCompress::Sync, out)?;
        Ok(self.told)
    }

    /// Ends the last piece.
    pub fn end(mut self, out: &mut impl Write) -> io::Result<PackedFacts> {
        self.push(&[], FlushCompress::Finish, out)?;
        Ok(self.told)
    }

    fn push(&mut self, mut bytes: &[u8], flush: FlushCompress, out: &mut impl Write) -> io::Result<()> {
        loop {
            self.room.clear();
            let before = self.compress.total_in();
            let status = self.compress.compress_vec(bytes, &mut self.room, flush).map_err(io::Error::other)?;
            bytes = &bytes[(self.compress.total_in() - before) as usize..];
            out.write_all(&self.room)?;
            self.told.packed += self.room.len() as u64;
            let has_room = self.room.len() < self.room.capacity();
            if status == Status::StreamEnd || bytes.is_empty() && has_room {
                return Ok(());
            }
        }
    }
}

/// Parts whose sizes are known before they are written, and the table of them.
pub struct Archive<'a, W> {
    out: &'a mut W,
    place: u64,
    table: Vec<u8>,
    parts: u16,
}

const LOCAL: u32 = 0x0403_4B50;
const ENTRY: u32 = 0x0201_4B50;
const END: u32 = 0x0605_4B50;
/// What a program must know to read it, and the first day that an archive can name: no file tells when it was made.
const VERSION: u16 = 20;
const DEFLATED: u16 = 8;
const DAY: u16 = 0x21;

impl<'a, W: Write> Archive<'a, W> {
    pub fn begin(out: &'a mut W) -> Self {
        Archive { out, place: 0, table: Vec::new(), parts: 0 }
    }

    pub fn part(&mut self, name: &str, told: &PackedFacts, write: impl FnOnce(&mut W) -> io::Result<()>) -> io::Result<()> {
        let checksum = told.checksum.sum();
        let mut head = Vec::with_capacity(32);
        for half in [VERSION, 0, DEFLATED, 0, DAY] {
            head.extend_from_slice(&half.to_le_bytes());
        }
        for word in [checksum, short(told.packed)?, short(told.plain)?, name.len() as u32] {
            head.extend_from_slice(&word.to_le_bytes());
        }
        self.table.extend_from_slice(&ENTRY.to_le_bytes());
        self.table.extend_from_slice(&VERSION.to_le_bytes());
        self.table.extend_from_slice(&head);
        // No comment, the first disk, no attributes.
        self.table.extend_from_slice(&[0; 10]);
        self.table.extend_from_slice(&short(self.place)?.to_le_bytes());
        self.table.extend_from_slice(name.as_bytes());
        self.out.write_all(&LOCAL.to_le_bytes())?;
        self.out.write_all(&head)?;
        self.out.write_all(name.as_bytes())?;
        write(self.out)?;
        self.place += 4 + head.len() as u64 + name.len() as u64 + told.packed;
        self.parts += 1;
        Ok(())
    }

    pub fn end(self) -> io::Result<()> {
        self.out.write_all(&self.table)?;
        self.out.write_all(&END.to_le_bytes())?;
        for half in [0, 0, self.parts, self.parts] {
            self.out.write_all(&half.to_le_bytes())?;
        }
        for word in [short(self.table.len() as u64)?, short(self.place)?] {
            self.out.write_all(&word.to_le_bytes())?;
        }
        self.out.write_all(&0u16.to_le_bytes())
    }
}

/// A length as an archive tells it without extensions.
fn short(length: u64) -> io::Result<u32> {
    u32::try_from(length).map_err(|_| io::Error::other("a part of the workbook is too long"))
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Read};

    use super::*;

    #[test]
    fn pieces_that_were_packed_apart_are_one_part_of_the_archive() {
        let long: String = (0..20_000).map(|number| format!("<c r=\"A{number}\"/>")).collect();
        let (mut first, mut second, mut third) = (Vec::new(), Vec::new(), Vec::new());
        let piece = |text: &str, out: &mut Vec<u8>| {
            let mut packer = Packer::new();
            packer.add(text.as_bytes(), out).unwrap();
            packer
        };
        let told = piece("početak ", &mut first).end_piece(&mut first).unwrap();
        let told = told.then(&piece(&long, &mut second).end_piece(&mut second).unwrap());
        let told = told.then(&piece(" kraj", &mut third).end(&mut third).unwrap());
        let mut out = Vec::new();
        let mut archive = Archive::begin(&mut out);
        let pieces = [first, second, third].concat();
        archive.part("xl/dugo.xml", &told, |out| out.write_all(&pieces)).unwrap();
        let mut short = Vec::new();
        let told = piece("da", &mut short).end(&mut short).unwrap();
        archive.part("kratko", &told, |out| out.write_all(&short)).unwrap();
        archive.end().unwrap();

        let mut read = zip::ZipArchive::new(Cursor::new(out)).unwrap();
        let mut content = |name: &str| {
            let mut content = String::new();
            read.by_name(name).unwrap().read_to_string(&mut content).unwrap();
            content
        };
        assert!(content("xl/dugo.xml") == format!("početak {long} kraj"));
        assert_eq!(content("kratko"), "da");
    }
}
