//! The zones of a fleet, and the localities that texts name.

use alloc::{collections::BTreeSet, format, string::String, sync::Arc, vec, vec::Vec};

use spillgate_core::model::{Cluster, Locality};

use crate::fault::{Piece, SpecFault};

/// A zone with hosts or callers.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct FleetZone {
    /// Its region; may be empty.
    pub region: String,
    /// Its name; empty for hosts without a zone.
    pub zone: String,
}

impl FleetZone {
    pub(super) fn of(locality: &Locality) -> Self {
        Self {
            region: locality.region.clone(),
            zone: locality.zone.clone(),
        }
    }

    /// Whether a text names it: `zone`, or `region/zone`.
    pub(super) fn is_named(&self, text: &str) -> bool {
        match text.split_once('/') {
            Some((region, zone)) => self.region == region && self.zone == zone,
            None => self.zone == text,
        }
    }

    /// Its name, with the region if another of these zones has the same name.
    pub(super) fn name_among(&self, zones: &[Self]) -> String {
        let same = zones.iter().filter(|other| other.zone == self.zone);
        if self.zone.is_empty() {
            "no zone".into()
        } else if same.count() > 1 {
            format!("{}/{}", self.region, self.zone)
        } else {
            self.zone.clone()
        }
    }
}

/// The locality of the proxies of a mesh zone by its name: `zone`, or `region/zone`.
#[must_use]
pub fn locality_of_zone(name: &str) -> Locality {
    let (region, zone) = name.split_once('/').unwrap_or(("", name));
    Locality {
        region: region.into(),
        zone: zone.into(),
        sub_zone: String::new(),
    }
}

/// The localities that have hosts of these clusters, in order, each once.
#[must_use]
pub fn host_localities<'c>(clusters: impl IntoIterator<Item = &'c Arc<Cluster>>) -> Vec<Locality> {
    let mut found = BTreeSet::new();
    let clusters = clusters.into_iter();
    for priority in clusters.flat_map(|cluster| cluster.priorities()) {
        let used: BTreeSet<usize> = priority.endpoints.iter().map(|of| of.locality).collect();
        let used = used.into_iter();
        let used = used.filter_map(|at| priority.localities.get(at));
        found.extend(used.map(|of| of.locality.clone()));
    }
    found.into_iter().collect()
}

/// The locality of callers that a text names: `ZONE` or `REGION/ZONE` of one known locality, or
/// `REGION/ZONE/SUB_ZONE`, which needs no host.
///
/// # Errors
/// If no known locality, or more than one, has this name.
pub fn named_locality(text: &str, known: &[Locality]) -> Result<Locality, SpecFault> {
    locality(Piece::whole(text), known)
}

pub(super) fn locality(text: Piece<'_>, known: &[Locality]) -> Result<Locality, SpecFault> {
    let parts: Vec<&str> = text.text.split('/').collect();
    if let [region, zone, sub_zone] = parts.as_slice() {
        return Ok(Locality {
            region: (*region).into(),
            zone: (*zone).into(),
            sub_zone: (*sub_zone).into(),
        });
    }
    let mut found: Vec<&Locality> = vec![];
    for of in known.iter().filter(|of| is_named(of, text.text)) {
        if !found.contains(&of) {
            found.push(of);
        }
    }
    match found.as_slice() {
        [only] => Ok((*only).clone()),
        [] => {
            let mut fault = unknown(text, known);
            fault
                .expected
                .push_str(", or REGION/ZONE/SUB_ZONE of a zone without hosts");
            Err(fault)
        }
        several => {
            let message = "more than one locality has this zone";
            let fault = SpecFault::new("fleet/unknown-zone", text, message, "");
            let full: Vec<String> = several.iter().map(|of| full_name(of)).collect();
            Err(fault.one_of(full.iter().map(String::as_str)))
        }
    }
}

/// Whether a text names the locality: by its zone, or by a longer part of it.
pub(super) fn is_named(of: &Locality, text: &str) -> bool {
    let parts: Vec<&str> = text.split('/').collect();
    match parts.as_slice() {
        [zone] => of.zone == *zone,
        [region, zone] => of.region == *region && of.zone == *zone,
        [region, zone, sub_zone] => {
            of.region == *region && of.zone == *zone && of.sub_zone == *sub_zone
        }
        _ => false,
    }
}

/// The fault of a zone that none of these localities has.
pub(super) fn unknown(text: Piece<'_>, known: &[Locality]) -> SpecFault {
    let fault = SpecFault::new(
        "fleet/unknown-zone",
        text,
        "unknown zone",
        "a zone of a host",
    );
    let names = known.iter().map(|of| of.zone.as_str());
    fault.one_of(names.filter(|name| !name.is_empty()))
}

fn full_name(of: &Locality) -> String {
    format!("{}/{}/{}", of.region, of.zone, of.sub_zone)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known() -> Vec<Locality> {
        let of = |region: &str, zone: &str, sub_zone: &str| Locality {
            region: region.into(),
            zone: zone.into(),
            sub_zone: sub_zone.into(),
        };
        vec![
            of("eu", "a", ""),
            of("eu", "b", "x"),
            of("us", "b", ""),
            of("eu", "a", ""),
        ]
    }

    #[test]
    fn a_zone_with_one_locality_is_enough() {
        let found = |text| named_locality(text, &known()).map(|of| full_name(&of));
        assert_eq!(found("a").unwrap(), "eu/a/");
        assert_eq!(found("eu/b").unwrap(), "eu/b/x");
        assert_eq!(
            found("eu/edge/").unwrap(),
            "eu/edge/",
            "a zone without hosts"
        );
        assert_eq!(found("b").unwrap_err().expected, "one of eu/b/x, us/b/");
        assert!(found("c").unwrap_err().expected.starts_with("one of a, b"));
    }
}
