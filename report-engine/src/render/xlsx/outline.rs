//! Which lines fold away under which: the rows of a group under its total, an inner group under the outer one.
use rust_xlsxwriter::Worksheet;

use crate::plan::Group;

/// The levels of Excel.
const MOST_LEVELS: usize = 7;

pub struct Outline {
    /// How many groups that fold are around each level; the last is for the rows.
    around: Vec<u8>,
    /// The line that stays is the header, where no group has a total.
    above: bool,
}

impl Outline {
    pub fn of(groups: &[Group]) -> Self {
        let above = groups.iter().all(|group| group.footer.is_none());
        let folds = |group: &Group| if above { group.header.is_some() } else { group.footer.is_some() };
        let mut around = vec![0];
        for (index, group) in groups.iter().enumerate() {
            around.push((around[index] + u8::from(folds(group))).min(MOST_LEVELS as u8));
        }
        Outline { around, above }
    }

    pub fn begin_sheet(&self, sheet: &mut Worksheet) {
        sheet.group_symbols_above(self.above && self.of_rows() > 0);
    }

    /// The level of header and total of a group.
    pub fn of_group(&self, level: usize) -> u8 {
        self.around.get(level).copied().unwrap_or_else(|| self.of_rows())
    }

    pub fn of_rows(&self) -> u8 {
        self.around.last().copied().unwrap_or(0)
    }
}
