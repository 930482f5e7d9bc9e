//! The changes over the time as lines of a table: those of `spillgate incident`.

use spillgate_codec::import::{IncidentRecord, IncidentRow};
use spillgate_scenario::fixed;

/// A change.
#[derive(Debug, Clone, PartialEq)]
pub struct ChangeLine<'r> {
    /// Its time, in microseconds.
    pub at: u64,
    /// What changes.
    pub text: &'r str,
    /// What the workers see from then on; `None` while they do not have the change.
    pub state: Option<&'r IncidentRow>,
}

/// The changes by time, without those of sessions after which the table has the same figures.
#[must_use]
pub fn change_lines(record: &IncidentRecord) -> Vec<ChangeLine<'_>> {
    let mut lines = Vec::new();
    for (place, row) in record.rows.iter().enumerate() {
        let is_start = place == 0 && row.from == 0 && row.changes.is_empty();
        if is_start && record.rows.len() > 1 {
            continue;
        }
        let before = lines.last().and_then(|line: &ChangeLine<'_>| line.state);
        let is_same = |before: &IncidentRow| {
            (before.usable, fixed(before.failed)) == (row.usable, fixed(row.failed))
        };
        if row.only_moves_sessions && before.is_some_and(is_same) {
            continue;
        }
        lines.extend(row.changes.iter().map(|(at, text)| ChangeLine {
            at: *at,
            text,
            state: None,
        }));
        // The state begins when the workers have it, which can be later than the changes.
        let last = row.changes.last();
        if last.is_none_or(|(at, _)| *at < row.from) {
            lines.push(ChangeLine {
                at: row.from,
                text: "updated hosts reach the workers",
                state: None,
            });
        }
        if let Some(last) = lines.last_mut() {
            last.state = Some(row);
        }
    }
    lines
}
