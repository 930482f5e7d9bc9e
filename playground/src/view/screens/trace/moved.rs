//! The keys and sessions that a change moves to another host.

use std::collections::BTreeMap;

use spillgate_core::{
    decide::Session,
    hash::mix,
    inspect::{MovedKeys, hashes_moved},
    snapshot::HostRef,
};

use super::{TraceRequest, TraceStage, session::RequestedSession};

/// The number of sampled keys.
pub const KEYS: u64 = 10_000;

/// The effect of a change on keys and sessions.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MovedShares {
    /// The sampled keys; `None` if no policy makes their host deterministic.
    pub keys: Option<MovedKeys>,
    /// The percentage of Envoy's sessions that lose their host.
    pub envoy: f64,
    /// The percentage of the Spillgate filter's sessions that lose their host.
    pub spillgate: f64,
}

impl MovedShares {
    /// Compares two stages for requests with the criteria of a request. Sessions are distributed over the
    /// hosts as requests without a session were before the change.
    #[must_use]
    pub fn new(before: &TraceStage, after: &TraceStage, request: &TraceRequest) -> Self {
        let name = before.name();
        // Hashes without a pattern: those at equal intervals have few different residues modulo 100.
        let hashes = (0..KEYS).map(mix);
        let (old, new) = (&before.snapshot, &after.snapshot);
        let keys = hashes_moved(old, new, name, &request.criteria, hashes);
        let addresses: BTreeMap<&str, HostRef> = after
            .hosts()
            .map(|host| (after.address(host), host))
            .collect();
        let shares = request.anonymous().distribution(before);
        let (mut all, mut envoy, mut spillgate) = (0.0, 0.0, 0.0);
        for share in &shares.shares {
            let host = HostRef {
                cluster: share.owner,
                priority: share.priority,
                host: share.host,
            };
            let address = before.address(host);
            let stays = |session| request.with_session(session).keeps_session(after);
            all += share.share;
            if !stays(RequestedSession::of_envoy(address)) {
                envoy += share.share;
            }
            let host = addresses.get(address).copied();
            if !stays(RequestedSession::Spillgate(Some(Session { host }))) {
                spillgate += share.share;
            }
        }
        let percent = |moved: f64| if all > 0.0 { moved * 100.0 / all } else { 0.0 };
        Self {
            keys: Some(keys).filter(|keys| keys.keys > 0),
            envoy: percent(envoy),
            spillgate: percent(spillgate),
        }
    }
}
