//! Search in a text.

/// A place in a text, in UTF-16 units.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Occurrence {
    /// Its start.
    pub(crate) start: u32,
    /// Its end.
    pub(crate) end: u32,
    /// Its line, from 1.
    pub(crate) line: u32,
}

/// The most places that a search lists.
pub(crate) const MAXIMUM_OCCURRENCES: usize = 10_000;

/// All places of `wanted` that do not overlap, in order. Latin letters match in both cases. Empty if `wanted` is.
#[must_use]
pub(crate) fn occurrences(text: &str, wanted: &str) -> Vec<Occurrence> {
    let (text_bytes, wanted_bytes) = (text.as_bytes(), wanted.as_bytes());
    let (mut found, mut rest) = (Vec::new(), text_bytes);
    let (mut at, mut units, mut line) = (0, 0, 1);
    let length = units_of(wanted);
    while found.len() < MAXIMUM_OCCURRENCES
        && let Some(next) = position(rest, wanted_bytes)
    {
        // A match starts at a character, because `wanted` does.
        let passed = text.get(at..at + next).unwrap_or_default();
        units += units_of(passed);
        line += passed.bytes().filter(|byte| *byte == b'\n').count() as u32;
        found.push(Occurrence {
            start: units,
            end: units + length,
            line,
        });
        units += length;
        line += wanted.bytes().filter(|byte| *byte == b'\n').count() as u32;
        at += next + wanted.len();
        rest = text_bytes.get(at..).unwrap_or_default();
    }
    found
}

fn position(text: &[u8], wanted: &[u8]) -> Option<usize> {
    let (first, _) = wanted.split_first()?;
    let mut places = text.windows(wanted.len()).enumerate();
    places.find_map(|(at, here)| {
        let starts = here.first().is_some_and(|c| c.eq_ignore_ascii_case(first));
        (starts && here.eq_ignore_ascii_case(wanted)).then_some(at)
    })
}

fn units_of(text: &str) -> u32 {
    text.chars().map(|c| c.len_utf16() as u32).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str, wanted: &str) -> Vec<(u32, u32, u32)> {
        let all = occurrences(text, wanted);
        all.into_iter().map(|o| (o.start, o.end, o.line)).collect()
    }

    #[test]
    fn places_are_found_in_order_without_overlaps() {
        assert_eq!(found("aXa\nxx", "x"), [(1, 2, 1), (4, 5, 2), (5, 6, 2)]);
        assert_eq!(found("aaaa", "aa"), [(0, 2, 1), (2, 4, 1)]);
        assert_eq!(found("a\nb\na\nb", "a\nB"), [(0, 3, 1), (4, 7, 3)]);
        assert_eq!(found("abc", ""), []);
        assert_eq!(found("ab", "abc"), []);
    }

    #[test]
    fn places_count_units_of_browsers() {
        assert_eq!(found("\u{1f600}\u{e9}Name", "name"), [(3, 7, 1)]);
        assert_eq!(found("x\u{e9}y\u{e9}", "\u{e9}"), [(1, 2, 1), (3, 4, 1)]);
    }

    #[test]
    fn a_search_ends_at_its_maximum() {
        let text = "a".repeat(MAXIMUM_OCCURRENCES + 5);
        assert_eq!(occurrences(&text, "a").len(), MAXIMUM_OCCURRENCES);
    }
}
