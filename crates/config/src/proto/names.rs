//! Misspelled names.

use alloc::vec::Vec;

/// The nearest candidate, at most two edits away from `name`.
///
/// # Examples
/// ```
/// use spillgate_config::nearest;
///
/// let policies = ["ROUND_ROBIN", "RING_HASH", "RANDOM"];
/// assert_eq!(nearest("RINGHASH", policies.into_iter()), Some("RING_HASH"));
/// assert_eq!(nearest("FIRST", policies.into_iter()), None);
/// ```
#[must_use]
pub fn nearest<'c>(name: &str, candidates: impl Iterator<Item = &'c str>) -> Option<&'c str> {
    const FARTHEST: usize = 2;
    // Longer texts are not misspelled names, and the comparison is quadratic.
    const LONGEST: usize = 64;
    if name.len() > LONGEST {
        return None;
    }
    candidates
        .filter(|candidate| candidate.len().abs_diff(name.len()) <= FARTHEST * 4)
        .map(|candidate| (distance(name, candidate), candidate))
        .filter(|(distance, candidate)| *distance <= FARTHEST && *distance < candidate.len())
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// The number of insertions, deletions, replacements and swaps of neighbors that turn one into the
/// other, ignoring case, `-` and `_`.
fn distance(a: &str, b: &str) -> usize {
    let letters = |text: &str| -> Vec<char> {
        text.chars()
            .filter(|c| !matches!(c, '_' | '-'))
            .map(|c| c.to_ascii_lowercase())
            .collect()
    };
    let (a, b) = (letters(a), letters(b));
    let mut before_last: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.iter().enumerate() {
        let mut row = Vec::with_capacity(b.len() + 1);
        row.push(i + 1);
        for (j, to) in b.iter().enumerate() {
            let at =
                |row: &[usize], index: usize| row.get(index).copied().unwrap_or(usize::MAX / 2);
            let mut best = (at(&last, j) + usize::from(from != to))
                .min(at(&last, j + 1) + 1)
                .min(at(&row, j) + 1);
            let swapped = i > 0 && j > 0 && a.get(i - 1) == Some(to) && b.get(j - 1) == Some(from);
            if swapped {
                best = best.min(at(&before_last, j - 1) + 1);
            }
            row.push(best);
        }
        before_last = core::mem::replace(&mut last, row);
    }
    last.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_near_names_are_suggested() {
        let names = ["lb_policy", "load_assignment", "name", "type"];
        let near = |name| nearest(name, names.into_iter());
        assert_eq!(near("lb_polici"), Some("lb_policy"));
        assert_eq!(near("lb_ploicy"), Some("lb_policy"));
        assert_eq!(near("LbPolicy"), Some("lb_policy"));
        assert_eq!(near("loadassignments"), Some("load_assignment"));
        assert_eq!(near("tpye"), Some("type"));
        assert_eq!(near("policy"), Some("lb_policy"));
        assert_eq!(near("something"), None);
        assert_eq!(near(""), None);
    }

    #[test]
    fn distances() {
        for (a, b, expected) in [
            ("", "", 0),
            ("", "ab", 2),
            ("abc", "acb", 1),
            ("kitten", "sitting", 3),
        ] {
            assert_eq!(distance(a, b), expected, "{a} {b}");
            assert_eq!(distance(b, a), expected, "{b} {a}");
        }
    }
}
