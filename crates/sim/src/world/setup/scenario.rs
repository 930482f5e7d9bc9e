//! A scenario: clusters, gateways, clients and events.

use alloc::{string::String, vec::Vec};

use spillgate_core::{affinity::Life, decide::OnLost, model::OverrideStatuses};

use super::{Layout, Millis, Rates, WorldEvent};

/// The input of a run, apart from its seed.
#[derive(Debug, Clone)]
pub struct WorldScenario {
    /// The clusters, hosts and requests.
    pub layout: Layout,
    /// The number of clients; at least 1.
    pub clients: usize,
    /// The number of gateways; at least 1.
    pub gateways: usize,
    /// The longest time until a gateway receives an update of hosts or keys. Updates of hosts can
    /// arrive out of order.
    pub view_delay: Millis,
    /// The mean time between two steps.
    pub every: Millis,
    /// The number of steps of a run.
    pub steps: u32,
    /// The relative rates of the kinds of steps.
    pub rates: Rates,
    /// The events at fixed times, in order of time.
    pub script: Vec<ScriptedEvent>,
    /// The session settings.
    pub sessions: SessionRules,
}

/// An event at a fixed time.
#[derive(Debug, Clone)]
pub struct ScriptedEvent {
    /// The time since the start of the run.
    pub at: Millis,
    /// The event.
    pub event: WorldEvent,
    /// The name of the phase that it starts.
    pub name: String,
}

/// The session settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SessionRules {
    /// The lifetimes of tokens and sessions, in seconds.
    pub life: Life,
    /// The host statuses that keep a session.
    pub statuses: OverrideStatuses,
    /// The handling of a session whose host cannot serve.
    pub on_lost: OnLost,
    /// The choice of the host of a moving session, or of a new one with a request hash.
    pub fallback: WorldFallback,
    /// Whether requests have a hash that differs between clients, so that every gateway starts the
    /// same session for a client without a token. Otherwise such a session is random.
    pub request_hash: bool,
    /// The share of the requests of a gateway, in percent, above which new sessions avoid a host and
    /// kept sessions leave it; 1 to 100. `None`: unlimited.
    pub max_share: Option<u32>,
}

/// The choice of the host of a session whose number is known.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum WorldFallback {
    /// Rendezvous hashing of the session's number: the same on every gateway.
    #[default]
    Rendezvous,
    /// The cluster's own load-balancing policy.
    Policy,
}

impl Default for SessionRules {
    fn default() -> Self {
        Self {
            life: Life {
                ttl: 3_600,
                max: 86_400,
            },
            statuses: OverrideStatuses::DEFAULT,
            on_lost: OnLost::Rebalance,
            fallback: WorldFallback::Rendezvous,
            request_hash: false,
            max_share: None,
        }
    }
}
