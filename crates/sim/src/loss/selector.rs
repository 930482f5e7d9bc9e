//! Host selectors: terms that must all match.

use alloc::{string::String, vec::Vec};
use core::fmt;

use crate::fault::{Piece, SpecFault};

/// Terms that must all match, such as `zone=a,priority=0`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Selector {
    pub(crate) terms: Vec<Term>,
}

/// One term of a selector.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Term {
    pub(crate) what: What,
    /// The value in text form.
    pub(crate) value: String,
    /// The number of characters before the value.
    pub(crate) before: usize,
}

/// The property that a term compares.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum What {
    Zone,
    Region,
    SubZone,
    Locality,
    Priority,
    Cluster,
    Host,
    /// The value of a key in `envoy.lb` metadata.
    Subset(String),
}

/// The fixed keys.
const KEYS: [(&str, What); 7] = [
    ("zone", What::Zone),
    ("region", What::Region),
    ("sub_zone", What::SubZone),
    ("locality", What::Locality),
    ("priority", What::Priority),
    ("cluster", What::Cluster),
    ("host", What::Host),
];

impl Selector {
    /// Reads terms, separated by commas: `zone=`, `region=`, `sub_zone=`, `locality=r/z/s`,
    /// `priority=`, `cluster=`, `host=ip:port`, `subset.key=`.
    ///
    /// # Errors
    /// All faults of the text.
    pub fn parse(text: &str) -> Result<Self, Vec<SpecFault>> {
        Self::read(Piece::whole(text))
    }

    /// As [`Selector::parse`], of a part of a text.
    ///
    /// # Errors
    /// All faults of the part.
    pub fn read(piece: Piece<'_>) -> Result<Self, Vec<SpecFault>> {
        let (mut terms, mut faults) = (Vec::new(), Vec::new());
        for term in piece.split(',') {
            match Term::read(term.trimmed()) {
                Ok(term) => terms.push(term),
                Err(fault) => faults.push(fault),
            }
        }
        if faults.is_empty() {
            Ok(Self { terms })
        } else {
            Err(faults)
        }
    }

    /// The hosts of one zone.
    #[must_use]
    pub fn zone(zone: &str) -> Self {
        Self::of(What::Zone, zone)
    }

    /// The hosts of one priority.
    #[must_use]
    pub fn priority(priority: usize) -> Self {
        Self::of(What::Priority, &alloc::format!("{priority}"))
    }

    /// The terms of both selectors.
    #[must_use]
    pub fn and(mut self, other: Self) -> Self {
        self.terms.extend(other.terms);
        self
    }

    /// The hosts of one region.
    #[must_use]
    pub fn region(region: &str) -> Self {
        Self::of(What::Region, region)
    }

    /// The hosts of one cluster.
    #[must_use]
    pub fn cluster(cluster: &str) -> Self {
        Self::of(What::Cluster, cluster)
    }

    fn of(what: What, value: &str) -> Self {
        let value = value.into();
        let term = Term {
            what,
            value,
            before: 0,
        };
        Self {
            terms: [term].into(),
        }
    }
}

impl Term {
    fn read(piece: Piece<'_>) -> Result<Self, SpecFault> {
        const EXPECTED: &str = "KEY=VALUE such as zone=a, priority=0 or subset.stage=prod";
        let fault = |at, message| SpecFault::new("what-if/selector", at, message, EXPECTED);
        let Some((key, value)) = piece.split_once('=') else {
            return Err(fault(piece, "not a KEY=VALUE term"));
        };
        let (key, value) = (key.trimmed(), value.trimmed());
        let what = match key.after("subset.") {
            Some(subset) if !subset.text.is_empty() => What::Subset(subset.text.into()),
            _ => match KEYS.iter().find(|(name, _)| *name == key.text) {
                Some((_, what)) => what.clone(),
                None => {
                    let names = KEYS.iter().map(|(name, _)| *name).chain(["subset.KEY"]);
                    return Err(fault(key, "unknown selector key").one_of(names));
                }
            },
        };
        if what == What::Priority && value.text.parse::<usize>().is_err() {
            return Err(SpecFault::new(
                "what-if/selector",
                value,
                "invalid priority",
                "a whole number from 0",
            ));
        }
        Ok(Self {
            what,
            value: value.text.into(),
            before: value.before,
        })
    }

    pub(crate) fn key(&self) -> String {
        match &self.what {
            What::Subset(key) => alloc::format!("subset.{key}"),
            what => {
                let known = KEYS.iter().find(|(_, of)| of == what);
                known.map_or(String::new(), |(name, _)| (*name).into())
            }
        }
    }
}

impl fmt::Display for Selector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, term) in self.terms.iter().enumerate() {
            let comma = if at > 0 { "," } else { "" };
            write!(f, "{comma}{}={}", term.key(), term.value)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString as _;

    use super::*;

    #[test]
    fn selectors_are_read_and_written() {
        let all = "zone=a,region=r,sub_zone=s,locality=r/a/s,priority=0,cluster=c,\
                   host=[::1]:80,subset.stage=prod";
        assert_eq!(Selector::parse(all).unwrap().to_string(), all);
        let spaced = Selector::parse(" zone = a , priority=1 ").unwrap();
        assert_eq!(spaced.to_string(), "zone=a,priority=1");
        assert_eq!(
            Selector::zone("a").and(Selector::priority(1)).to_string(),
            "zone=a,priority=1"
        );
    }

    #[test]
    fn every_fault_has_its_column() {
        let faults = Selector::parse("zon=a,priority=x,b").unwrap_err();
        let places: Vec<(usize, &str)> = faults
            .iter()
            .map(|fault| (fault.column, fault.found.as_str()))
            .collect();
        assert_eq!(places, [(1, "\"zon\""), (16, "\"x\""), (18, "\"b\"")]);
        assert!(faults[0].choices.iter().any(|choice| choice == "zone"));
    }
}
