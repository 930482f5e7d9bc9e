//! One request's session, from the token that it brings to the one that it leaves with.

use super::Directory;
use super::carried::{Carried, Foreign};
use crate::host;
use crate::request_headers::RequestHeaders;
use spillgate_config::filter::{Accepted, Affinity as Config, Carrier, Fallback, LostSession};
use spillgate_core::affinity::{Life, Opened, Refused, Rules, SubsetId, Token, TokenKey};
use spillgate_core::decide::{Decision, OnLost, Session, Sessions};
use spillgate_core::model::Metadata;
use spillgate_core::route::{self, Headers, SessionCarrier, StatefulSession};
use spillgate_core::snapshot::{ClusterId, HostRef, Snapshot};

/// How sessions are kept.
pub(crate) struct Affinity {
    pub(super) config: Config,
    /// How long tokens live, in seconds.
    life: Life,
    /// Envoy's own sessions, where the configuration honours them.
    pub(super) envoys: Option<StatefulSession>,
}

/// The session of one request.
pub(crate) struct Visit {
    /// When the request came: seconds since the epoch.
    now: u64,
    /// Which session it is, known or new.
    session: u64,
    /// Whether the session can be told from others by this: a token, or the request's hash.
    keyed: bool,
    /// What tokens are bound to.
    scope: String,
    criteria: Vec<u8>,
    /// The token that was good.
    opened: Option<Opened>,
    /// Where that session lives, as far as it is still there.
    host: Option<HostRef>,
    /// What a form of another proxy names instead: hosts and perhaps their cluster.
    foreign: Vec<Foreign>,
    /// The host that the decision came to.
    chosen: Option<HostRef>,
    /// The server's own id of the session, in an envelope.
    pub(super) inner: Option<Vec<u8>>,
    /// The client's text for it, which it may keep.
    pub(super) given: Option<Vec<u8>>,
    /// Whether caches may keep the answer (GET, HEAD).
    pub(super) cacheable: bool,
}

/// What a client must be told of its session.
pub(super) enum Due {
    /// Nothing: there is no host to name.
    Nothing,
    /// What it has holds.
    Same,
    /// This.
    Fresh(Token),
}

/// What became of the token that a request brought.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Presented {
    /// There was none.
    Nothing,
    /// It is good.
    Good,
    /// It is worth nothing, for this reason.
    Refused(&'static str),
}

impl Presented {
    /// Whether the server knows a session of the client's that nobody can name to it: the client
    /// sent an envelope that is worth nothing.
    pub(crate) fn is_unknown(self, affinity: &Affinity) -> bool {
        let enveloped = matches!(affinity.config.carrier, Carrier::Envelope(_));
        enveloped && matches!(self, Self::Refused(_))
    }
}

impl Affinity {
    /// Prepares a configuration.
    pub(crate) fn new(config: Config) -> Self {
        let max = config.max_life.as_secs();
        let ttl = match &config.carrier {
            Carrier::Cookie(cookie) => cookie.ttl.as_secs(),
            // A client that keeps a header is told nothing of its end.
            Carrier::Header(_) | Carrier::Envelope(_) => 0,
        };
        let accepts = |form| config.accept.contains(&form);
        let envoys = match &config.carrier {
            Carrier::Cookie(cookie) if accepts(Accepted::EnvoyCookie) => {
                Some(SessionCarrier::Cookie(route::SessionCookie {
                    name: cookie.cookie.name().to_owned(),
                    ..route::SessionCookie::default()
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
    pub(crate) fn directory(&self, snapshot: &Snapshot) -> Directory {
        Directory::new(snapshot, &self.config.keys)
    }

    /// The name of the header that carries tokens, where one does.
    pub(crate) fn header(&self) -> Option<&str> {
        match &self.config.carrier {
            Carrier::Cookie(_) => None,
            Carrier::Header(name) | Carrier::Envelope(name) => Some(name),
        }
    }

    /// What new sessions avoid a host for: more than so many percent of all.
    pub(crate) const fn max_share(&self) -> Option<u32> {
        self.config.max_share
    }

    /// What is answered where a session is lost and must not move.
    pub(crate) const fn refusal(&self) -> Option<(u32, Option<u64>)> {
        match self.config.on_lost {
            LostSession::Rebalance => None,
            LostSession::Refuse {
                status,
                retry_after,
            } => Some((status, retry_after)),
        }
    }

    /// Reads the session of a request. `hash` is the request's; `draw` names a session without one.
    pub(crate) fn visit(
        &self,
        headers: &RequestHeaders,
        criteria: &Metadata,
        directory: &Directory,
        hash: Option<u64>,
        draw: impl FnOnce() -> u64,
    ) -> (Visit, Presented) {
        let now = host::nanoseconds().unwrap_or(0) / 1_000_000_000;
        let scope = match &self.config.scope {
            Some(name) => name.clone(),
            None => authority(headers),
        };
        let mut bytes = Vec::new();
        criteria.canonical(&mut bytes);
        let mut visit = Visit {
            now,
            session: 0,
            keyed: false,
            scope,
            criteria: bytes,
            opened: None,
            host: None,
            foreign: Vec::new(),
            chosen: None,
            inner: None,
            given: None,
            cacheable: headers
                .first(":method")
                .is_some_and(|method| matches!(method, b"GET" | b"HEAD")),
        };
        let presented = match self.carried(headers) {
            Carried::Nothing => Presented::Nothing,
            Carried::Refused(reason) => Presented::Refused(reason),
            Carried::Token(text) => match self.open(&mut visit, directory, text) {
                Ok(()) => Presented::Good,
                Err(reason) => {
                    visit.foreign = self.foreign(headers, text, now);
                    match visit.foreign.is_empty() {
                        true => Presented::Refused(reason),
                        false => Presented::Good,
                    }
                }
            },
        };
        if let Some(opened) = &visit.opened {
            (visit.session, visit.keyed) = (opened.token.session, true);
        } else {
            (visit.session, visit.keyed) = match hash {
                // Whoever chooses the hash must not choose the host by it.
                Some(hash) => (self.config.keys.first().session_id(hash), true),
                None => (draw(), false),
            };
        }
        (visit, presented)
    }

    /// Opens a token, and says where its session lives.
    fn open(
        &self,
        visit: &mut Visit,
        directory: &Directory,
        text: &[u8],
    ) -> Result<(), &'static str> {
        let rules = Rules {
            now: visit.now,
            scope: &visit.scope,
            max_life: self.life.max,
            epoch: self.config.epoch,
        };
        let keys = &self.config.keys;
        let (opened, inner) = match &self.config.carrier {
            Carrier::Envelope(_) => {
                let envelope = keys.open_envelope(text, &rules).map_err(Refused::name)?;
                (envelope.opened, Some(envelope.inner))
            }
            Carrier::Cookie(_) | Carrier::Header(_) => {
                (keys.open(text, &rules).map_err(Refused::name)?, None)
            }
        };
        let key = keys.keys().nth(opened.key);
        if key.map(|key| visit.subset(key)) != Some(opened.token.subset) {
            // The session is another tenant's.
            return Err("subset");
        }
        visit.host = directory.find(opened.key, opened.token.host);
        visit.given = inner.is_some().then(|| text.to_vec());
        visit.inner = inner;
        visit.opened = Some(opened);
        Ok(())
    }
}

/// The authority in small letters.
fn authority(headers: &RequestHeaders) -> String {
    let authority = headers.first(":authority").unwrap_or_default();
    String::from_utf8_lossy(authority).to_ascii_lowercase()
}

impl Visit {
    /// What the engine is told of a request to a cluster. `clusters` are those that it might have
    /// been sent to instead.
    pub(crate) fn sessions<'a>(
        &self,
        affinity: &Affinity,
        (snapshot, directory): (&Snapshot, &Directory),
        cluster: ClusterId,
        clusters: &'a [ClusterId],
    ) -> Sessions<'a> {
        let session = match (&self.opened, self.foreign.is_empty()) {
            (Some(_), _) => Some(Session { host: self.host }),
            (None, true) => None,
            (None, false) => {
                let asked = std::iter::once(&cluster).chain(clusters);
                let mut owners = asked.flat_map(|&cluster| snapshot.owners(cluster));
                let key = affinity.config.keys.first();
                let host = owners.find_map(|owner| {
                    let name = &snapshot.cluster(owner)?.name;
                    let hosts = self
                        .foreign
                        .iter()
                        .flat_map(|foreign| foreign.hosts_in(name));
                    let mut ids = hosts.map(|host| key.host_id(name, host));
                    ids.find_map(|id| directory.find(0, id))
                });
                Some(Session { host })
            }
        };
        Sessions {
            session,
            statuses: affinity.config.statuses,
            clusters,
            on_lost: match affinity.config.on_lost {
                LostSession::Rebalance => OnLost::Rebalance,
                LostSession::Refuse { .. } => OnLost::Refuse,
            },
            key: self.key(affinity),
        }
    }

    /// What chooses for a session that begins or moves, the same on every replica.
    pub(crate) fn key(&self, affinity: &Affinity) -> Option<u64> {
        let rendezvous = affinity.config.fallback == Fallback::Rendezvous;
        (rendezvous && self.keyed).then_some(self.session)
    }

    /// Takes note of the decision. Says when the request came, in seconds.
    pub(crate) fn decided(&mut self, decision: &Decision) -> u64 {
        self.chosen = decision.host_ref();
        self.now
    }

    /// What the client must be told after this host has answered; `anew` even if what it has holds.
    pub(super) fn due(
        &self,
        affinity: &Affinity,
        (snapshot, directory): (&Snapshot, &Directory),
        upstream: &str,
        anew: bool,
    ) -> Due {
        let Some(owner) = self.chosen.and_then(|host| snapshot.cluster(host.cluster)) else {
            return Due::Nothing;
        };
        let key = affinity.config.keys.first();
        let (host, cluster) = (
            key.host_id(&owner.name, upstream),
            key.cluster_id(&owner.name),
        );
        let issued = match &self.opened {
            Some(opened) if !anew && !opened.is_due(cluster, host, self.now, affinity.life) => {
                return Due::Same;
            }
            Some(opened) => opened.token.issued,
            None => self.now,
        };
        // A retry may have gone on to a host that nobody here knows.
        if directory.find(0, host).is_none() {
            return Due::Nothing;
        }
        Due::Fresh(Token {
            session: self.session,
            host,
            cluster,
            scope: key.scope_id(&self.scope),
            subset: self.subset(key),
            issued,
            expires: affinity.life.expiry(issued, self.now),
            epoch: affinity.config.epoch,
        })
    }

    fn subset(&self, key: &TokenKey) -> SubsetId {
        key.subset_id(&self.criteria)
    }
}
