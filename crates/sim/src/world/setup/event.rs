//! Events in a simulated world, apart from requests.

use alloc::vec::Vec;

use spillgate_core::model::{HealthStatus, Metadata};

/// Milliseconds.
pub type Millis = u64;

/// An event. Hosts and gateways are numbered from 0.
#[derive(Debug, Clone, PartialEq)]
pub enum WorldEvent {
    /// Hosts change their status.
    Status(Vec<usize>, HealthStatus),
    /// Hosts drain, and vanish after this time.
    Drain(Vec<usize>, Millis),
    /// Hosts are removed.
    Vanish(Vec<usize>),
    /// Hosts are added, healthy. Present hosts do not change.
    Appear(Vec<usize>),
    /// Hosts change their priority.
    Priority(Vec<usize>, usize),
    /// Hosts change their metadata.
    Metadata(Vec<usize>, Metadata),
    /// A gateway receives an incomplete update, in which these hosts are missing. The complete one
    /// follows like any other update.
    Partial(usize, Vec<usize>),
    /// Token keys change.
    Keys(KeyChange),
    /// A gateway reads its configuration again.
    Reload(usize),
    /// A gateway restarts: it loses its state, and has the true state of the hosts immediately.
    Restart(usize),
    /// A gateway, or all gateways, require this epoch of tokens.
    Epoch(Option<usize>, u16),
    /// The clock of a gateway, or of all gateways, gets this offset from the true time:
    /// milliseconds, positive if it is ahead.
    Clock(Option<usize>, i64),
}

/// A step of a key rotation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyChange {
    /// A key is added at the end: it opens tokens.
    Add(u8),
    /// A key moves to the front: it seals tokens.
    Promote(u8),
    /// A key is removed.
    Drop(u8),
    /// A complete rotation: a new key is added everywhere, then promoted everywhere, and the other
    /// keys are dropped when all their tokens have expired. No effect during another rotation.
    Rotate,
}
