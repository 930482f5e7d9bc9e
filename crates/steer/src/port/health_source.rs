//! Access to live health: data that workers share, and calls to an admin interface.

use alloc::vec::Vec;
use core::time::Duration;

use super::Plugin;

/// The number that the host environment assigns to a call.
pub type CallId = u32;

/// A plugin whose environment can reach Envoy's admin interface. The default methods are for an
/// environment that cannot, because it learns about hosts in another way.
pub trait HealthPort: Plugin {
    /// The value that workers share under a key; `None` if it does not exist.
    fn shared(&self, key: &str) -> Option<SharedValue> {
        let _ = key;
        None
    }

    /// Shares a value with all workers, in place of the value of this revision. `None` replaces
    /// every value.
    fn share(&self, key: &str, value: &[u8], revision: Option<u32>) -> ShareOutcome {
        let _ = (key, value, revision);
        ShareOutcome::Refused
    }

    /// Sends a GET request through a cluster of Envoy. Returns `None` if the cluster is unknown or
    /// has no host.
    fn get(&self, cluster: &str, path: &str, timeout: Duration) -> Option<CallId> {
        let _ = (cluster, path, timeout);
        None
    }

    /// Requests a tick at this interval; environments may round it to milliseconds.
    fn tick_every(&self, period: Duration) {
        let _ = period;
    }
}

/// A value that workers share.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SharedValue {
    /// The value.
    pub bytes: Vec<u8>,
    /// Differs after every write to its key; never 0.
    pub revision: u32,
}

/// The outcome of sharing a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ShareOutcome {
    /// The value was stored.
    Stored,
    /// Another worker has replaced the expected revision; nothing was stored.
    Conflict,
    /// The environment refused the call; nothing was stored.
    Refused,
}

/// The response to a call.
#[derive(Clone, Copy)]
pub struct AdminResponse<'a> {
    /// The call.
    pub call: CallId,
    /// The HTTP status as text; `None` if the call failed or timed out.
    pub status: Option<&'a [u8]>,
    /// The body.
    pub body: &'a dyn AdminBody,
}

/// The body of a response. It can be large, so that it is read part by part.
pub trait AdminBody {
    /// Its size in bytes.
    fn size(&self) -> usize;

    /// At most that many bytes from this offset; empty if the environment no longer has them.
    fn window(&self, offset: usize, most: usize) -> Vec<u8>;
}

impl AdminBody for Vec<u8> {
    fn size(&self) -> usize {
        self.len()
    }

    fn window(&self, offset: usize, most: usize) -> Vec<u8> {
        let rest = self.get(offset..).unwrap_or_default();
        rest.get(..most).unwrap_or(rest).to_vec()
    }
}
