//! Localities as texts.

use spillgate_core::model::Locality;

/// The locality of `region/zone/sub-zone`; missing parts are empty. Further parts are dropped.
#[must_use]
pub fn parse_locality(text: &str) -> Locality {
    let mut parts = text.split('/');
    let mut next = || parts.next().unwrap_or_default().into();
    Locality {
        region: next(),
        zone: next(),
        sub_zone: next(),
    }
}

/// Whether a locality matches a rule such as `region/zone/*`. A missing part of the rule matches
/// everything (`LocalityMatch`).
#[must_use]
pub fn locality_matches(locality: &Locality, rule: &str) -> bool {
    let rule = parse_locality(rule);
    let part = |found: &str, rule: &str| rule == "*" || rule == found;
    let optional = |found: &str, rule: &str| rule.is_empty() || part(found, rule);
    part(&locality.region, &rule.region)
        && optional(&locality.zone, &rule.zone)
        && optional(&locality.sub_zone, &rule.sub_zone)
}

/// Whether some locality matches both rules.
pub(super) fn overlap(a: &str, b: &str) -> bool {
    let (a, b) = (parse_locality(a), parse_locality(b));
    let part = |a: &str, b: &str| a == b || a == "*" || b == "*";
    let optional = |a: &str, b: &str| a.is_empty() || b.is_empty() || part(a, b);
    part(&a.region, &b.region) && optional(&a.zone, &b.zone) && optional(&a.sub_zone, &b.sub_zone)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wildcards_and_missing_parts_match() {
        let locality = parse_locality("r/z/s");
        for rule in ["*", "r", "r/*", "r/z", "r/z/*", "r/z/s"] {
            assert!(locality_matches(&locality, rule), "{rule}");
        }
        for rule in ["", "x", "r/x", "r/z/x"] {
            assert!(!locality_matches(&locality, rule), "{rule}");
        }
        assert!(locality_matches(&parse_locality(""), "*"));
        assert!(!locality_matches(&parse_locality("r"), "r/z"));
    }

    #[test]
    fn overlaps_are_symmetric() {
        for (a, b, expected) in [
            ("r/*", "r/z/s", true),
            ("*", "r", true),
            ("r/z", "r/z", true),
            ("r/z", "r/y", false),
            ("r/z/s", "r/z/t", false),
        ] {
            assert_eq!(
                (overlap(a, b), overlap(b, a)),
                (expected, expected),
                "{a} {b}"
            );
        }
    }
}
