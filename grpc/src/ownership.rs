//! The hosts that sessions may name, and who holds the connection of each (A75).
//!
//! A connection belongs to the child policy as long as that wants it. When the child lets go of
//! one that sessions still use, or a session asks for a host that the child never connected, this
//! policy holds it, until nobody has used it for the idle timeout.
//!
//! Better than gRPC 1.85 in two ways. The sweep keeps its due time over updates, where there each
//! update begins the least wait anew, so that frequent ones keep every connection forever. And a
//! request that waits for a connection counts as its use, and one that is being made is not swept,
//! where there the sweep can take it away and leave the request to its deadline.

use alloc::{collections::BTreeMap, string::String, vec::Vec};

use crate::Connectivity;
use spillgate_core::model::{HealthStatus, OverrideStatuses};

/// No sweep comes sooner after another, in ms.
pub const LEAST_WAIT_MS: u64 = 5_000;

/// What an unset `override_host_status` means to gRPC. Envoy counts DEGRADED too.
pub const DEFAULT_STATUSES: OverrideStatuses = OverrideStatuses::EMPTY
    .with(HealthStatus::Unknown)
    .with(HealthStatus::Healthy);

/// What gRPC makes of a configured `override_host_status`: UNKNOWN, HEALTHY and DRAINING are
/// kept, the others dropped without a word.
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

/// An endpoint as EDS gives it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GrpcEndpoint {
    /// Its addresses, `ip:port` or `[ip]:port`, the preferred one first (A61).
    pub addresses: Vec<String>,
    /// Its status.
    pub health: HealthStatus,
}

/// Who holds a connection.
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

/// A connection, made or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Subchannel {
    /// Who holds it.
    pub owner: Owner,
    /// Its state.
    pub state: Connectivity,
}

/// An address that sessions may name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AddressEntry {
    /// The status of its endpoint.
    pub health: HealthStatus,
    /// This address and then the others of its endpoint, comma-separated: what the cookie says.
    pub address_list: String,
    /// Its connection.
    pub subchannel: Option<Subchannel>,
    /// When a session used it last, in ms.
    pub last_used: Option<u64>,
}

/// What became of a connection that the child let go of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Released {
    /// A session used it lately: the policy holds it now.
    Adopted,
    /// Nobody needs it; it is closed.
    Closed,
    /// The child did not hold it, so nothing changes.
    NotHeld,
}

/// The addresses of a cluster and their connections. Times are milliseconds of any one clock and
/// never go back.
#[derive(Debug, Clone)]
pub struct OverrideHosts {
    pub(super) statuses: OverrideStatuses,
    idle_timeout_ms: u64,
    pub(super) entries: BTreeMap<String, AddressEntry>,
    /// Before this no sweep comes.
    earliest: Option<u64>,
    due: Option<u64>,
}

impl OverrideHosts {
    /// No hosts yet. `configured` is `override_host_status` ([`DEFAULT_STATUSES`] where it is
    /// unset), of which only the [`known_statuses`] count.
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

    /// Every address that sessions may name, in order of its text.
    pub fn entries(&self) -> impl Iterator<Item = (&str, &AddressEntry)> {
        self.entries
            .iter()
            .map(|(address, e)| (address.as_str(), e))
    }

    /// The entry of an address; only the very text counts.
    #[must_use]
    pub fn entry(&self, address: &str) -> Option<&AddressEntry> {
        self.entries.get(address)
    }

    /// When the next sweep is due.
    #[must_use]
    pub const fn due(&self) -> Option<u64> {
        self.due
    }

    /// Another idle timeout. When the next sweep comes follows it with the next [`Self::update`].
    pub const fn set_idle_timeout(&mut self, idle_timeout_ms: u64) {
        self.idle_timeout_ms = idle_timeout_ms;
    }

    /// Takes over what EDS says. Addresses that are gone lose their connection at once; those that
    /// the policy held are returned, for closing.
    ///
    /// Endpoints that are UNHEALTHY, TIMEOUT or DEGRADED do not exist for gRPC, and DRAINING ones
    /// only where that is an override status. Of two endpoints with one address the first counts.
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

    /// The child makes a connection, or takes over the one that the policy holds.
    pub fn child_created(&mut self, address: &str) {
        if let Some(entry) = self.entries.get_mut(address) {
            let held = entry.subchannel.map(|subchannel| subchannel.state);
            entry.subchannel = Some(Subchannel {
                owner: Owner::Child,
                state: held.unwrap_or(Connectivity::Idle),
            });
        }
    }

    /// The child lets go of a connection.
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

    /// A session asks for a host without a connection: the policy makes one, which is IDLE. Waiting
    /// requests pick again then. `false`: the address is gone, or has a connection by now.
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

    /// A connection reports its state. Waiting requests pick again then.
    pub fn set_state(&mut self, address: &str, state: Connectivity) {
        let entry = self.entries.get_mut(address);
        if let Some(subchannel) = entry.and_then(|entry| entry.subchannel.as_mut()) {
            subchannel.state = state;
        }
    }

    /// A session uses a host. Requests without a session do not count.
    pub fn used(&mut self, now: u64, address: &str) {
        if let Some(entry) = self.entries.get_mut(address) {
            entry.last_used = Some(now);
        }
    }

    /// Closes what the policy holds and nobody has used for the idle timeout. To be called when it
    /// is [`Self::due`]; returns what was closed, and requests that wait pick again if that is any.
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

    /// The next sweep comes when the first entry becomes idle, and not before the least wait since
    /// the last sweep is over. That wait does not begin anew with an update.
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

    /// From when on it counts as idle; what was never used always does.
    fn idle_at(&self, idle_timeout_ms: u64) -> u64 {
        self.last_used
            .map_or(0, |used| used.saturating_add(idle_timeout_ms))
    }
}

/// Whether gRPC knows of endpoints of this status at all.
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
