//! Why clusters are not a valid scenario, and the limits on their sizes.

use alloc::{string::String, vec::Vec};
use core::fmt;

/// The maximum number of hosts of a scenario. It also bounds the memory that a hostile link can use.
pub const MAXIMUM_HOSTS: usize = 20_000;

/// The maximum number of ring and Maglev entries of all priorities, about one second of work.
pub const MAXIMUM_TABLE_ENTRIES: u64 = 16_000_000;

/// Why clusters are not a valid scenario.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ScenarioError {
    /// No cluster.
    Empty,
    /// Invalid names or aggregates, with the errors of the engine.
    Model(Vec<String>),
    /// More than [`MAXIMUM_HOSTS`] hosts.
    TooManyHosts(usize),
    /// More than [`MAXIMUM_TABLE_ENTRIES`] entries.
    TablesTooLarge(u64),
    /// The index of the shown cluster is invalid.
    NoSuchCluster,
    /// The shown cluster is ORIGINAL_DST, whose requests name their hosts.
    OriginalDst,
}

impl fmt::Display for ScenarioError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("no cluster"),
            Self::Model(errors) => f.write_str(&errors.join("; ")),
            Self::TooManyHosts(hosts) => write!(
                f,
                "{hosts} hosts; the playground supports at most {MAXIMUM_HOSTS}"
            ),
            Self::TablesTooLarge(entries) => write!(
                f,
                "the hash tables need {entries} entries; the playground supports at most \
                 {MAXIMUM_TABLE_ENTRIES}"
            ),
            Self::NoSuchCluster => f.write_str("unknown cluster to show"),
            Self::OriginalDst => f.write_str(
                "the cluster to show is ORIGINAL_DST: its requests name their hosts, so it has no \
                 shares",
            ),
        }
    }
}
