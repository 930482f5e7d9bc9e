//! What can happen besides requests.

use alloc::vec::Vec;

use spillgate_core::model::{HealthStatus, Metadata};

/// Milliseconds.
pub type Millis = u64;

/// Something that happens. Hosts and gateways are numbers, from 0.
#[derive(Debug, Clone, PartialEq)]
pub enum Happening {
    /// Hosts change their state.
    Status(Vec<usize>, HealthStatus),
    /// Hosts drain and vanish after this time.
    Drain(Vec<usize>, Millis),
    /// Hosts vanish.
    Vanish(Vec<usize>),
    /// Hosts come, healthy; for those that were there already nothing changes.
    Appear(Vec<usize>),
    /// Hosts change their priority.
    Priority(Vec<usize>, usize),
    /// Hosts change their metadata.
    Metadata(Vec<usize>, Metadata),
    /// Something is done about the keys of tokens.
    Keys(KeyChange),
    /// A gateway reads its configuration anew.
    Reload(usize),
    /// A gateway begins anew: it knows nothing of what was, and learns at once what is.
    Restart(usize),
    /// The clock of a gateway, or of all, is set this much ahead of the true time, or behind it.
    Clock(Option<usize>, i64),
}

/// A step of a key rotation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyChange {
    /// A key comes in at the end: it opens.
    Add(u8),
    /// A key goes to the front: it seals.
    Promote(u8),
    /// A key goes.
    Drop(u8),
    /// All of it in order: a new key is added everywhere, then promoted everywhere, and the others
    /// go when every token that they sealed has ended. While one is under way nothing happens.
    Rotate,
}
