//! A line of a text, as a quote.

use alloc::{borrow::ToOwned as _, string::String};

/// The maximum number of quoted characters of a line.
const LONGEST: usize = 80;

/// The line of a position, which counts from 1. A long line, as in a document without line breaks, is cut: the
/// quote then starts at the column.
///
/// # Examples
/// ```
/// use spillgate_explain::quoted_line;
///
/// let text = "name: shop\n  lb_policy: MAGLEV\n";
/// assert_eq!(quoted_line(text, 2, 14), "lb_policy: MAGLEV");
/// assert_eq!(quoted_line(text, 9, 1), "");
/// ```
#[must_use]
pub fn quoted_line(text: &str, line: u32, column: u32) -> String {
    let before = |number: u32| usize::try_from(number).map_or(0, |n| n.saturating_sub(1));
    let line = text.lines().nth(before(line)).unwrap_or_default();
    let whole = line.trim();
    if whole.chars().count() <= LONGEST {
        return whole.to_owned();
    }
    let rest = line.chars().skip(before(column));
    rest.take(LONGEST).chain("...".chars()).collect()
}
