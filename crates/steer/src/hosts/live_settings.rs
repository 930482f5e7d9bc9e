//! The settings of live hosts.

use core::time::Duration;

use spillgate_config::filter::{ActiveRequests, AdminHealth, UnknownHostsPolicy};

/// The settings of live hosts.
pub(crate) struct LiveSettings {
    pub(crate) admin: AdminHealth,
    /// The handling of requests while the hosts are unknown.
    pub(crate) on_unknown: UnknownHostsPolicy,
    /// Whether requests select hosts by their metadata.
    pub(crate) selects_hosts: bool,
    /// How often the metadata of endpoints are polled, without a setting of the poller.
    pub(crate) metadata_interval: Duration,
    /// Whose active requests count.
    pub(crate) active: ActiveRequests,
    /// How often the hosts are refreshed.
    pub(crate) tick: Duration,
}
