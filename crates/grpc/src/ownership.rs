//! The hosts that sessions can name, and the owner of each connection (A75).
//!
//! The child policy owns a connection while it needs it. If the child releases a connection that
//! sessions still use, or a session names a host without a connection, this policy owns it until the
//! idle timeout has passed without a use.
//!
//! Two differences from gRPC 1.85. First, an update does not postpone the sweep; in gRPC each update
//! restarts the minimum wait, so frequent updates keep all connections open. Second, waiting for a
//! connection counts as a use, and a sweep does not close a connection that is being established; in
//! gRPC the sweep can close it, and the request then waits until its deadline.

use alloc::{collections::BTreeMap, string::String, vec::Vec};

use crate::Connectivity;
use spillgate_core::model::{HealthStatus, OverrideStatuses};

/// The minimum time between two sweeps, in ms.
pub const LEAST_WAIT_MS: u64 = 5_000;

/// The default of `override_host_status` in gRPC. Envoy adds DEGRADED.
pub const DEFAULT_STATUSES: OverrideStatuses = OverrideStatuses::EMPTY
    .with(HealthStatus::Unknown)
    .with(HealthStatus::Healthy);

/// The statuses of a configured `override_host_status` that gRPC uses: UNKNOWN, HEALTHY and DRAINING.
/// gRPC silently ignores the others.
#[must_use]
pub fn known_statuses(configured: OverrideStatuses) -> OverrideStatuses {
    [
        HealthStatus::Unknown,
        HealthStatus::Healthy,
        HealthStatus::Draining,
    ]
    .into_iter()
    .filter(|status| configured.contains(*status))
    .collect()
}

/// An endpoint of EDS.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GrpcEndpoint {
    /// Its addresses, `ip:port` or `[ip]:port`, the preferred one first (A61).
    pub addresses: Vec<String>,
    /// Its status.
    pub health: HealthStatus,
}

/// The owner of a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Owner {
    /// The child policy.
    Child,
    /// The session policy.
    Policy,
}

impl Owner {
    /// A stable name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Child => "child",
            Self::Policy => "policy",
        }
    }
}

/// A connection in any state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Subchannel {
    /// Its owner.
    pub owner: Owner,
    /// Its state.
    pub state: Connectivity,
}

/// An address that sessions can name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AddressEntry {
    /// The status of its endpoint.
    pub health: HealthStatus,
    /// The address list of the cookie: this address, then the others of its endpoint, comma-separated.
    pub address_list: String,
    /// Its connection.
    pub subchannel: Option<Subchannel>,
    /// The time of the last use by a session, in ms.
    pub last_used: Option<u64>,
}

/// The result of releasing a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Released {
    /// A session used it recently: this policy owns it now.
    Adopted,
    /// It is unused and closed.
    Closed,
    /// The child did not own it; nothing changes.
    NotHeld,
}

/// The addresses of a cluster and their connections. Times are milliseconds of a monotonic clock.
#[derive(Debug, Clone)]
pub struct OverrideHosts {
    pub(super) statuses: OverrideStatuses,
    idle_timeout_ms: u64,
    pub(super) entries: BTreeMap<String, AddressEntry>,
    /// The earliest time of the next sweep.
    earliest: Option<u64>,
    due: Option<u64>,
}

impl OverrideHosts {
    /// Without hosts. `configured` is `override_host_status` ([`DEFAULT_STATUSES`] if unset), of which
    /// only the [`known_statuses`] have an effect.
    #[must_use]
    pub fn new(configured: OverrideStatuses, idle_timeout_ms: u64) -> Self {
        Self {
            statuses: known_statuses(configured),
            idle_timeout_ms,
            entries: BTreeMap::new(),
            earliest: None,
            due: None,
        }
    }

    /// Every address that sessions can name, in alphabetical order.
    pub fn entries(&self) -> impl Iterator<Item = (&str, &AddressEntry)> {
        self.entries
            .iter()
            .map(|(address, e)| (address.as_str(), e))
    }

    /// The entry of an address, compared as text.
    #[must_use]
    pub fn entry(&self, address: &str) -> Option<&AddressEntry> {
        self.entries.get(address)
    }

    /// The time of the next sweep.
    #[must_use]
    pub const fn due(&self) -> Option<u64> {
        self.due
    }

    /// Sets the idle timeout. The next [`Self::update`] adapts the time of the next sweep.
    pub const fn set_idle_timeout(&mut self, idle_timeout_ms: u64) {
        self.idle_timeout_ms = idle_timeout_ms;
    }

    /// Updates the endpoints from EDS. Removed addresses lose their connection at once. Returns the
    /// connections that this policy owned and the caller must close.
    ///
    /// gRPC ignores endpoints that are UNHEALTHY, TIMEOUT or DEGRADED, and DRAINING ones unless that is
    /// an override status. If two endpoints have the same address, the first one is used.
    pub fn update(&mut self, now: u64, endpoints: &[GrpcEndpoint]) -> Vec<String> {
        let statuses = self.statuses;
        let mut before = core::mem::take(&mut self.entries);
        for endpoint in endpoints.iter().filter(|e| exists(e.health, statuses)) {
            for address in &endpoint.addresses {
                if self.entries.contains_key(address) {
                    continue;
                }
                let known = before.remove(address);
                let entry = AddressEntry {
                    health: endpoint.health,
                    address_list: address_list(address, &endpoint.addresses),
                    subchannel: known.as_ref().and_then(|entry| entry.subchannel),
                    last_used: known.and_then(|entry| entry.last_used),
                };
                self.entries.insert(address.clone(), entry);
            }
        }
        let earliest = now.saturating_add(LEAST_WAIT_MS);
        self.earliest.get_or_insert(earliest);
        self.arm(now);
        before.retain(|_, entry| entry.is_held_by(Owner::Policy));
        before.into_keys().collect()
    }

    /// The child creates a connection, or takes over one that this policy owns.
    pub fn child_created(&mut self, address: &str) {
        if let Some(entry) = self.entries.get_mut(address) {
            let held = entry.subchannel.map(|subchannel| subchannel.state);
            entry.subchannel = Some(Subchannel {
                owner: Owner::Child,
                state: held.unwrap_or(Connectivity::Idle),
            });
        }
    }

    /// The child releases a connection.
    pub fn child_released(&mut self, now: u64, address: &str) -> Released {
        let idle_timeout = self.idle_timeout_ms;
        let entry = self.entries.get_mut(address);
        let Some(entry) = entry.filter(|entry| entry.is_held_by(Owner::Child)) else {
            return Released::NotHeld;
        };
        match (&mut entry.subchannel, entry.last_used) {
            (Some(subchannel), Some(used)) if used.saturating_add(idle_timeout) >= now => {
                subchannel.owner = Owner::Policy;
                Released::Adopted
            }
            _ => {
                entry.subchannel = None;
                Released::Closed
            }
        }
    }

    /// Creates a connection, in state IDLE, for a session that names a host without one. Waiting
    /// requests then pick again. Returns `false` if the address is gone or has a connection already.
    pub fn create(&mut self, now: u64, address: &str) -> bool {
        match self.entries.get_mut(address) {
            Some(entry) if entry.subchannel.is_none() => {
                entry.subchannel = Some(Subchannel {
                    owner: Owner::Policy,
                    state: Connectivity::Idle,
                });
                entry.last_used = Some(now);
                true
            }
            _ => false,
        }
    }

    /// Sets the state of a connection. Waiting requests then pick again.
    pub fn set_state(&mut self, address: &str, state: Connectivity) {
        let entry = self.entries.get_mut(address);
        if let Some(subchannel) = entry.and_then(|entry| entry.subchannel.as_mut()) {
            subchannel.state = state;
        }
    }

    /// Records that a session uses a host. Requests without a session do not count.
    pub fn used(&mut self, now: u64, address: &str) {
        if let Some(entry) = self.entries.get_mut(address) {
            entry.last_used = Some(now);
        }
    }

    /// Closes the connections that this policy owns and that were unused for the idle timeout. Call it
    /// when it is [`Self::due`]. Returns the closed addresses; if there are any, waiting requests pick
    /// again.
    pub fn sweep(&mut self, now: u64) -> Vec<String> {
        let mut dropped = Vec::new();
        for (address, entry) in &mut self.entries {
            let over = entry.idle_at(self.idle_timeout_ms) <= now;
            let connecting = entry
                .subchannel
                .is_some_and(|subchannel| subchannel.state == Connectivity::Connecting);
            if entry.is_held_by(Owner::Policy) && over && !connecting {
                entry.subchannel = None;
                dropped.push(address.clone());
            }
        }
        self.earliest = Some(now.saturating_add(LEAST_WAIT_MS));
        self.arm(now);
        if self.entries.is_empty() {
            self.earliest = None;
            self.due = None;
        }
        dropped
    }

    /// The next sweep is due when the first entry becomes idle, but not before the minimum wait since
    /// the last sweep. An update does not restart this wait.
    fn arm(&mut self, now: u64) {
        let idle = self.idle_timeout_ms;
        let waiting = self.entries.values().filter(|entry| {
            entry.last_used.is_some()
                && (entry.idle_at(idle) > now || entry.is_held_by(Owner::Policy))
        });
        let first = waiting.map(|entry| entry.idle_at(idle)).min();
        let latest = now.saturating_add(idle);
        let wanted = first.map_or(latest, |first| first.min(latest));
        self.due = Some(wanted.max(self.earliest.unwrap_or(0)).max(now));
    }
}

impl AddressEntry {
    fn is_held_by(&self, owner: Owner) -> bool {
        self.subchannel
            .is_some_and(|subchannel| subchannel.owner == owner)
    }

    /// The time when it becomes idle; an entry that was never used is always idle.
    fn idle_at(&self, idle_timeout_ms: u64) -> u64 {
        self.last_used
            .map_or(0, |used| used.saturating_add(idle_timeout_ms))
    }
}

/// Whether gRPC uses endpoints with this status.
fn exists(health: HealthStatus, statuses: OverrideStatuses) -> bool {
    match health {
        HealthStatus::Unknown | HealthStatus::Healthy => true,
        HealthStatus::Draining => statuses.contains(health),
        HealthStatus::Unhealthy | HealthStatus::Timeout | HealthStatus::Degraded => false,
    }
}

/// An address, then the others of its endpoint in their order.
fn address_list(address: &str, all: &[String]) -> String {
    let mut list = String::from(address);
    for other in all.iter().filter(|other| *other != address) {
        list.push(',');
        list.push_str(other);
    }
    list
}
