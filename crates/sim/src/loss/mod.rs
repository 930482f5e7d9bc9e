//! Losses in text form (`zone=a:40%`).

mod amount;
mod select;
mod selector;

pub use amount::Amount;
pub use selector::Selector;

pub(crate) use select::matching;
pub(crate) use selector::{Term, What};

use alloc::vec::Vec;

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
        let Some((selector, amount)) = whole.rsplit_once(':') else {
            return Err([SpecFault::new(
                "what-if/amount",
                whole,
                "missing amount",
                "SELECTOR:AMOUNT such as zone=a:40% or zone=a:3",
            )]
            .into());
        };
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

impl core::fmt::Display for Loss {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{}:{}", self.selector, self.amount)
    }
}
