//! `affinity`: sessions that stay on their host, by a sealed token that the client keeps.

pub(super) mod accept;
pub(super) mod carrier;
pub(super) mod cookie;
pub(super) mod keys;
pub(super) mod lost;
pub(super) mod read;
mod seconds;

pub use accept::Accepted;
pub use carrier::Carrier;
pub use cookie::{CacheControl, CookieConfig};
pub use keys::KeySecret;
pub(super) use keys::{read_keys, read_secrets};
pub use lost::LostSession;
pub(super) use read::{AFFINITY, read_affinity};

use alloc::{string::String, vec::Vec};
use core::time::Duration;

use spillgate_core::{affinity::KeyRing, model::OverrideStatuses};

/// How sessions are kept (`affinity`).
#[derive(Debug, Clone)]
pub struct Affinity {
    /// Where the token travels (`affinity.cookie`, `affinity.header` or `affinity.envelope`).
    pub carrier: Carrier,
    /// The keys (`affinity.keys`): the first one seals, all open.
    pub keys: KeyRing,
    /// What tokens are bound to (`affinity.scope`): this name, or the request's authority where
    /// there is none.
    pub scope: Option<String>,
    /// How long a session lives at most, from its first token on (`affinity.max_life`); whole
    /// seconds, at least one.
    pub max_life: Duration,
    /// Tokens of an earlier epoch are worth nothing (`affinity.epoch`).
    pub epoch: u16,
    /// Which states of a host keep a session (`affinity.override_host_status`); at least one.
    pub statuses: OverrideStatuses,
    /// What becomes of a session whose host cannot serve (`affinity.on_lost`).
    pub on_lost: LostSession,
    /// Who chooses the host of a session that begins with a key or moves (`affinity.fallback`).
    pub fallback: AffinityFallback,
    /// The part of all sessions, in percent, that one host may get before new ones avoid it
    /// (`affinity.max_share`); 1 to 100.
    pub max_share: Option<u32>,
    /// The forms of other proxies that are honoured too (`affinity.accept`); each travels as the
    /// token does.
    pub accept: Vec<Accepted>,
}

/// Who chooses the host of a session that begins with a key or moves.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum AffinityFallback {
    /// Rendezvous hashing, so that every replica chooses alike.
    #[default]
    Rendezvous,
    /// The cluster's own policy.
    Policy,
}
