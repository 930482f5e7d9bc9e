//! `affinity`: sessions that stay on their host, by a sealed token that the client stores.

pub(super) mod accept;
pub(super) mod carrier;
pub(super) mod cookie;
mod key_list;
pub(super) mod keys;
pub(super) mod lost;
pub(super) mod read;
mod seconds;
pub(super) mod uses;
mod variable;

pub use accept::Accepted;
pub use carrier::Carrier;
pub use cookie::{CacheControl, CookieConfig};
pub(super) use key_list::{KEY_LIST, read_secret_list, under_keys};
pub use keys::KeySecret;
pub(super) use keys::{read_keys, read_secrets};
pub use lost::LostSession;
pub(super) use read::{AFFINITY, AffinityReading, read_affinity};
pub use variable::{KeyLookup, VariableKeys};
pub(super) use variable::{ReadKeys, read_key_source};

use alloc::{string::String, vec::Vec};
use core::time::Duration;

use spillgate_core::{
    affinity::{KeyRing, UseLimit},
    model::OverrideStatuses,
};

/// Session settings (`affinity`).
#[derive(Debug, Clone)]
pub struct AffinityConfig {
    /// The carrier of the token (`affinity.cookie`, `affinity.header` or `affinity.envelope`).
    pub carrier: Carrier,
    /// The keys (`affinity.keys` or `affinity.keys_from_env`): the first one seals, all open.
    pub keys: KeyRing,
    /// The token scope (`affinity.scope`): this name, or the request's authority if `None`.
    pub scope: Option<String>,
    /// Maximum lifetime of a session since its first token (`affinity.max_life`); whole seconds, at
    /// least one.
    pub max_life: Duration,
    /// Tokens of an earlier epoch are revoked (`affinity.epoch`).
    pub epoch: u16,
    /// The host statuses that keep a session (`affinity.override_host_status`); at least one.
    pub statuses: OverrideStatuses,
    /// The handling of a session whose host cannot serve (`affinity.on_lost`).
    pub on_lost: LostSession,
    /// The policy for new and moved sessions (`affinity.fallback`).
    pub fallback: AffinityFallback,
    /// The share of session decisions, in percent, above which new sessions avoid a host, and by a
    /// margin above which kept sessions leave it (`affinity.max_share`); 1 to 100.
    pub max_share: Option<u32>,
    /// How often one token may be used (`affinity.max_requests_per_token`).
    pub max_requests_per_token: Option<UseLimit>,
    /// Accepted forms of other proxies (`affinity.accept`), in the same carrier as the token.
    pub accept: Vec<Accepted>,
}

/// The policy for new and moved sessions.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum AffinityFallback {
    /// Rendezvous hashing, so that all replicas choose the same host.
    #[default]
    Rendezvous,
    /// The cluster's own policy.
    Policy,
}
