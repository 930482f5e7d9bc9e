//! The overload of surviving hosts.

use spillgate_core::{shares::Distribution, snapshot::HostRef};
use spillgate_explain::report::Shares;

/// The host whose load grows most.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Overload {
    /// The host; the first of several.
    pub host: HostRef,
    /// Its share before, in percent of the cluster's requests, above 0.
    pub before: f64,
    /// Its share after, in percent of the cluster's requests.
    pub after: f64,
}

impl Overload {
    /// The ratio of the share after to the share before.
    #[must_use]
    pub fn factor(&self) -> f64 {
        self.after / self.before
    }
}

/// The highest ratio of share after to share before, over the hosts that are not lost. Hosts
/// without a share before have no ratio; `None` if no host has one. `lost` must be sorted.
#[must_use]
pub fn overload(before: &Distribution, after: &Distribution, lost: &[HostRef]) -> Option<Overload> {
    let after = Shares::of(after);
    let mut worst: Option<Overload> = None;
    for share in &before.shares {
        let host = HostRef {
            cluster: share.owner,
            priority: share.priority,
            host: share.host,
        };
        if lost.binary_search(&host).is_ok() {
            continue;
        }
        let found = Overload {
            host,
            before: share.share,
            after: after.get(host),
        };
        // Ratios that differ only by rounding are equal: the first host counts.
        if worst.is_none_or(|worst| found.factor() > worst.factor() * (1.0 + 1e-9)) {
            worst = Some(found);
        }
    }
    worst
}
