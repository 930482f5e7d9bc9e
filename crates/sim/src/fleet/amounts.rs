//! Amounts by zone: `200`, or `a=100,b=50`.

use alloc::{string::String, vec::Vec};

use spillgate_core::{decimal, model::Locality};

use super::zone::{is_named, unknown};
use crate::fault::{Piece, SpecFault};

/// The most requests per second of a caller: more are a typing error, and their figures would not be exact.
const MOST_REQUESTS: f64 = 1e9;

/// An amount for all zones, or for each named one.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ZoneAmounts {
    all: Option<f64>,
    zones: Vec<(String, f64)>,
}

impl ZoneAmounts {
    /// Reads `200` or `a=100,b=50`, for zones of these localities. A later entry replaces an earlier one.
    ///
    /// # Errors
    /// All unknown zones, and all amounts that are no finite number from 0.
    pub fn parse(text: &str, known: &[Locality]) -> Result<Self, Vec<SpecFault>> {
        Self::read(text, known, |value| amount(value, ""))
    }

    /// Reads the requests per second of a caller in the same form.
    ///
    /// # Errors
    /// All unknown zones, and all amounts that are no number from 0 to 10^9.
    pub fn parse_requests(text: &str, known: &[Locality]) -> Result<Self, Vec<SpecFault>> {
        Self::read(text, known, requests)
    }

    fn read(
        text: &str,
        known: &[Locality],
        amount: impl Fn(Piece<'_>) -> Result<f64, SpecFault>,
    ) -> Result<Self, Vec<SpecFault>> {
        let mut read = Self::default();
        let mut faults = Vec::new();
        for (zone, value) in parts(Piece::whole(text)) {
            if let Some(zone) = zone
                && !known.iter().any(|of| is_named(of, zone.text))
            {
                faults.push(unknown(zone, known));
            }
            match (zone, amount(value)) {
                (Some(zone), Ok(amount)) => read.zones.push((zone.text.into(), amount)),
                (None, Ok(amount)) => read.all = Some(amount),
                (_, Err(fault)) => faults.push(fault),
            }
        }
        if faults.is_empty() {
            Ok(read)
        } else {
            Err(faults)
        }
    }

    /// The amount of a locality: of its zone, or that of all zones.
    #[must_use]
    pub fn of(&self, of: &Locality) -> Option<f64> {
        let mut zones = self.zones.iter().rev();
        let own = zones.find(|(zone, _)| is_named(of, zone));
        own.map(|(_, amount)| *amount).or(self.all)
    }
}

/// The parts of `200,a=100`: the zone, if the part names one, and the amount.
pub(super) fn parts(text: Piece<'_>) -> impl Iterator<Item = (Option<Piece<'_>>, Piece<'_>)> {
    text.split(',').map(|part| match part.rsplit_once('=') {
        Some((zone, value)) => (Some(zone.trimmed()), value.trimmed()),
        None => (None, part.trimmed()),
    })
}

/// A finite number from 0; the unit may follow.
pub(super) fn amount(text: Piece<'_>, unit: &str) -> Result<f64, SpecFault> {
    let number = text.text.strip_suffix(unit).unwrap_or(text.text);
    let value = decimal::parse(number.trim_end());
    let value = value.filter(|value| value.is_finite() && *value >= 0.0);
    value.ok_or_else(|| {
        let message = "not an amount";
        SpecFault::new("fleet/amount", text, message, "a number from 0")
    })
}

/// The requests per second of a caller.
fn requests(text: Piece<'_>) -> Result<f64, SpecFault> {
    let rps = amount(text, "")?;
    if rps <= MOST_REQUESTS {
        Ok(rps)
    } else {
        let message = "too many requests per second of a caller";
        let expected = "a number from 0 to 1000000000";
        Err(SpecFault::new("fleet/amount", text, message, expected))
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use super::*;

    fn known() -> Vec<Locality> {
        let of = |zone: &str| Locality {
            region: "eu".into(),
            zone: zone.into(),
            sub_zone: String::new(),
        };
        vec![of("a"), of("b")]
    }

    #[test]
    fn zones_replace_the_amount_of_all() {
        let read = |text| ZoneAmounts::parse(text, &known()).unwrap();
        let of = |read: &ZoneAmounts| known().iter().map(|of| read.of(of)).collect::<Vec<_>>();
        assert_eq!(of(&read("200")), [Some(200.0), Some(200.0)]);
        assert_eq!(of(&read(" a = 1.5 ")), [Some(1.5), None]);
        assert_eq!(of(&read("7,eu/b=0")), [Some(7.0), Some(0.0)]);
        assert_eq!(of(&read("a=1,a=2,b=3")), [Some(2.0), Some(3.0)]);
    }

    #[test]
    fn all_faults_have_columns() {
        let faults = ZoneAmounts::parse("c=1,a=-2,b=x", &known()).unwrap_err();
        let faults: Vec<_> = faults.iter().map(|of| (of.column, of.message)).collect();
        assert_eq!(
            faults,
            [
                (1, "unknown zone"),
                (7, "not an amount"),
                (12, "not an amount")
            ]
        );
    }

    #[test]
    fn requests_have_a_limit() {
        assert!(ZoneAmounts::parse_requests("1e9,a=0", &known()).is_ok());
        let faults = ZoneAmounts::parse_requests("1,b=1e300", &known()).unwrap_err();
        let places: Vec<_> = faults.iter().map(|of| (of.code, of.column)).collect();
        assert_eq!(places, [("fleet/amount", 5)]);
        assert!(ZoneAmounts::parse("1e300", &known()).is_ok());
    }
}
