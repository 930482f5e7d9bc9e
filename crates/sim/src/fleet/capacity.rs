//! The capacity of hosts: `200rps`, `a=200rps`, `subset.size=large:400rps`.

use alloc::{string::String, vec, vec::Vec};

use super::{
    FleetZone,
    amounts::{amount, parts},
};
use crate::{
    Selector,
    fault::{Piece, SpecFault},
    loss::{Term, What},
};

/// The requests per second that each of some hosts can take.
#[derive(Debug, Clone, PartialEq)]
pub struct CapacityRule {
    /// The hosts; `None` for all.
    pub selector: Option<Selector>,
    /// The capacity of each, in requests per second.
    pub rps: f64,
}

impl CapacityRule {
    /// Reads `200rps`, `ZONE=200rps`, `REGION/ZONE=200rps` or `SELECTOR:200rps`; several are separated by commas unless the
    /// text has a selector. The unit may be missing.
    ///
    /// # Errors
    /// All faults of the text.
    ///
    /// # Examples
    /// ```
    /// use spillgate_sim::fleet::CapacityRule;
    ///
    /// let rules = CapacityRule::parse("200rps, b=300").unwrap();
    /// assert_eq!((rules[0].rps, rules[1].rps), (200.0, 300.0));
    /// assert!(CapacityRule::parse("zone=a,subset.size=large:400rps").unwrap()[0].selector.is_some());
    /// assert!(CapacityRule::parse("-1rps").is_err());
    /// ```
    pub fn parse(text: &str) -> Result<Vec<Self>, Vec<SpecFault>> {
        let whole = Piece::whole(text).trimmed();
        if let Some((selector, value)) = whole.rsplit_once(':') {
            return match (Selector::read(selector), capacity(value.trimmed())) {
                (Ok(selector), Ok(rps)) => Ok(vec![Self {
                    selector: Some(selector),
                    rps,
                }]),
                (selector, rps) => {
                    let mut faults = selector.err().unwrap_or_default();
                    faults.extend(rps.err());
                    Err(faults)
                }
            };
        }
        let (mut rules, mut faults) = (Vec::new(), Vec::new());
        for (zone, value) in parts(whole) {
            let selector = zone.map(of_zone);
            match capacity(value) {
                Ok(rps) => rules.push(Self { selector, rps }),
                Err(fault) => faults.push(fault),
            }
        }
        if faults.is_empty() {
            Ok(rules)
        } else {
            Err(faults)
        }
    }

    /// The faults of a text of [`CapacityRule::parse`] that names a zone which several of these zones of hosts have:
    /// which of them is meant is not known. A selector applies to all of them.
    #[must_use]
    pub fn ambiguous(text: &str, zones: &[FleetZone]) -> Vec<SpecFault> {
        let whole = Piece::whole(text).trimmed();
        if whole.text.contains(':') {
            return Vec::new();
        }
        let named = parts(whole).filter_map(|(zone, _)| zone);
        named.filter_map(|zone| several(zone, zones)).collect()
    }
}

/// The fault of a name that several zones have.
fn several(name: Piece<'_>, zones: &[FleetZone]) -> Option<SpecFault> {
    let fitting = zones.iter().filter(|zone| zone.is_named(name.text));
    let fitting: Vec<String> = fitting.map(|zone| zone.name_among(zones)).collect();
    if fitting.len() < 2 {
        return None;
    }
    let message = "more than one region has this zone";
    let fault = SpecFault::new("fleet/unknown-zone", name, message, "a zone");
    Some(fault.one_of(fitting.iter().map(String::as_str)))
}

/// The hosts of `ZONE`, `REGION/ZONE` or `REGION/ZONE/SUB_ZONE`.
fn of_zone(zone: Piece<'_>) -> Selector {
    let term = |what, of: Piece<'_>| Term {
        what,
        value: of.text.into(),
        before: of.before,
    };
    let terms = match zone.split_once('/') {
        None => vec![term(What::Zone, zone)],
        Some((_, rest)) if rest.text.contains('/') => vec![term(What::Locality, zone)],
        Some((region, rest)) => vec![term(What::Region, region), term(What::Zone, rest)],
    };
    Selector { terms }
}

/// A host without capacity would have no utilization.
fn capacity(text: Piece<'_>) -> Result<f64, SpecFault> {
    let rps = amount(text, "rps")?;
    if rps > 0.0 {
        Ok(rps)
    } else {
        let message = "a capacity of 0";
        Err(SpecFault::new(
            "fleet/amount",
            text,
            message,
            "a number above 0",
        ))
    }
}
