//! The locality of endpoints behind the zone egress (`egressLocality` in `locality_aware.go` of Kuma
//! 2.14). Its name changes with the rules, so that Envoy notices a changed policy.

use alloc::{format, string::String, vec::Vec};
use core::fmt::Write as _;

use sha2::{Digest as _, Sha256};
use spillgate_core::proto::Base64;

use super::{
    groups::{ZoneGroup, zone_groups},
    reading::Reading,
    rules::{KumaLocalityRules, TakenZones},
};
use crate::Compat;

/// The name of the egress locality, and the text that it is a hash of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EgressLocality {
    /// `P:z1,z2;` for each rule of type `Only` that applies, `P:Any;` and `P:AnyExcept:z1,z2;` for
    /// the others; `P` is the priority.
    pub hash_text: String,
    /// `egress_` and the first 8 characters of the base64 of the SHA-256 of the text.
    pub zone: String,
}

/// The egress locality for proxies in a zone, as released Kuma names it.
///
/// # Examples
/// ```
/// use spillgate_mesh::kuma::{KumaLocalityRules, egress_locality};
///
/// let none = egress_locality(&KumaLocalityRules::default(), "zone-1");
/// assert_eq!(none.zone, "egress_47DEQpj8");
/// ```
#[must_use]
pub fn egress_locality(rules: &KumaLocalityRules, zone: &str) -> EgressLocality {
    of_groups(&zone_groups(rules, zone, Reading::All(Compat::Kuma)))
}

pub(super) fn of_groups(groups: &[ZoneGroup<'_>]) -> EgressLocality {
    let mut text = String::new();
    for group in groups {
        let (name, zones) = match group.takes {
            TakenZones::None => continue,
            TakenZones::Only(zones) => ("", Some(zones)),
            TakenZones::Any => ("Any", None),
            TakenZones::AnyExcept(zones) => ("AnyExcept:", Some(zones)),
        };
        let zones: Vec<&str> = zones.into_iter().flatten().map(String::as_str).collect();
        // Writing to a text cannot fail.
        let _ = write!(text, "{}:{name}{};", group.priority, zones.join(","));
    }
    let hash = Base64::STANDARD.encode_padded(&Sha256::digest(text.as_bytes()));
    let short: String = hash.chars().take(8).collect();
    EgressLocality {
        zone: format!("egress_{short}"),
        hash_text: text,
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use super::super::{KumaCrossZone, KumaFailover, KumaFailoverTo, KumaLocalityAwareness};
    use super::*;

    fn to(kind: &str, zones: &[&str]) -> KumaFailover {
        KumaFailover {
            from_zones: None,
            to: KumaFailoverTo {
                kind: kind.into(),
                zones: Some(zones.iter().map(|&zone| zone.into()).collect()),
            },
        }
    }

    fn named(failover: Vec<KumaFailover>) -> EgressLocality {
        let locality = KumaLocalityAwareness {
            cross_zone: Some(KumaCrossZone {
                failover: Some(failover),
                failover_threshold: None,
            }),
            ..KumaLocalityAwareness::default()
        };
        egress_locality(&KumaLocalityRules::new(Some(&locality)).unwrap(), "zone-1")
    }

    #[test]
    fn names_are_those_of_released_kuma() {
        let one = named(vec![to("Only", &["zone-2"])]);
        assert_eq!(one.zone, "egress_JXegjD3U");
        let three = named(vec![
            to("AnyExcept", &["zone-5", "zone-3", "zone-4"]),
            to("Only", &["zone-3"]),
            to("Only", &["zone-4"]),
        ]);
        assert_eq!(three.zone, "egress_+9ESnM2K");
    }

    #[test]
    fn a_rule_of_type_none_leaves_a_gap() {
        let found = named(vec![to("None", &[]), to("Any", &[])]);
        assert_eq!(found.hash_text, "2:Any;");
    }
}
