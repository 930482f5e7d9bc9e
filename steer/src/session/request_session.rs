//! The session of one request, from the token that it carries to the one that its client gets.

use alloc::{string::String, vec::Vec};

use spillgate_config::filter::LostSession;
use spillgate_core::{
    affinity::{Opened, SubsetId, Token, TokenKey},
    decide::{Decision, OnLost, Session, Sessions},
    snapshot::{ClusterId, HostRef, Snapshot},
};

use super::{HostDirectory, SessionPolicy, carried::ForeignHosts};

/// The session of one request.
#[derive(Default)]
pub(crate) struct RequestSession {
    /// The time of the request: seconds since the epoch.
    pub(super) now: u64,
    /// The number of the session, known or new.
    pub(super) number: u64,
    /// Whether every replica knows the session by this number: from a token, or the request hash.
    pub(super) keyed: bool,
    /// What tokens are bound to.
    pub(super) scope: String,
    pub(super) criteria: Vec<u8>,
    /// The token that was accepted.
    pub(super) opened: Option<Opened>,
    /// The host of its session, if it is still there.
    pub(super) host: Option<HostRef>,
    /// The hosts that another proxy's form names instead.
    pub(super) foreign: Vec<ForeignHosts>,
    /// The host that was decided.
    pub(super) chosen: Option<HostRef>,
    /// The server's own session id, from an envelope.
    pub(super) inner: Option<Vec<u8>>,
    /// The client's envelope, which it may keep.
    pub(super) given: Option<Vec<u8>>,
    /// Whether caches may keep the response (GET, HEAD).
    pub(super) cacheable: bool,
}

/// The hosts of a snapshot, with the ids by which tokens name them.
#[derive(Clone, Copy)]
pub(crate) struct Hosts<'a> {
    pub(crate) snapshot: &'a Snapshot,
    pub(crate) directory: &'a HostDirectory,
}

/// Whether the token of the client holds.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ClientToken {
    /// It holds unless it must change.
    Usable,
    /// The client needs another one in any case.
    Outdated,
}

/// The token that a client must have after a response.
pub(super) enum TokenDue {
    /// None: there is no host to name.
    None,
    /// The one that it has.
    Same,
    /// This one.
    Fresh(Token),
}

impl RequestSession {
    /// The engine's input for a request to a cluster. `clusters` are those that the request might
    /// have been sent to instead.
    pub(crate) fn sessions<'a>(
        &self,
        policy: &SessionPolicy,
        hosts: Hosts<'_>,
        cluster: ClusterId,
        clusters: &'a [ClusterId],
    ) -> Sessions<'a> {
        let session = match (&self.opened, self.foreign.is_empty()) {
            (Some(_), _) => Some(Session { host: self.host }),
            (None, true) => None,
            (None, false) => {
                let reachable = core::iter::once(&cluster).chain(clusters);
                let mut owners = reachable.flat_map(|&cluster| hosts.snapshot.owners(cluster));
                let key = policy.config.keys.first();
                let host = owners.find_map(|owner| {
                    let name = &hosts.snapshot.cluster(owner)?.name;
                    let foreign = self.foreign.iter();
                    let named = foreign.flat_map(|foreign| foreign.hosts_in(name));
                    let mut ids = named.map(|host| key.host_id(name, host));
                    ids.find_map(|id| hosts.directory.find(0, id))
                });
                Some(Session { host })
            }
        };
        Sessions {
            session,
            statuses: policy.config.statuses,
            clusters,
            on_lost: match policy.config.on_lost {
                LostSession::Rebalance => OnLost::Rebalance,
                LostSession::Refuse { .. } => OnLost::Refuse,
            },
            key: self.key(policy),
        }
    }

    /// The key that chooses the host of a session that begins or moves, equal on every replica.
    pub(crate) fn key(&self, policy: &SessionPolicy) -> Option<u64> {
        (policy.is_rendezvous() && self.keyed).then_some(self.number)
    }

    /// Notes the decision. Returns the time of the request, in seconds.
    pub(crate) fn decided(&mut self, decision: &Decision) -> u64 {
        self.chosen = decision.host_ref();
        self.now
    }

    /// The token that is due after this host has responded.
    pub(super) fn due(
        &self,
        policy: &SessionPolicy,
        hosts: Hosts<'_>,
        upstream: &str,
        has: ClientToken,
    ) -> TokenDue {
        let chosen = self.chosen;
        let Some(owner) = chosen.and_then(|host| hosts.snapshot.cluster(host.cluster)) else {
            return TokenDue::None;
        };
        let key = policy.config.keys.first();
        let host = key.host_id(&owner.name, upstream);
        let cluster = key.cluster_id(&owner.name);
        let issued = match &self.opened {
            Some(opened)
                if has == ClientToken::Usable
                    && !opened.is_due(cluster, host, self.now, policy.life) =>
            {
                return TokenDue::Same;
            }
            Some(opened) => opened.token.issued,
            None => self.now,
        };
        // A retry may have gone to a host that is unknown here.
        if hosts.directory.find(0, host).is_none() {
            return TokenDue::None;
        }
        TokenDue::Fresh(Token {
            session: self.number,
            host,
            cluster,
            scope: key.scope_id(&self.scope),
            subset: self.subset(key),
            issued,
            expires: policy.life.expiry(issued, self.now),
            epoch: policy.config.epoch,
        })
    }

    pub(super) fn subset(&self, key: &TokenKey) -> SubsetId {
        key.subset_id(&self.criteria)
    }
}
