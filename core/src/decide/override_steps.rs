//! The trace steps for sessions and override host lists.

use alloc::{string::String, vec::Vec};

use super::Session;
use crate::{
    route::{OverrideHost, SessionReading, StatefulSession},
    snapshot::{ClusterId, ClusterSnapshotKind, HostRef, Snapshot},
    trace::{
        ConfigRef, OverrideTarget, SessionHost, SessionHostFound, SessionMove, Step, StepData,
    },
};

/// The step for a session that names no host; `None` for a session that names one.
pub(super) fn reading(session: &StatefulSession, reading: &SessionReading) -> Option<Step> {
    let has_host = matches!(reading, SessionReading::Host(_));
    (!has_host).then(|| Step {
        data: StepData::NoSession {
            carrier: session.carrier.clone(),
            reading: reading.clone(),
        },
        config: ConfigRef::RouteSession,
    })
}

/// The result for the host of an Envoy stateful session.
pub(super) fn session(
    snapshot: &Snapshot,
    cluster: ClusterId,
    session: &OverrideHost,
    found: SessionHost,
) -> Step {
    let settings = snapshot.plain(cluster).map(|plain| &plain.settings);
    let kind = snapshot.cluster(cluster).map(|cluster| &cluster.kind);
    Step {
        data: StepData::SessionHost(SessionHostFound {
            cluster,
            requested: session.clone(),
            found,
            statuses: settings
                .map(|settings| settings.override_statuses)
                .unwrap_or_default(),
        }),
        config: match found {
            SessionHost::Accepted(_) | SessionHost::Unknown => ConfigRef::RouteSession,
            SessionHost::NoHosts if matches!(kind, Some(ClusterSnapshotKind::Aggregate(_))) => {
                ConfigRef::Members(cluster)
            }
            SessionHost::NoHosts => ConfigRef::Cluster(cluster),
            SessionHost::Status(..) => ConfigRef::OverrideStatuses(cluster),
        },
    }
}

/// The result for the host of the filter's own session.
pub(super) fn affinity(session: Session, stays: Result<(), SessionMove>) -> Step {
    Step {
        data: StepData::Affinity {
            host: session.host,
            moved: stays.err(),
        },
        config: session.host.map_or(ConfigRef::Sessions, ConfigRef::Host),
    }
}

/// The result for the override host list of a request.
pub(super) fn listed(cluster: ClusterId, addresses: &[String], host: Option<HostRef>) -> Step {
    Step {
        data: StepData::OverrideHosts {
            addresses: Vec::from(addresses),
            host,
        },
        config: ConfigRef::Policy(cluster),
    }
}

/// The host that serves because the request names it.
pub(super) const fn host(target: OverrideTarget) -> Step {
    Step {
        data: StepData::OverrideHost(target),
        config: ConfigRef::Host(target.host()),
    }
}
