//! Several PDF files as one, each a chapter with its place in the outline, and with the structure that each of them has for those who have it
//! read aloud. They are put together in memory: chapters are short.
use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
};

use jiff::civil::DateTime;
use lopdf::{Dictionary, Document, Object, ObjectId, StringFormat, dictionary};

use super::{
    document::text,
    error::RenderError,
    look::{LANGUAGE, PRODUCER},
};
use crate::plan::Format;

pub struct Bundle {
    pub title: String,
    pub author: String,
    pub made: DateTime,
    pub chapters: Vec<Chapter>,
}

pub struct Chapter {
    pub title: String,
    pub path: PathBuf,
}

/// The largest file that is made, as of any report.
const MOST_BYTES: u64 = 200 * 1024 * 1024;

/// Writes all chapters into one file; gives its size and its pages.
pub fn join(bundle: &Bundle, out: &Path) -> Result<(u64, u32), RenderError> {
    let bytes = joined(bundle)?;
    if bytes.1.len() as u64 > MOST_BYTES {
        return Err(RenderError::TooLarge { format: Format::Pdf, limit: MOST_BYTES });
    }
    fs::File::create(out)?.write_all(&bytes.1)?;
    Ok((bytes.1.len() as u64, bytes.0))
}

fn joined(bundle: &Bundle) -> Result<(u32, Vec<u8>), RenderError> {
    let unreadable = |error: lopdf::Error| RenderError::Io(std::io::Error::other(error));
    let mut whole = Document::with_version("1.7");
    let pages = whole.new_object_id();
    let structure = whole.new_object_id();
    let (mut kids, mut count) = (Vec::new(), 0);
    let mut marks = Marks::default();
    let mut starts = Vec::new();
    for chapter in &bundle.chapters {
        let mut part = Document::load(&chapter.path).map_err(unreadable)?;
        part.renumber_objects_with(whole.max_id + 1);
        let first = part.page_iter().next();
        let list: Vec<ObjectId> = part.page_iter().collect();
        let root = part.catalog().and_then(|catalog| catalog.get(b"Pages")?.as_reference()).map_err(unreadable)?;
        marks.take(&mut part, &list, structure).map_err(unreadable)?;
        part.get_object_mut(root).and_then(Object::as_dict_mut).map_err(unreadable)?.set("Parent", pages);
        kids.push(Object::Reference(root));
        count += list.len();
        starts.extend(first.map(|page| (chapter.title.as_str(), page)));
        whole.max_id = whole.max_id.max(part.max_id);
        whole.objects.extend(part.objects);
    }
    whole.objects.insert(pages, dictionary! { "Type" => "Pages", "Kids" => kids, "Count" => count as i64 }.into());
    let mut catalog = dictionary! {
        "Type" => "Catalog",
        "Pages" => pages,
        "Lang" => text(LANGUAGE),
        "ViewerPreferences" => dictionary! { "DisplayDocTitle" => true },
    };
    if let Some(outlines) = outline(&mut whole, &starts) {
        catalog.set("Outlines", outlines);
        catalog.set("PageMode", Object::Name(b"UseOutlines".to_vec()));
    }
    if let Some(root) = marks.root() {
        whole.objects.insert(structure, root.into());
        catalog.set("StructTreeRoot", structure);
        catalog.set("MarkInfo", dictionary! { "Marked" => true });
    }
    let catalog = whole.add_object(catalog);
    let made = bundle.made.strftime("D:%Y%m%d%H%M%S").to_string();
    let info = whole.add_object(dictionary! {
        "Title" => text(&bundle.title),
        "Author" => text(&bundle.author),
        "Producer" => text(PRODUCER),
        "CreationDate" => Object::String(made.into_bytes(), StringFormat::Literal),
    });
    whole.trailer.set("Root", catalog);
    whole.trailer.set("Info", info);
    whole.prune_objects();
    whole.compress();
    let mut bytes = Vec::new();
    whole.save_to(&mut bytes)?;
    Ok((count as u32, bytes))
}

/// The structure of the chapters as one: what each says of its pages, in their order.
#[derive(Default)]
struct Marks {
    tops: Vec<Object>,
    /// The elements of each page, by the key that the page names.
    pages: Vec<Object>,
    next: i64,
}

impl Marks {
    /// Takes the structure of a chapter, if it has one, and puts it below `root`.
    fn take(&mut self, part: &mut Document, pages: &[ObjectId], root: ObjectId) -> Result<(), lopdf::Error> {
        let Ok(own) = part.catalog().and_then(|catalog| catalog.get(b"StructTreeRoot")?.as_reference()) else { return Ok(()) };
        let tree = part.get_dictionary(own)?.clone();
        let tops = match tree.get(b"K")? {
            Object::Array(tops) => tops.clone(),
            one => vec![one.clone()],
        };
        for top in &tops {
            part.get_object_mut(top.as_reference()?)?.as_dict_mut()?.set("P", root);
        }
        let by_page = match tree.get(b"ParentTree")? {
            Object::Reference(id) => part.get_dictionary(*id)?.clone(),
            written => written.as_dict()?.clone(),
        };
        let numbers = by_page.get(b"Nums")?.as_array()?.clone();
        for pair in numbers.chunks_exact(2) {
            self.pages.extend([Object::Integer(pair[0].as_i64()? + self.next), pair[1].clone()]);
        }
        for page in pages {
            let page = part.get_object_mut(*page)?.as_dict_mut()?;
            if let Ok(key) = page.get(b"StructParents").and_then(Object::as_i64) {
                page.set("StructParents", key + self.next);
            }
        }
        self.tops.extend(tops);
        self.next += pages.len() as i64;
        Ok(())
    }

    fn root(self) -> Option<Dictionary> {
        (!self.tops.is_empty()).then(|| {
            dictionary! {
                "Type" => "StructTreeRoot",
                "K" => self.tops,
                "ParentTree" => dictionary! { "Nums" => self.pages },
                "ParentTreeNextKey" => self.next,
            }
        })
    }
}

/// One line a chapter, which leads to its first page.
fn outline(whole: &mut Document, starts: &[(&str, ObjectId)]) -> Option<ObjectId> {
    let root = whole.new_object_id();
    let ids: Vec<ObjectId> = starts.iter().map(|_| whole.new_object_id()).collect();
    let (first, last) = (*ids.first()?, *ids.last()?);
    for (place, (title, page)) in starts.iter().enumerate() {
        let to = vec![Object::Reference(*page), Object::Name(b"Fit".to_vec())];
        let mut line = dictionary! { "Title" => text(title), "Parent" => root, "Dest" => to };
        if let Some(before) = place.checked_sub(1) {
            line.set("Prev", ids[before]);
        }
        if let Some(after) = ids.get(place + 1) {
            line.set("Next", *after);
        }
        whole.objects.insert(ids[place], line.into());
    }
    let list = dictionary! { "Type" => "Outlines", "First" => first, "Last" => last, "Count" => starts.len() as i64 };
    whole.objects.insert(root, list.into());
    Some(root)
}
