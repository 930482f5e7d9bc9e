//! Prices of traffic between zones: `cross-zone=0.01`, `cross-region=0.02`, `a->b=0.05`.

use alloc::{string::String, vec::Vec};

use super::{FleetZone, amounts::amount, zone::unknown};
use spillgate_core::model::Locality;

use crate::fault::{Piece, SpecFault};

/// The price of a GB (10^9 bytes) between some zones.
#[derive(Debug, Clone, PartialEq)]
pub struct TrafficPrice {
    between: Between,
    /// The price of a GB.
    pub per_gb: f64,
}

/// The traffic that has the price.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Between {
    /// From a zone to another one.
    Zones,
    /// From a region to another one.
    Regions,
    /// From this zone to that one, requests and responses.
    Pair(String, String),
}

impl TrafficPrice {
    /// Reads `cross-zone=0.01`, `cross-region=0.02` or `a->b=0.05`, separated by commas, for zones of these
    /// localities. Prices are per GB.
    ///
    /// # Errors
    /// All faults of the text.
    pub fn parse(text: &str, known: &[Locality]) -> Result<Vec<Self>, Vec<SpecFault>> {
        let (mut prices, mut faults) = (Vec::new(), Vec::new());
        for part in Piece::whole(text).split(',') {
            match read(part.trimmed(), known) {
                Ok(price) => prices.push(price),
                Err(found) => faults.extend(found),
            }
        }
        if faults.is_empty() {
            Ok(prices)
        } else {
            Err(faults)
        }
    }

    /// The price of a GB from one zone to another: of this pair, of other regions, of other zones, in this
    /// order; of equal ones the last. `None` without a price.
    #[must_use]
    pub fn of(prices: &[Self], from: &FleetZone, to: &FleetZone) -> Option<f64> {
        let price = |is: &dyn Fn(&Between) -> bool| {
            let mut prices = prices.iter().rev();
            prices
                .find(|price| is(&price.between))
                .map(|price| price.per_gb)
        };
        let pair = price(&|of| match of {
            Between::Pair(a, b) => from.is_named(a) && to.is_named(b),
            _ => false,
        });
        let region = || {
            let other = from.region != to.region;
            other
                .then(|| price(&|of| *of == Between::Regions))
                .flatten()
        };
        pair.or_else(region)
            .or_else(|| price(&|of| *of == Between::Zones))
    }
}

fn read(text: Piece<'_>, known: &[Locality]) -> Result<TrafficPrice, Vec<SpecFault>> {
    let Some((what, value)) = text.rsplit_once('=') else {
        let expected = "cross-zone=PRICE, cross-region=PRICE or A->B=PRICE, per GB";
        let fault = SpecFault::new("fleet/price", text, "not a price", expected);
        return Err([fault].into());
    };
    let what = what.trimmed();
    let mut faults = Vec::new();
    let between = match (what.text, what.text.split_once("->")) {
        ("cross-zone", _) => Some(Between::Zones),
        ("cross-region", _) => Some(Between::Regions),
        (_, Some((from, to))) => {
            let after = what.before + from.chars().count() + 2;
            let pieces = [
                Piece { text: from, ..what },
                Piece {
                    text: to,
                    before: after,
                },
            ];
            for zone in pieces.map(Piece::trimmed) {
                if !known.iter().any(|of| FleetZone::of(of).is_named(zone.text)) {
                    faults.push(unknown(zone, known));
                }
            }
            Some(Between::Pair(from.trim().into(), to.trim().into()))
        }
        _ => {
            let fault = SpecFault::new("fleet/price", what, "unknown traffic", "");
            faults.push(fault.one_of(["cross-zone", "cross-region", "A->B"]));
            None
        }
    };
    match (between, amount(value.trimmed(), "")) {
        (Some(between), Ok(per_gb)) if faults.is_empty() => Ok(TrafficPrice { between, per_gb }),
        (_, price) => {
            faults.extend(price.err());
            Err(faults)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known() -> [Locality; 2] {
        [("eu", "a"), ("us", "b")].map(|(region, zone)| Locality {
            region: region.into(),
            zone: zone.into(),
            sub_zone: String::new(),
        })
    }

    #[test]
    fn the_most_specific_price_counts() {
        let prices = TrafficPrice::parse("a->b=5, cross-zone=1,cross-region=2", &known()).unwrap();
        let [a, b] = known().map(|of| FleetZone::of(&of));
        let near = FleetZone {
            region: "eu".into(),
            zone: "c".into(),
        };
        assert_eq!(TrafficPrice::of(&prices, &a, &b), Some(5.0));
        assert_eq!(TrafficPrice::of(&prices, &b, &a), Some(2.0));
        assert_eq!(TrafficPrice::of(&prices, &a, &near), Some(1.0));
        assert_eq!(TrafficPrice::of(&[], &a, &b), None);
    }

    #[test]
    fn faults_have_columns() {
        let faults = TrafficPrice::parse("x=1, a->c=-1,0.5", &known()).unwrap_err();
        let places: Vec<_> = faults.iter().map(|of| (of.column, of.message)).collect();
        assert_eq!(
            places,
            [
                (1, "unknown traffic"),
                (9, "unknown zone"),
                (11, "not an amount"),
                (14, "not a price")
            ]
        );
    }
}
