//! The terms of the tables, and the reasons of the simulator in words.

use std::collections::BTreeMap;

use spillgate_codec::import::ReasonCount;

/// The reasons by the names of the simulator, in words.
const REASONS: [(&str, &str); 18] = [
    ("unhealthy", "the host is unhealthy"),
    ("degraded", "the host is degraded"),
    ("draining", "the host drains"),
    ("timeout", "the host timed out"),
    ("gone", "the host was removed"),
    ("other_subset", "the host is in another subset"),
    ("other_cluster", "the host is in another cluster"),
    ("no_host", "no usable host is left"),
    ("malformed", "not a token"),
    (
        "unknown_key",
        "sealed with a key that the gateway does not have",
    ),
    ("forged", "forged or changed"),
    ("expired", "expired"),
    ("too_old", "the session is too old"),
    ("future", "issued in the future"),
    ("scope", "for another scope"),
    ("epoch", "revoked by a new epoch"),
    ("carrier", "for another cookie or header"),
    ("hot", "the host has too many sessions"),
];

/// The reasons with their sums, the most frequent first; `None` without any.
#[must_use]
pub fn reasons<'a>(why: &str, counts: impl Iterator<Item = &'a ReasonCount>) -> Option<String> {
    let mut sums = BTreeMap::<&str, u64>::new();
    for count in counts {
        *sums.entry(&count.reason).or_default() += count.count;
    }
    let mut sums: Vec<(&str, u64)> = sums.into_iter().collect();
    sums.sort_by_key(|(_, count)| u64::MAX - count);
    let words = |reason: &str| {
        let known = REASONS.iter().find(|(name, _)| *name == reason);
        known.map_or_else(|| reason.replace('_', " "), |(_, words)| (*words).into())
    };
    let sums: Vec<String> = sums
        .iter()
        .map(|(reason, count)| format!("{} ({count})", words(reason)))
        .collect();
    (!sums.is_empty()).then(|| format!("{why}: {}.", sums.join(", ")))
}

/// The meaning of a column or of a color.
#[must_use]
pub fn term_text(word: &str) -> &'static str {
    match word {
        "phase" => "The time from one event of the script to the next.",
        "requests" => "All requests of clients with their own token, or without a token.",
        "kept" => "Requests whose session stays on its host.",
        "moved" => "Requests whose session moves to another host.",
        "new" => "Requests without a token: they start a session.",
        "failed" => "Requests that find no host. Clients get a 503.",
        "refused" => {
            "Tokens of clients that a gateway does not accept, for example because they have expired."
        }
        "hostile" => "Requests with a token of another client, or with a forged one.",
        "seed" => "All random choices follow from the seed: the same seed repeats the run exactly.",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_have_words_and_the_most_frequent_is_first() {
        let count = |reason: &str, count| ReasonCount {
            reason: reason.into(),
            count,
        };
        let counts = [
            count("gone", 1),
            count("unhealthy", 3),
            count("gone", 1),
            count("x_y", 1),
        ];
        assert_eq!(
            reasons("Moved", counts.iter()).unwrap(),
            "Moved: the host is unhealthy (3), the host was removed (2), x y (1)."
        );
        assert_eq!(reasons("Moved", [].iter()), None);
    }
}
