//! The changes over the time as lines of a table: those of `spillgate incident`.

use spillgate_codec::import::{IncidentRecord, IncidentRow};

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

/// The changes by time.
#[must_use]
pub fn change_lines(record: &IncidentRecord) -> Vec<ChangeLine<'_>> {
    let mut lines = Vec::new();
    for (place, row) in record.rows.iter().enumerate() {
        let is_start = place == 0 && row.from == 0 && row.changes.is_empty();
        if is_start && record.rows.len() > 1 {
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
