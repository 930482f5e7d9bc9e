//! The choice of isolation or availability, for `adopt` and `export`.

use clap::ValueEnum;
use spillgate_config::isolation::ListFallback;

/// What serves requests without a host of the filter's list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Fallback {
    /// No host: the request gets 503.
    Isolation,
    /// Any host of the cluster.
    Availability,
}

impl Fallback {
    /// The same choice for the writer.
    pub(crate) const fn of_list(self) -> ListFallback {
        match self {
            Self::Isolation => ListFallback::Isolation,
            Self::Availability => ListFallback::Availability,
        }
    }
}
