//! The log of a run.

use super::{RequestOutcome, TokenSource, WorldEvent, WorldHost};

/// An entry in the log of a run.
#[derive(Debug, Clone, PartialEq)]
pub enum LogEntry {
    /// An event happened.
    Event(WorldEvent),
    /// A host, by its number, has a new state.
    Host(usize, WorldHost),
    /// A request was answered. Clients, gateways and hosts are numbered from 0.
    Request {
        /// The client that sent it.
        client: usize,
        /// The gateway that answered it.
        gateway: usize,
        /// The source of its token.
        token: TokenSource,
        /// Its outcome.
        outcome: RequestOutcome,
        /// The chosen host.
        host: Option<usize>,
    },
}
