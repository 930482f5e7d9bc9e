//! Losses in text form (`zone=a:40%`).

mod amount;
mod select;
mod selector;

pub use amount::Amount;
pub use selector::Selector;

pub(crate) use select::matching;
pub(crate) use selector::{Term, What};

use alloc::{format, vec::Vec};
use core::net::IpAddr;

use crate::fault::{Piece, SpecFault};

/// A selection of hosts, and how many of them fail.
#[derive(Debug, Clone, PartialEq)]
pub struct Loss {
    /// The selected hosts.
    pub selector: Selector,
    /// How many of them fail, in the order of [`Scene::loss_order`](crate::Scene::loss_order).
    pub amount: Amount,
}

impl Loss {
    /// Reads `SELECTOR:AMOUNT`, such as `zone=a:40%` or `cluster=c1,priority=0:3`.
    ///
    /// # Errors
    /// All faults of the text.
    pub fn parse(text: &str) -> Result<Self, Vec<SpecFault>> {
        let whole = Piece::whole(text).trimmed();
        // Addresses have colons too, so split at the last one.
        let missing = |expected: &str| {
            let fault = SpecFault::new("what-if/amount", whole, "missing amount", expected);
            Err([fault].into())
        };
        let Some((selector, amount)) = whole.rsplit_once(':') else {
            return missing("SELECTOR:AMOUNT such as zone=a:40% or zone=a:3");
        };
        if ends_before_port(selector.text) {
            return missing(&format!("SELECTOR:AMOUNT such as {}:1", whole.text));
        }
        match (Selector::read(selector), Amount::read(amount.trimmed())) {
            (Ok(selector), Ok(amount)) => Ok(Self { selector, amount }),
            (selector, amount) => {
                let mut faults = selector.err().unwrap_or_default();
                faults.extend(amount.err());
                Err(faults)
            }
        }
    }
}

/// Whether a selector ends with the IP address of a host, so that the port follows.
fn ends_before_port(selector: &str) -> bool {
    let last = selector.rsplit(',').next().unwrap_or_default();
    let host = last.trim().strip_prefix("host=").map(str::trim);
    host.is_some_and(|host| {
        let v6 = host
            .strip_prefix('[')
            .and_then(|host| host.strip_suffix(']'));
        v6.unwrap_or(host).parse::<IpAddr>().is_ok()
    })
}

impl core::fmt::Display for Loss {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{}:{}", self.selector, self.amount)
    }
}
