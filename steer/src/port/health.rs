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
    fn shared(&self, key: &str) -> Option<Vec<u8>> {
        let _ = key;
        None
    }

    /// Shares a value with all workers. Returns whether it was stored.
    fn share(&self, key: &str, value: &[u8]) -> bool {
        let _ = (key, value);
        false
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

/// The response to a call.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AdminResponse {
    /// The call.
    pub call: CallId,
    /// The HTTP status as text; `None` if the call failed or timed out.
    pub status: Option<Vec<u8>>,
    /// The body.
    pub body: Vec<u8>,
}
