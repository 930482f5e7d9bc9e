//! The compiled `affinity` configuration.

use alloc::borrow::ToOwned;

use spillgate_config::filter::{Accepted, AffinityConfig, AffinityFallback, Carrier, LostSession};
use spillgate_core::{
    affinity::Life,
    route::{SessionStateKind, StatefulSession, StatefulSessionCookie},
    snapshot::Snapshot,
};

use super::{HostDirectory, refusal::Refusal};
use crate::port::TokenOutcome;

/// The compiled `affinity` configuration.
pub(crate) struct SessionPolicy {
    pub(super) config: AffinityConfig,
    /// The lifetime of tokens, in seconds.
    pub(super) life: Life,
    /// Envoy's own session tokens, if `accept` includes them.
    pub(super) envoys: Option<StatefulSession>,
    /// The response to a request whose session is lost; `None` if sessions may move.
    refusal: Option<Refusal>,
}

impl SessionPolicy {
    /// Compiles a configuration.
    pub(crate) fn new(config: AffinityConfig) -> Self {
        let max = config.max_life.as_secs();
        let ttl = match &config.carrier {
            Carrier::Cookie(cookie) => cookie.ttl.as_secs(),
            // A header has no expiry that the client could see.
            Carrier::Header(_) | Carrier::Envelope(_) => 0,
        };
        let accepts = |form| config.accept.contains(&form);
        let envoys = match &config.carrier {
            Carrier::Cookie(cookie) if accepts(Accepted::EnvoyCookie) => {
                Some(SessionStateKind::Cookie(StatefulSessionCookie {
                    name: cookie.cookie.name().to_owned(),
                    ..StatefulSessionCookie::default()
                }))
            }
            Carrier::Header(name) if accepts(Accepted::EnvoyHeader) => {
                Some(SessionStateKind::Header(name.clone()))
            }
            _ => None,
        };
        Self {
            life: Life { ttl, max },
            envoys: envoys.map(|carrier| StatefulSession {
                carrier,
                strict: false,
                status_not_found: StatefulSession::UNAVAILABLE,
            }),
            refusal: Refusal::new(&config),
            config,
        }
    }

    /// The ids of a snapshot's hosts.
    pub(crate) fn directory(&self, snapshot: &Snapshot) -> HostDirectory {
        HostDirectory::new(snapshot, &self.config.keys)
    }

    /// The ids of the hosts of `new`, of which `directory` has those of `old`.
    pub(crate) fn updated_directory(
        &self,
        directory: &HostDirectory,
        old: &Snapshot,
        new: &Snapshot,
    ) -> HostDirectory {
        directory.updated(old, new, &self.config.keys)
    }

    /// The name of the token header; `None` for cookies.
    pub(crate) fn header(&self) -> Option<&str> {
        match &self.config.carrier {
            Carrier::Cookie(_) => None,
            Carrier::Header(name) | Carrier::Envelope(name) => Some(name),
        }
    }

    /// The share of all session decisions above which new sessions avoid a host, in percent.
    pub(crate) const fn max_share(&self) -> Option<u32> {
        self.config.max_share
    }

    /// Whether a limit counts in windows of time.
    pub(crate) const fn has_windows(&self) -> bool {
        self.config.max_share.is_some() || self.config.max_requests_per_token.is_some()
    }

    /// Whether a session may leave a host that has too many sessions. Not if a lost session is
    /// refused: the client would lose its state on the host.
    pub(crate) const fn may_leave(&self) -> bool {
        self.config.max_share.is_some() && matches!(self.config.on_lost, LostSession::Rebalance)
    }

    /// The response to a request whose session is lost; `None` if sessions may move.
    pub(crate) const fn refusal(&self) -> Option<&Refusal> {
        self.refusal.as_ref()
    }

    /// The response to a request with a refused envelope: the upstream host keeps a session whose
    /// id cannot be restored.
    pub(crate) fn refusal_of(&self, outcome: TokenOutcome) -> Option<&Refusal> {
        let refused = matches!(outcome, TokenOutcome::Refused(_));
        self.refusal().filter(|_| self.is_envelope() && refused)
    }

    /// Whether tokens are sealed together with the upstream hosts' own session ids.
    pub(super) const fn is_envelope(&self) -> bool {
        matches!(self.config.carrier, Carrier::Envelope(_))
    }

    /// Whether rendezvous hashing chooses the hosts of new and moving sessions.
    pub(super) fn is_rendezvous(&self) -> bool {
        self.config.fallback == AffinityFallback::Rendezvous
    }
}
