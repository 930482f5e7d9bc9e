//! Times in seconds, with up to three decimals.

/// Milliseconds as seconds: `60 s`, `60.5 s`, `0.125 s`.
#[must_use]
pub(crate) fn seconds(millis: u64) -> String {
    format!("{}\u{a0}s", decimals(millis))
}

/// Thousandths as a number: `60`, `60.5`, `0.125`.
#[must_use]
pub(crate) fn decimals(thousandths: u64) -> String {
    let text = format!("{}.{:03}", thousandths / 1_000, thousandths % 1_000);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// The thousandths of a number; further decimals are cut off. `None` for other texts.
#[must_use]
pub(crate) fn thousandths(text: &str) -> Option<u64> {
    let text = text.trim();
    let (whole, rest) = text.split_once('.').unwrap_or((text, ""));
    if whole.is_empty() || !rest.chars().all(|digit| digit.is_ascii_digit()) {
        return None;
    }
    let decimals: String = rest.chars().chain("000".chars()).take(3).collect();
    let whole: u64 = whole.parse().ok()?;
    whole
        .checked_mul(1_000)?
        .checked_add(decimals.parse().ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_survive_their_text() {
        for (millis, text) in [(0, "0"), (60_000, "60"), (60_500, "60.5"), (125, "0.125")] {
            assert_eq!(decimals(millis), text);
            assert_eq!(thousandths(text), Some(millis));
            assert_eq!(seconds(millis), format!("{text}\u{a0}s"));
        }
        assert_eq!(thousandths("1.23456"), Some(1_234));
        for other in ["", ".", ".5", "-1", "1e3", "1.x", "99999999999999999999"] {
            assert_eq!(thousandths(other), None, "{other}");
        }
    }
}
