//! The session of one request, from the token that it has to the token that its client gets.

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
    /// The time of the request: seconds since the Unix epoch.
    pub(super) now: u64,
    /// The time of the request on the clock for windows, in milliseconds; 0 if no limit has one.
    pub(super) age_clock: u64,
    /// The number of the session, from the token or new.
    pub(super) number: u64,
    /// Whether every replica computes the same number: from a token, or from the request hash.
    pub(super) keyed: bool,
    /// The token scope.
    pub(super) scope: String,
    /// The criteria in canonical form; tokens are bound to them.
    pub(super) criteria: Vec<u8>,
    /// The accepted token.
    pub(super) opened: Option<Opened>,
    /// The host in the accepted token, if it still exists.
    pub(super) host: Option<HostRef>,
    /// The hosts in tokens of other proxies, if no token of ours was accepted.
    pub(super) foreign: Vec<ForeignHosts>,
    /// Who chooses the host that responds.
    pub(super) chooser: HostChooser,
    /// The upstream host's own session id, from an envelope.
    pub(super) inner: Option<Vec<u8>>,
    /// The client's envelope, which it may keep.
    pub(super) given: Option<Vec<u8>>,
    /// Whether caches may store the response (GET, HEAD).
    pub(super) cacheable: bool,
}

/// Who chooses the host that responds.
#[derive(Default)]
pub(super) enum HostChooser {
    /// The choice is still open, or no host was chosen.
    #[default]
    None,
    /// The decision: a host of the first cluster, or of the second one in a later attempt.
    Decision(ClusterId, Option<ClusterId>),
    /// The proxy, because the request passes through: a host of one of these clusters.
    Proxy(Vec<ClusterId>),
}

/// The hosts of a snapshot, with their ids in tokens.
#[derive(Clone, Copy)]
pub(crate) struct Hosts<'a> {
    pub(crate) snapshot: &'a Snapshot,
    pub(crate) directory: &'a HostDirectory,
}

/// A request with a session, where `affinity.max_share` limits the sessions of a host.
#[derive(Clone, Copy)]
pub(crate) struct GuardedSession {
    /// The limit, in percent.
    pub(crate) max_share: u32,
    /// The number of the session; `None` if it must not leave its host.
    pub(crate) session: Option<u64>,
    /// The time of the request on the clock for windows, in milliseconds.
    pub(crate) now: u64,
}

impl Hosts<'_> {
    /// The clusters whose hosts the proxy can choose for `target`; all clusters without a target.
    fn owners(self, target: Option<ClusterId>) -> Vec<ClusterId> {
        match target {
            Some(target) => self.snapshot.owners(target).collect(),
            None => self.snapshot.clusters().map(|(id, _)| id).collect(),
        }
    }
}

/// Whether the client may keep its token.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ClientToken {
    /// Yes, unless the token must change.
    Usable,
    /// No.
    Outdated,
}

/// The token that a client gets with a response.
pub(super) enum TokenDue {
    /// No token: the host is unknown.
    None,
    /// The client keeps its token.
    Same,
    /// A new token.
    Fresh(Token),
}

impl RequestSession {
    /// The engine's input for a request to a cluster. `clusters` are the alternatives of a weighted
    /// split: the session may stay in any of them.
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
                    ids.find_map(|id| hosts.directory.find_in(owner, 0, id))
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

    /// The session, if hosts have a limit.
    pub(crate) fn guarded(&self, policy: &SessionPolicy) -> Option<GuardedSession> {
        Some(GuardedSession {
            max_share: policy.max_share()?,
            session: policy.may_leave().then_some(self.number),
            now: self.age_clock,
        })
    }

    /// The number of the session.
    pub(crate) const fn number(&self) -> u64 {
        self.number
    }

    /// The key that chooses the host of a new or moving session, equal on every replica.
    pub(crate) fn key(&self, policy: &SessionPolicy) -> Option<u64> {
        (policy.is_rendezvous() && self.keyed).then_some(self.number)
    }

    /// The host in the accepted token, if it is known.
    pub(crate) const fn known_host(&self) -> Option<HostRef> {
        self.host
    }

    /// Whether the session's host belongs to one of these clusters, according to its token.
    pub(crate) fn is_in_cluster<'n>(
        &self,
        policy: &SessionPolicy,
        mut names: impl Iterator<Item = &'n str>,
    ) -> bool {
        self.opened.as_ref().is_some_and(|opened| {
            let key = policy.config.keys.keys().nth(opened.key);
            key.is_some_and(|key| names.any(|name| key.cluster_id(name) == opened.token.cluster))
        })
    }

    /// Records the decision. `next` has the cluster of later attempts, if they leave that of the first.
    pub(crate) fn decided(&mut self, decision: &Decision, next: Option<&Decision>) {
        let next = next.and_then(Decision::host_ref);
        self.chooser = match decision.host_ref() {
            Some(host) => HostChooser::Decision(host.cluster, next.map(|next| next.cluster)),
            None => HostChooser::None,
        };
    }

    /// The session of a request that passes through to `target`, or to a cluster that the proxy
    /// chooses. Only an envelope needs it: the response contains the upstream host's own session
    /// id.
    pub(crate) fn passing(
        self,
        policy: &SessionPolicy,
        hosts: Hosts<'_>,
        target: Option<ClusterId>,
    ) -> Option<Self> {
        policy.is_envelope().then(|| Self {
            chooser: HostChooser::Proxy(hosts.owners(target)),
            ..self
        })
    }

    /// The token for the client after the host with the address `upstream` has responded.
    /// `directory` has the latest hosts, which may differ from those of the decision.
    pub(super) fn due(
        &self,
        policy: &SessionPolicy,
        directory: &HostDirectory,
        upstream: &str,
        has: ClientToken,
    ) -> TokenDue {
        let key = policy.config.keys.first();
        let owner = match &self.chooser {
            HostChooser::None => None,
            HostChooser::Decision(cluster, None) => Some(*cluster),
            HostChooser::Decision(cluster, Some(next)) => {
                let owner = directory.owner_of(key, &[*cluster, *next], upstream);
                owner.or(Some(*cluster))
            }
            // Without a known owner, the token still carries the server's own session id. Its host
            // counts as gone where requests are steered.
            HostChooser::Proxy(clusters) => {
                let owner = directory.owner_of(key, clusters, upstream);
                owner.or_else(|| clusters.first().copied())
            }
        };
        let Some((owner, (name, cluster))) =
            owner.and_then(|owner| Some((owner, directory.cluster(owner)?)))
        else {
            return TokenDue::None;
        };
        let host = key.host_id(name, upstream);
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
        // A retry may have reached a host that this worker does not know yet.
        let steered = matches!(self.chooser, HostChooser::Decision(..));
        if steered && directory.find_in(owner, 0, host).is_none() {
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
            // Another gateway may already require the epoch of the token.
            epoch: self.opened.as_ref().map_or(policy.config.epoch, |opened| {
                opened.token.epoch.max(policy.config.epoch)
            }),
        })
    }

    pub(super) fn subset(&self, key: &TokenKey) -> SubsetId {
        key.subset_id(&self.criteria)
    }
}
