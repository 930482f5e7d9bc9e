//! Steps about the host that a session names.

use alloc::{format, string::String, vec, vec::Vec};

use spillgate_core::{
    model::{HealthStatus, OverrideStatuses},
    route::{SessionReading, SessionStateKind},
    snapshot::{ClusterSnapshotKind, HostRef, Snapshot},
    trace::{SessionHost, SessionHostFound, SessionMove},
};

use super::figure::{StepFigure, flag, number, text};
use crate::{cluster_name, host_address};

/// A session cookie or header without a host.
pub(super) fn unread(carrier: &SessionStateKind, reading: &SessionReading) -> String {
    let (kind, name, path) = match carrier {
        SessionStateKind::Cookie(cookie) => ("cookie", &cookie.name, cookie.path.as_str()),
        SessionStateKind::Header(name) => ("header", name, ""),
    };
    let why = match reading {
        SessionReading::OtherPath => return format!("the {kind} {name} is for paths below {path}"),
        SessionReading::Absent => "is absent: a new session",
        SessionReading::NotBase64 => "is not padded base64",
        SessionReading::Empty => "names no host",
        SessionReading::Expired { .. } => "has expired",
        SessionReading::Host(_) => "names a host",
    };
    format!("the {kind} {name} {why}")
}

pub(super) fn unread_figures(reading: &SessionReading) -> Vec<StepFigure> {
    let outcome = match reading {
        SessionReading::OtherPath => "other_path",
        SessionReading::Absent => "new",
        SessionReading::NotBase64 | SessionReading::Empty => "undecodable",
        SessionReading::Expired { .. } => "expired",
        SessionReading::Host(_) => "named",
    };
    let mut figures = vec![text("outcome", outcome).said()];
    if let SessionReading::Expired { expires } = reading {
        figures.push(number("expires", u64::try_from(*expires).unwrap_or(0)));
    }
    figures
}

/// The host of one of Envoy's own sessions.
pub(super) fn host(snapshot: &Snapshot, of: &SessionHostFound) -> String {
    let address = &of.requested.address;
    let why = match of.found {
        SessionHost::Accepted(_) => return format!("{address} keeps its session"),
        SessionHost::Unknown => {
            let name = cluster_name(snapshot, of.cluster);
            format!("{address} is not a host of the routed cluster {name}")
        }
        SessionHost::NoHosts => match snapshot.cluster(of.cluster).map(|found| &found.kind) {
            Some(ClusterSnapshotKind::Aggregate(_)) => {
                "an aggregate cluster ignores sessions: only its members have hosts".into()
            }
            Some(ClusterSnapshotKind::Composite(_)) => {
                "a composite cluster ignores sessions: only its members have hosts".into()
            }
            _ => "the cluster has no hosts of its own".into(),
        },
        SessionHost::Status(_, status) => {
            let statuses = names(of.statuses);
            format!(
                "{address} is {}, and {statuses} keep sessions",
                status.name()
            )
        }
    };
    match of.refusal() {
        Some(status) => format!("{why}: the strict session is refused with {status}"),
        None => format!("{why}: another host is chosen"),
    }
}

pub(super) fn host_figures(of: &SessionHostFound) -> Vec<StepFigure> {
    let outcome = match (of.found, of.refusal()) {
        (SessionHost::Accepted(_), _) => "kept",
        (_, Some(_)) => "refused",
        (_, None) => "moved",
    };
    let mut figures = vec![
        text("outcome", outcome).said(),
        text("address", of.requested.address.as_str()).said(),
    ];
    if let SessionHost::Status(_, status) = of.found {
        figures.push(text("status", status.name()).said());
    }
    figures.push(flag("strict", of.requested.strict));
    figures
}

/// The host of the filter's own session.
pub(super) fn affinity(
    snapshot: &Snapshot,
    host: Option<HostRef>,
    moved: Option<SessionMove>,
) -> String {
    let address = host.map_or("", |host| host_address(snapshot, host));
    match moved {
        None => format!("stays on {address}"),
        Some(SessionMove::Gone) => "the session's host no longer exists".into(),
        Some(SessionMove::OtherCluster) => {
            format!("{address} belongs to a cluster that the request cannot reach")
        }
        Some(SessionMove::OtherSubset) => format!("{address} is not in the request's subset"),
        Some(SessionMove::Status(status)) => {
            format!("{address} is {}, which keeps no session", status.name())
        }
        Some(SessionMove::Hot) => format!("{address} has too many sessions"),
    }
}

/// The statuses of a set, as hosts.
fn names(set: OverrideStatuses) -> String {
    let all = HealthStatus::ALL.into_iter();
    let names: Vec<&str> = all
        .filter(|status| set.contains(*status))
        .map(HealthStatus::name)
        .collect();
    match names.as_slice() {
        [] => "no hosts".into(),
        names => format!("only {} hosts", names.join(", ")),
    }
}
