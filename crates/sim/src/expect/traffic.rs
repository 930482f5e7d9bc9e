//! Expectations on zone-to-zone traffic: `zone(a)->zone(b) <= 20`.

use alloc::{string::String, vec, vec::Vec};

use super::{Checked, Comparison, parse};
use crate::fault::{Piece, SpecFault};

/// A condition on the share of the requests of one zone that another zone gets.
#[derive(Debug, Clone, PartialEq)]
pub struct TrafficExpectation {
    /// The text.
    pub text: String,
    /// The zone of the proxies.
    pub from: String,
    /// The zone of the hosts.
    pub to: String,
    comparison: Comparison,
    /// The share in percent.
    number: f64,
}

impl TrafficExpectation {
    /// Reads `zone(a)->zone(b) <= 20`; `None` for a text of another form.
    ///
    /// # Errors
    /// All faults of the text.
    ///
    /// # Examples
    /// ```
    /// use spillgate_sim::TrafficExpectation;
    ///
    /// let read = TrafficExpectation::parse("zone(a)->zone(b) <= 20").unwrap().unwrap();
    /// assert_eq!((read.from.as_str(), read.to.as_str()), ("a", "b"));
    /// assert!(read.check(20.0).ok);
    /// assert!(TrafficExpectation::parse("no 503").is_none());
    /// ```
    #[must_use]
    pub fn parse(text: &str) -> Option<Result<Self, Vec<SpecFault>>> {
        let whole = Piece::whole(text).trimmed();
        let rest = whole.after("zone")?.trimmed().after("(")?;
        Some(read(text, whole, rest))
    }

    /// The same expectation for proxies in the zone: `share(zone=b) <= 20`.
    #[must_use]
    pub fn share_of_hosts(&self) -> String {
        let mut signs = parse::COMPARISONS.iter();
        let sign = signs.find(|(_, comparison)| *comparison == self.comparison);
        let sign = sign.map_or("=", |(sign, _)| sign);
        let hosts = match self.to.split_once('/') {
            Some((region, zone)) => alloc::format!("region={region},zone={zone}"),
            None => alloc::format!("zone={}", self.to),
        };
        alloc::format!("share({hosts}) {sign} {}", self.number)
    }

    /// The result for a share in percent.
    #[must_use]
    pub fn check(&self, share: f64) -> Checked {
        Checked {
            ok: self.comparison.holds(share, self.number),
            value: Some(share),
        }
    }
}

fn read(
    text: &str,
    whole: Piece<'_>,
    rest: Piece<'_>,
) -> Result<TrafficExpectation, Vec<SpecFault>> {
    let fault = |at: Piece<'_>, message| {
        let expected = "zone(A)->zone(B) and a comparison, such as zone(a)->zone(b) <= 20";
        vec![SpecFault::new("what-if/expectation", at, message, expected)]
    };
    let parts = rest.split_once(')').and_then(|(from, rest)| {
        let rest = rest.trimmed().after("->")?.trimmed().after("zone")?;
        let (to, rest) = rest.trimmed().after("(")?.split_once(')')?;
        Some((from.trimmed(), to.trimmed(), rest.trimmed()))
    });
    let Some((from, to, rest)) = parts else {
        return Err(fault(whole, "invalid expectation"));
    };
    let mut signs = parse::COMPARISONS.iter();
    let found = signs.find_map(|(sign, comparison)| Some((rest.after(sign)?, *comparison)));
    let Some((number, comparison)) = found else {
        return Err(fault(rest, "missing comparison"));
    };
    Ok(TrafficExpectation {
        text: text.trim().into(),
        from: from.text.into(),
        to: to.text.into(),
        comparison,
        number: parse::number(number.trimmed()).map_err(|fault| vec![fault])?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blanks_and_all_comparisons_are_read() {
        for (sign, below, equal, above) in [
            ("<", true, false, false),
            ("<=", true, true, false),
            ("=", false, true, false),
            ("==", false, true, false),
            (">=", false, true, true),
            (">", false, false, true),
        ] {
            let text = alloc::format!(" zone ( a ) -> zone(eu/b) {sign} 20 % ");
            let read = TrafficExpectation::parse(&text).unwrap().unwrap();
            assert_eq!((read.from.as_str(), read.to.as_str()), ("a", "eu/b"));
            // Shares are sums of fractions, so a tiny difference does not count.
            for (value, ok) in [
                (19.9, below),
                (20.0 - 1e-10, equal),
                (20.0, equal),
                (20.0 + 1e-10, equal),
                (20.1, above),
            ] {
                assert_eq!(read.check(value).ok, ok, "{value} {sign} 20");
            }
        }
    }

    #[test]
    fn faults_have_columns() {
        let fault = |text| {
            let faults = TrafficExpectation::parse(text).unwrap().unwrap_err();
            (faults[0].column, faults[0].message)
        };
        assert_eq!(fault("zone(a) <= 2"), (1, "invalid expectation"));
        assert_eq!(fault("zone(a)->zone(b)"), (17, "missing comparison"));
        assert_eq!(fault("zone(a)->zone(b) < x"), (20, "not a number"));
    }
}
