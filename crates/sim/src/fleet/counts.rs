//! The number of callers in each locality: of `a=40,b=10`, or counted one by one.

use alloc::{string::String, vec::Vec};

use spillgate_core::{decimal, model::Locality};

use super::{amounts::parts, zone::locality};
use crate::fault::{Piece, SpecFault};

/// The largest number of proxies: more are a typing error, and take memory in the local cluster.
pub const MOST_CALLERS: u64 = 10_000_000;

/// The number of callers in each locality, in the order in which these were found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CallerCounts {
    found: Vec<(Locality, u64)>,
}

impl CallerCounts {
    /// Reads `a=40,eu/b=10`, for zones of these localities. A later entry replaces an earlier one.
    ///
    /// # Errors
    /// All zones that name no locality or several, and all numbers that are not whole, below 0 or above
    /// [`MOST_CALLERS`].
    ///
    /// # Examples
    /// ```
    /// use spillgate_sim::fleet::CallerCounts;
    ///
    /// let counts = CallerCounts::parse("eu/a/=40, eu/b/=10", &[]).unwrap();
    /// assert_eq!(counts.all()[1].1, 10);
    /// assert!(CallerCounts::parse("eu/a/=0.5", &[]).is_err());
    /// ```
    pub fn parse(text: &str, known: &[Locality]) -> Result<Self, Vec<SpecFault>> {
        let mut read = Self::default();
        let mut faults = Vec::new();
        for (zone, value) in parts(Piece::whole(text)) {
            let Some(zone) = zone else {
                faults.push(not_a_number(value, "ZONE=N".into()));
                continue;
            };
            match (locality(zone, known), count(value)) {
                (Ok(locality), Ok(count)) => read.set(locality, count),
                (locality, count) => {
                    faults.extend(locality.err());
                    faults.extend(count.err());
                }
            }
        }
        if faults.is_empty() {
            Ok(read)
        } else {
            Err(faults)
        }
    }

    /// Adds callers in a locality.
    pub fn add(&mut self, locality: &Locality, callers: u64) {
        match self.found.iter_mut().find(|(known, _)| known == locality) {
            Some((_, known)) => *known = known.saturating_add(callers),
            None => self.found.push((locality.clone(), callers)),
        }
    }

    /// The same numbers in the order of the localities.
    #[must_use]
    pub fn sorted(mut self) -> Self {
        self.found.sort();
        self
    }

    /// The localities with their numbers.
    #[must_use]
    pub fn all(&self) -> &[(Locality, u64)] {
        &self.found
    }

    /// Replaces the number of callers in a locality.
    fn set(&mut self, locality: Locality, callers: u64) {
        match self.found.iter_mut().find(|(known, _)| *known == locality) {
            Some((_, known)) => *known = callers,
            None => self.found.push((locality, callers)),
        }
    }
}

fn count(text: Piece<'_>) -> Result<u64, SpecFault> {
    let number = decimal::parse(text.text);
    let whole = |of: &f64| *of >= 0.0 && of % 1.0 == 0.0 && *of <= MOST_CALLERS as f64;
    let number = number.filter(whole).map(|of| of as u64);
    let expected = || alloc::format!("a whole number from 0 to {MOST_CALLERS}");
    number.ok_or_else(|| not_a_number(text, expected()))
}

fn not_a_number(text: Piece<'_>, expected: String) -> SpecFault {
    SpecFault::new("fleet/amount", text, "not a number of callers", expected)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(zone: &str) -> Locality {
        Locality {
            region: "eu".into(),
            zone: zone.into(),
            sub_zone: String::new(),
        }
    }

    #[test]
    fn a_later_number_replaces_an_earlier_one() {
        let known = [of("a"), of("b")];
        let read = CallerCounts::parse("b=1, a = 2 ,eu/b=3", &known).unwrap();
        assert_eq!(read.all(), [(of("b"), 3), (of("a"), 2)]);
    }

    #[test]
    fn counted_callers_are_added() {
        let mut counts = CallerCounts::default();
        for (zone, callers) in [("b", 1), ("a", 2), ("b", 3)] {
            counts.add(&of(zone), callers);
        }
        assert_eq!(counts.all(), [(of("b"), 4), (of("a"), 2)]);
    }

    #[test]
    fn all_faults_have_columns() {
        let faults = CallerCounts::parse("x=1,a=-1, b,a=1.5,c=10000001", &[of("a")]).unwrap_err();
        let faults: Vec<_> = faults.iter().map(|of| (of.column, of.message)).collect();
        let number = "not a number of callers";
        let all = [
            (1, "unknown zone"),
            (7, number),
            (11, number),
            (15, number),
            (19, "unknown zone"),
            (21, number),
        ];
        assert_eq!(faults, all);
    }
}
