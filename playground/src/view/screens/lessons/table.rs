//! The tables of a lesson: their cells, and the controls that a row sets.

use super::{
    LessonResult,
    lesson::{Lesson, LessonCell, LessonRow, LessonTable},
};

impl LessonRow {
    /// A row whose figures are those of the documentation.
    pub(super) const fn new(values: &'static [u32], documented: &'static [LessonCell]) -> Self {
        Self {
            values,
            documented,
            differs: "",
        }
    }
}

impl LessonCell {
    /// The text of the cell.
    #[must_use]
    pub fn text(&self) -> String {
        match self {
            Self::Percent(percent) => spillgate_scenario::whole(*percent),
            Self::Panic(true) => "yes".into(),
            Self::Panic(false) => "no".into(),
            Self::Words(words) => (*words).into(),
            Self::Hosts(hosts) => super::claim::hosts_text(hosts.iter().copied()),
            Self::Text(text) => text.clone(),
        }
    }
}

impl LessonTable {
    /// Whether a row is the current setting of the controls.
    #[must_use]
    pub fn is_current(&self, row: &LessonRow, values: &[u32]) -> bool {
        let pairs = row.values.iter().zip(values).enumerate();
        pairs
            .into_iter()
            .all(|(at, (of_row, value))| of_row == value || self.free.contains(&at))
    }

    /// The values of the controls after a click on a row.
    #[must_use]
    pub fn chosen(&self, row: &LessonRow, values: &[u32]) -> Vec<u32> {
        let pairs = row.values.iter().zip(values).enumerate();
        let value = |(at, (of_row, value)): (usize, (&u32, &u32))| {
            if self.free.contains(&at) {
                *value
            } else {
                *of_row
            }
        };
        pairs.map(value).collect()
    }
}

/// The shares of the priorities.
pub(super) fn shares(lesson: &Lesson, values: &[u32]) -> Vec<LessonCell> {
    let result = lesson.result(values);
    loads(&result).collect()
}

/// The loads of the priorities as cells.
fn loads(result: &LessonResult) -> impl Iterator<Item = LessonCell> {
    let rows = result.outcome.priorities().iter();
    rows.map(|row| LessonCell::Percent(row.row.load()))
}
