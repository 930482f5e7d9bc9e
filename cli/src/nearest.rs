//! The name that was probably meant.

use strsim::damerau_levenshtein;

/// The candidate that is most like `name`, if any is like it at all. The earlier one of equals.
pub(crate) fn nearest<'n>(
    name: &str,
    candidates: impl IntoIterator<Item = &'n str>,
) -> Option<&'n str> {
    let most = (name.chars().count() / 3).max(2);
    candidates
        .into_iter()
        .map(|candidate| (damerau_levenshtein(name, candidate), candidate))
        .filter(|(distance, candidate)| *distance <= most && *distance < candidate.chars().count())
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typing_errors_are_seen_through() {
        let names = ["primary", "secondary", "c1"];
        assert_eq!(nearest("primray", names), Some("primary"));
        assert_eq!(nearest("c2", names), Some("c1"));
        assert_eq!(nearest("elsewhere", names), None);
        assert_eq!(nearest("x", []), None);
    }
}
