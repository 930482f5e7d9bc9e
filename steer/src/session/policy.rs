//! How sessions are kept, and how the session of a request is read.

use alloc::{borrow::ToOwned, string::String, vec::Vec};

use spillgate_config::filter::{Accepted, Affinity, Carrier, Fallback, LostSession};
use spillgate_core::{
    affinity::{Life, OpenedTokens, Refused, Rules},
    model::Metadata,
    route::{Headers, SessionCarrier, SessionCookie, StatefulSession},
    snapshot::Snapshot,
};

use super::{HostDirectory, RequestSession, TokenOutcome, carried::CarriedToken};

/// How sessions are kept.
pub(crate) struct SessionPolicy {
    pub(super) config: Affinity,
    /// How long tokens live, in seconds.
    pub(super) life: Life,
    /// Envoy's own sessions, if the configuration accepts them.
    pub(super) envoys: Option<StatefulSession>,
}

/// What the session of a request is read from.
pub(crate) struct SessionQuery<'a, H> {
    pub(crate) headers: &'a H,
    pub(crate) criteria: &'a Metadata,
    pub(crate) directory: &'a HostDirectory,
    /// The time of the request: seconds since the epoch.
    pub(crate) now: u64,
    /// The request hash.
    pub(crate) hash: Option<u64>,
}

/// The response to a client whose session is lost and must not move.
#[derive(Clone, Copy)]
pub(crate) struct Refusal {
    pub(crate) status: u32,
    /// The value of `retry-after`, in seconds.
    pub(crate) retry_after: Option<u64>,
}

impl SessionPolicy {
    /// Compiles a configuration.
    pub(crate) fn new(config: Affinity) -> Self {
        let max = config.max_life.as_secs();
        let ttl = match &config.carrier {
            Carrier::Cookie(cookie) => cookie.ttl.as_secs(),
            // A client that keeps a header does not learn when it ends.
            Carrier::Header(_) | Carrier::Envelope(_) => 0,
        };
        let accepts = |form| config.accept.contains(&form);
        let envoys = match &config.carrier {
            Carrier::Cookie(cookie) if accepts(Accepted::EnvoyCookie) => {
                Some(SessionCarrier::Cookie(SessionCookie {
                    name: cookie.cookie.name().to_owned(),
                    ..SessionCookie::default()
                }))
            }
            Carrier::Header(name) if accepts(Accepted::EnvoyHeader) => {
                Some(SessionCarrier::Header(name.clone()))
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
            config,
        }
    }

    /// The ids of a snapshot's hosts.
    pub(crate) fn directory(&self, snapshot: &Snapshot) -> HostDirectory {
        HostDirectory::new(snapshot, &self.config.keys)
    }

    /// The name of the header that carries tokens, if one does.
    pub(super) fn header(&self) -> Option<&str> {
        match &self.config.carrier {
            Carrier::Cookie(_) => None,
            Carrier::Header(name) | Carrier::Envelope(name) => Some(name),
        }
    }

    /// The share of all sessions, in percent, above which new ones avoid a host.
    pub(crate) const fn max_share(&self) -> Option<u32> {
        self.config.max_share
    }

    /// The response to a session that is lost, if it must not move.
    pub(crate) const fn refusal(&self) -> Option<Refusal> {
        match self.config.on_lost {
            LostSession::Rebalance => None,
            LostSession::Refuse {
                status,
                retry_after,
            } => Some(Refusal {
                status,
                retry_after,
            }),
        }
    }

    /// The response to an envelope that is refused: the server knows a session of the client that
    /// nobody can name to it.
    pub(crate) fn refusal_of(&self, outcome: TokenOutcome) -> Option<Refusal> {
        let enveloped = matches!(self.config.carrier, Carrier::Envelope(_));
        let refused = matches!(outcome, TokenOutcome::Refused(_));
        self.refusal().filter(|_| enveloped && refused)
    }

    /// Whether sessions that begin or move choose their hosts by rendezvous hashing.
    pub(super) fn is_rendezvous(&self) -> bool {
        self.config.fallback == Fallback::Rendezvous
    }

    /// Reads the session of a request. `draw` names one without token and hash.
    pub(crate) fn read<H: Headers>(
        &self,
        query: &SessionQuery<'_, H>,
        tokens: &mut OpenedTokens,
        draw: impl FnOnce() -> u64,
    ) -> (RequestSession, TokenOutcome) {
        let scope = match &self.config.scope {
            Some(name) => name.clone(),
            None => authority(query.headers),
        };
        let mut criteria = Vec::new();
        query.criteria.canonical(&mut criteria);
        let method = query.headers.first(":method");
        let mut session = RequestSession {
            now: query.now,
            scope,
            criteria,
            cacheable: method.is_some_and(|method| matches!(method, b"GET" | b"HEAD")),
            ..RequestSession::default()
        };
        let outcome = match self.carried(query.headers) {
            CarriedToken::Absent => TokenOutcome::Absent,
            CarriedToken::Refused(reason) => TokenOutcome::Refused(reason),
            CarriedToken::Text(text) => {
                match self.open(&mut session, query.directory, tokens, text) {
                    Ok(()) => TokenOutcome::Accepted,
                    Err(reason) => {
                        session.foreign = self.foreign(query.headers, text, query.now);
                        match session.foreign.is_empty() {
                            true => TokenOutcome::Refused(reason),
                            false => TokenOutcome::Accepted,
                        }
                    }
                }
            }
        };
        (session.number, session.keyed) = match (&session.opened, query.hash) {
            (Some(opened), _) => (opened.token.session, true),
            // Whoever chooses the hash must not choose the host by it.
            (None, Some(hash)) => (self.config.keys.first().session_id(hash), true),
            (None, None) => (draw(), false),
        };
        (session, outcome)
    }

    /// Opens a token, and looks up the host of its session.
    fn open(
        &self,
        session: &mut RequestSession,
        directory: &HostDirectory,
        tokens: &mut OpenedTokens,
        text: &[u8],
    ) -> Result<(), &'static str> {
        let rules = Rules {
            now: session.now,
            scope: &session.scope,
            max_life: self.life.max,
            epoch: self.config.epoch,
        };
        let keys = &self.config.keys;
        let (opened, inner) = match &self.config.carrier {
            Carrier::Envelope(_) => {
                let envelope = tokens.open_envelope(keys, text, &rules);
                let envelope = envelope.map_err(Refused::name)?;
                (envelope.opened, Some(envelope.inner))
            }
            Carrier::Cookie(_) | Carrier::Header(_) => {
                let opened = tokens.open(keys, text, &rules);
                (opened.map_err(Refused::name)?, None)
            }
        };
        let key = keys.keys().nth(opened.key);
        if key.map(|key| session.subset(key)) != Some(opened.token.subset) {
            // The session belongs to another tenant.
            return Err("subset");
        }
        session.host = directory.find(opened.key, opened.token.host);
        session.given = inner.is_some().then(|| text.to_vec());
        session.inner = inner;
        session.opened = Some(opened);
        Ok(())
    }
}

/// The authority in lower case.
fn authority<H: Headers>(headers: &H) -> String {
    let authority = headers.first(":authority").unwrap_or_default();
    String::from_utf8_lossy(authority).to_ascii_lowercase()
}
