//! Lists of names in messages.

use alloc::{format, string::String, vec::Vec};
use spillgate_core::visible::quoted;

/// Maximum number of names in a list.
const MAXIMUM: usize = 5;

/// `"a"`, `"a" and "b"`, `"a", "b" and "c"`, or the first ones and the number of others.
pub(super) fn listed<'n>(names: impl Iterator<Item = &'n str>) -> String {
    let names: Vec<String> = names.map(quoted).collect();
    let (shown, more) = match names.get(MAXIMUM..) {
        Some(more @ [_, _, ..]) => (names.get(..MAXIMUM), Some(more.len())),
        _ => (None, None),
    };
    let shown = shown.unwrap_or(&names);
    match (more, shown) {
        (Some(more), _) => format!("{} and {more} more", shown.join(", ")),
        (None, [before @ .., last]) if !before.is_empty() => {
            format!("{} and {last}", before.join(", "))
        }
        (None, _) => shown.join(""),
    }
}

#[cfg(test)]
mod tests {
    use super::listed;

    #[test]
    fn long_lists_end_with_a_number() {
        for (names, expected) in [
            (&["a"][..], "\"a\""),
            (&["a", "b"], "\"a\" and \"b\""),
            (&["a", "b", "c"], "\"a\", \"b\" and \"c\""),
            (
                &["a", "b", "c", "d", "e", "f", "g"],
                "\"a\", \"b\", \"c\", \"d\", \"e\" and 2 more",
            ),
        ] {
            assert_eq!(listed(names.iter().copied()), expected);
        }
    }
}
