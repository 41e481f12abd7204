//! Where the fields of a form stand, by the names of A 7: its panels, its segments, and the fields of each segment. The fields
//! themselves are told once, in `autsiArray`; here are their ids, in its order.

use std::collections::{BTreeMap, HashMap, HashSet};

use domain::register::ValueType;
use serde::Serialize;
use utoipa::ToSchema;

use super::form::EntryField;

#[derive(Debug, Default, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Layout {
    /// Ids of the panels.
    panel_autsi_array: Vec<i64>,
    /// Ids of the segments: the tabs that lie in nothing else.
    auts_segmenti: Vec<i64>,
    /// Ids of the fields of each segment, however deep they lie, by the segment's id.
    #[serde(rename = "getAUTSPoSegmentima")]
    auts_po_segmentima: BTreeMap<i64, Vec<i64>>,
}

impl Layout {
    pub fn of(fields: &[EntryField]) -> Self {
        let ids =
            |chosen: &dyn Fn(&EntryField) -> bool| fields.iter().filter(|field| chosen(field)).map(|field| field.id).collect::<Vec<_>>();
        let parents: HashMap<i64, i64> = fields.iter().filter_map(|field| Some((field.id, field.naredjeni_auts?))).collect();
        let auts_segmenti = ids(&|field| field.tva_num_vrednost == ValueType::Tab && field.naredjeni_auts.is_none());
        let segments: HashSet<i64> = auts_segmenti.iter().copied().collect();
        let mut auts_po_segmentima: BTreeMap<i64, Vec<i64>> = auts_segmenti.iter().map(|segment| (*segment, Vec::new())).collect();
        for field in fields {
            // No way upwards is longer than there are fields.
            let way = std::iter::successors(parents.get(&field.id), |at| parents.get(at)).take(fields.len());
            if let Some(segment) = way.copied().find(|at| segments.contains(at)) {
                auts_po_segmentima.entry(segment).or_default().push(field.id);
            }
        }
        Self { panel_autsi_array: ids(&|field| field.tva_num_vrednost == ValueType::Panel), auts_segmenti, auts_po_segmentima }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn panels_and_segments_are_told_by_the_specifications_names() {
        let field = |id: i64, kind: ValueType, parent: Option<i64>| EntryField {
            id,
            tva_num_vrednost: kind,
            naredjeni_auts: parent,
            ..EntryField::default()
        };
        let fields = [
            field(1, ValueType::Tab, None),
            field(2, ValueType::Tab, Some(1)),
            field(3, ValueType::Panel, Some(2)),
            field(4, ValueType::Number, Some(3)),
            field(5, ValueType::Tab, None),
            field(6, ValueType::Text, None),
        ];
        let expected = json!({
            "panelAutsiArray": [3], "autsSegmenti": [1, 5], "getAUTSPoSegmentima": { "1": [2, 3, 4], "5": [] },
        });
        assert_eq!(serde_json::to_value(Layout::of(&fields)).unwrap(), expected);
    }
}
