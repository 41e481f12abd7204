//! The blocks that come with the product: files under `api/interchange/blocks/`, compiled in, so that no folder can lack them.

use anyhow::{Context, bail};

use crate::import::definition::{self, Definition};

const FILES: [&str; 7] = [
    include_str!("../../../blocks/basdai.toml"),
    include_str!("../../../blocks/cha2ds2vasc.toml"),
    include_str!("../../../blocks/das28.toml"),
    include_str!("../../../blocks/haqdi.toml"),
    include_str!("../../../blocks/mrs.toml"),
    include_str!("../../../blocks/nihss.toml"),
    include_str!("../../../blocks/phq9.toml"),
];
/// Drawn by hand for Regix.
const HOMUNCULUS: &[u8] = include_bytes!("../../../blocks/homunkulus.png");

pub fn all() -> anyhow::Result<Vec<Definition>> {
    FILES.into_iter().map(|text| definition::parse(text, picture).context("a shipped block")).collect()
}

fn picture(name: &str) -> anyhow::Result<Vec<u8>> {
    match name {
        "homunkulus.png" => Ok(HOMUNCULUS.to_vec()),
        other => bail!("no picture {other} is shipped"),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use domain::register::ValueType;

    use super::*;
    use crate::{
        exchange::{
            blocks::{document::document, faults, root_of},
            file,
        },
        import::{check, formulas},
    };

    /// Formulas and examples: the vectors that the block's source has published.
    #[test]
    fn each_shipped_block_computes_what_its_source_has_published() {
        let all = all().unwrap();
        let codes: BTreeSet<&str> = all.iter().filter_map(|one| Some(one.block.as_ref()?.sifra.as_str())).collect();
        assert_eq!(codes, BTreeSet::from(["basdai", "cha2ds2vasc", "das28", "haqdi", "mrs", "nihss", "phq9"]));
        for block in &all {
            let sifra = &block.block.as_ref().unwrap().sifra;
            assert_eq!(faults(block), Vec::<String>::new(), "{sifra}");
            assert_eq!(check::defects(block), Vec::<String>::new(), "{sifra}");
            let compiled = formulas::compile(block);
            // What cannot be examined has no weight, and the formula asks for it first.
            let warned: Vec<&String> = compiled.warnings.iter().filter(|told| !told.contains("(UN)")).collect();
            assert_eq!((compiled.defects, warned), (Vec::<String>::new(), Vec::new()), "{sifra}");
            let calculated = block.forms[0].polja.iter().filter(|field| field.own.formula_za_racunanje.is_some());
            for field in calculated {
                assert!(field.own.primeri.as_ref().is_some_and(|examples| !examples.is_empty()), "{sifra}: {} has no example", field.sifra);
            }
        }
    }

    #[test]
    fn each_says_its_source_and_licence_and_what_it_must_not_have() {
        for block in all().unwrap() {
            let heading = block.block.as_ref().unwrap();
            let root = root_of(&block).unwrap();
            assert!(root.own.html_info.is_some() || heading.sifra == "das28", "{}: no words for the popup", heading.sifra);
            for said in [&heading.izvor, &heading.licenca, &heading.opis, &heading.oblast] {
                assert!(said.chars().count() >= 8, "{}: „{said}”", heading.sifra);
            }
            let is_structure = ["basdai", "haqdi"].contains(&heading.sifra.as_str());
            assert_eq!(heading.nedostaje.is_some(), is_structure, "{}", heading.sifra);
        }
    }

    #[test]
    fn a_block_as_a_document_knows_its_edition_and_comes_back_from_its_own_file() {
        for block in all().unwrap() {
            let heading = block.block.as_ref().unwrap();
            let made = document(&block).unwrap();
            let roots: Vec<_> = made.polja.iter().filter(|field| field.nadredjeni.is_none()).collect();
            assert_eq!(roots.len(), 1, "{}", heading.sifra);
            assert_eq!(roots[0].own.blok.as_deref(), Some(format!("{}@{}", heading.sifra, heading.izdanje).as_str()));
            assert!(made.polja.iter().all(|field| field.id < 0 && made.types().contains_key(&field.tip_atributa_id)));
            let again = definition::parse(&file::text(&block), |name| bail!("{name} is no file")).unwrap();
            assert_eq!(again.block, block.block);
            assert_eq!(document(&again).unwrap(), made, "{}", heading.sifra);
        }
    }

    #[test]
    fn das28_has_two_pictures_of_28_joints() {
        let all = all().unwrap();
        let das28 = all.iter().find(|one| one.block.as_ref().unwrap().sifra == "das28").unwrap();
        let kind = |name: &str| das28.attribute_types.iter().find(|known| known.mark() == name).unwrap().tip_vrednosti;
        let pictures = das28.forms[0].polja.iter().filter(|field| kind(&field.tip_atributa) == ValueType::Image);
        let dots = |picture: &str| {
            das28.forms[0]
                .polja
                .iter()
                .filter(|field| field.nadredjeni.as_deref() == Some(picture) && field.own.image_coordinate_x.is_some())
                .count()
        };
        assert_eq!(pictures.map(|picture| dots(&picture.sifra)).collect::<Vec<_>>(), [28, 28]);
    }
}
