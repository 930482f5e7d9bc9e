//! Callers: the proxies of a fleet, grouped by what decides their shares.

use alloc::{string::String, vec::Vec};

use spillgate_core::model::{Locality, Model};

/// The configuration of some callers, and where their requests go.
#[derive(Debug, Clone)]
pub struct CallerConfig {
    /// The configuration.
    pub model: Model,
    /// The clusters that get their requests.
    pub targets: Vec<CallerTarget>,
}

/// A cluster that gets a part of the requests of a caller.
#[derive(Debug, Clone, PartialEq)]
pub struct CallerTarget {
    /// The name of the cluster. The requests to an unknown one find no host.
    pub cluster: String,
    /// The part of [`CallerClass::rps`], from 0; 1 for all of them.
    pub part: f64,
}

impl CallerTarget {
    /// A cluster that gets all requests of [`CallerClass::rps`].
    #[must_use]
    pub fn all(cluster: &str) -> Self {
        Self {
            cluster: cluster.into(),
            part: 1.0,
        }
    }
}

/// Proxies with the same zone, configuration and health view.
#[derive(Debug, Clone, PartialEq)]
pub struct CallerClass {
    /// The index of their configuration in [`Fleet::configs`](super::Fleet::configs).
    pub config: usize,
    /// Their own locality (`node.locality`).
    pub locality: Locality,
    /// The number of proxies.
    pub callers: u64,
    /// The requests per second that each of them sends to a target with all requests.
    pub rps: f64,
    /// The bytes of one request and its response; `None` if not known.
    pub bytes: Option<f64>,
}

impl CallerClass {
    /// The requests per second of all its proxies to a target with all requests.
    #[must_use]
    pub fn requests(&self) -> f64 {
        self.callers as f64 * self.rps
    }
}

/// What is in the local cluster, by which zone-aware routing compares the zones.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum LocalClusterHosts {
    /// Its configured hosts.
    #[default]
    AsConfigured,
    /// One healthy host for each caller.
    Callers,
}

/// What the callers of a lost zone do.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum LostCallers {
    /// Only its hosts fail; its callers send as before.
    #[default]
    Stay,
    /// Its callers fail with it, and their requests are gone.
    Fail,
    /// Its callers fail with it, and the callers of the other zones get their requests, in proportion to
    /// their own.
    Move,
}

impl LostCallers {
    /// The name in options and in JSON: `stay`, `fail` or `move`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Stay => "stay",
            Self::Fail => "fail",
            Self::Move => "move",
        }
    }
}
