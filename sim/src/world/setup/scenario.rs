//! What is simulated: clusters, gateways and clients, and what happens to them.

use alloc::{string::String, vec::Vec};

use spillgate_core::{affinity::Life, decide::OnLost, model::OverrideStatuses};

use super::{Happening, Layout, Millis, Rates};

/// Everything that a run is a function of, beside its seed.
#[derive(Debug, Clone)]
pub struct WorldScenario {
    /// The clusters, hosts and requests.
    pub layout: Layout,
    /// How many clients there are; at least one.
    pub clients: usize,
    /// How many gateways there are; at least one.
    pub gateways: usize,
    /// How late a gateway may hear of a change of hosts or keys; news about a cluster may overtake
    /// each other.
    pub view_delay: Millis,
    /// The mean time between two steps.
    pub every: Millis,
    /// How many steps a run has.
    pub steps: u32,
    /// What a step may be.
    pub rates: Rates,
    /// What happens at certain times, in the order of these times.
    pub script: Vec<Scripted>,
    /// How sessions are kept.
    pub sessions: SessionRules,
}

/// Something that happens at a certain time.
#[derive(Debug, Clone)]
pub struct Scripted {
    /// When, since the beginning.
    pub at: Millis,
    /// What.
    pub what: Happening,
    /// What to call it: the name of the phase that it begins.
    pub name: String,
}

/// How sessions are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SessionRules {
    /// How long tokens and sessions live.
    pub life: Life,
    /// The states of a host that keep a session.
    pub statuses: OverrideStatuses,
    /// What becomes of a session whose host cannot serve.
    pub on_lost: OnLost,
    /// What chooses the host of a session that moves, or that begins by a request hash.
    pub fallback: WorldFallback,
    /// Whether requests have a hash that tells their clients apart, so that every gateway gives a
    /// client without a token the same session. Without it such a session is drawn.
    pub request_hash: bool,
}

/// What chooses the host of a session whose number is known.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum WorldFallback {
    /// Rendezvous hashing of the session's number, the same on every gateway.
    #[default]
    Rendezvous,
    /// The cluster's own policy.
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
        }
    }
}
