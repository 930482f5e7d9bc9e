//! What is done at a moment, for those who watch.

use super::{Brings, Happening, Seen};

/// What was done at a moment, for those who watch.
#[derive(Debug, Clone, PartialEq)]
pub enum Moment {
    /// Something happened.
    Happened(Happening),
    /// A request was answered. Clients, gateways and hosts are numbers, from 0.
    Visit {
        /// Who made it.
        client: usize,
        /// Who answered it.
        gateway: usize,
        /// What it brought.
        brings: Brings,
        /// What became of it.
        seen: Seen,
        /// The host that it got.
        host: Option<usize>,
    },
}
