//! `affinity`: sessions that stay on their host, by a sealed token that the client keeps.

mod carrier;
mod keys;
mod read;

pub(crate) use carrier::{CACHE_CONTROLS, SAME_SITES};
pub(super) use carrier::{COOKIE, NAMED};
pub use carrier::{CacheControl, Carrier, CookieConfig, SameSite};
pub(super) use keys::KEY;
pub(crate) use read::{ACCEPTED, FALLBACKS};
pub(super) use read::{AFFINITY, ON_LOST, read_affinity};

use alloc::{string::String, vec::Vec};
use core::time::Duration;

use spillgate_core::{affinity::KeyRing, model::OverrideStatuses};

/// How sessions are kept (`affinity`).
#[derive(Debug)]
pub struct Affinity {
    /// Where the token travels (`affinity.cookie`, `affinity.header` or `affinity.envelope`).
    pub carrier: Carrier,
    /// The keys (`affinity.keys`): the first one seals, all open.
    pub keys: KeyRing,
    /// What tokens are bound to (`affinity.scope`): this name, or the request's authority where
    /// there is none.
    pub scope: Option<String>,
    /// How long a session lives at most, from its first token on (`affinity.max_life`).
    pub max_life: Duration,
    /// Tokens of another epoch are worth nothing (`affinity.epoch`).
    pub epoch: u16,
    /// Which states of a host keep a session (`affinity.override_host_status`).
    pub statuses: OverrideStatuses,
    /// What becomes of a session whose host cannot serve (`affinity.on_lost`).
    pub on_lost: LostSession,
    /// Who chooses the host of a session that begins with a key or moves (`affinity.fallback`).
    pub fallback: Fallback,
    /// The part of all sessions, in percent, that one host may get before new ones avoid it
    /// (`affinity.max_share`); 1 to 100.
    pub max_share: Option<u32>,
    /// The forms of other proxies that are honoured too (`affinity.accept`).
    pub accept: Vec<Accepted>,
}

/// What becomes of a session whose host cannot serve.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LostSession {
    /// It moves, and gets a new token.
    Rebalance,
    /// The client is answered with this status, which tells it to begin anew.
    Refuse {
        /// The status, 400 to 599.
        status: u32,
        /// What `retry-after` says, in whole seconds.
        retry_after: Option<u64>,
    },
}

/// Who chooses the host of a session that begins with a key or moves.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Fallback {
    /// Rendezvous hashing, so that every replica chooses alike.
    #[default]
    Rendezvous,
    /// The cluster's own policy.
    Policy,
}

/// A form of another proxy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Accepted {
    /// The cookie of Envoy's `stateful_session`.
    EnvoyCookie,
    /// The header of Envoy's `stateful_session`.
    EnvoyHeader,
    /// The cookie of gRPC (gRFC A60).
    GrpcCookie,
}
