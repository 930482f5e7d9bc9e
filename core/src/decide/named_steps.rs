//! The steps that tell of hosts which requests name, in words and figures.

use alloc::{format, string::String, vec::Vec};

use super::{OverrideTarget, SessionHost};
use crate::{
    model::{HealthStatus, OverrideStatuses},
    route::{OverrideHost, SessionCarrier, SessionReading, StatefulSession},
    snapshot::{ClusterId, HostRef, Kind, Snapshot},
    trace::{Figure, Ground, Step, StepKind},
};

/// A session that names no host; nothing to tell of one that does.
pub(super) fn reading(session: &StatefulSession, reading: &SessionReading) -> Option<Step> {
    let (kind, name) = match &session.carrier {
        SessionCarrier::Cookie(cookie) => ("cookie", cookie.name.as_str()),
        SessionCarrier::Header(name) => ("header", name.as_str()),
    };
    let (outcome, why) = match reading {
        SessionReading::Named(_) => return None,
        SessionReading::OtherPath => {
            let path = match &session.carrier {
                SessionCarrier::Cookie(cookie) => cookie.path.as_str(),
                SessionCarrier::Header(_) => "",
            };
            ("other_path", format!("is for paths below {path}"))
        }
        SessionReading::Absent => ("new", "is not there: a new session".into()),
        SessionReading::NotBase64 => ("undecodable", "is no padded base64".into()),
        SessionReading::Empty => ("undecodable", "names no host".into()),
        SessionReading::Expired { .. } => ("expired", "has expired".into()),
    };
    let mut values: Vec<(&str, Figure)> = [("outcome", outcome.into())].into();
    if let SessionReading::Expired { expires } = reading {
        values.push(("expires", u64::try_from(*expires).unwrap_or(0).into()));
    }
    Some(Step {
        kind: StepKind::Session,
        what: format!("the {kind} {name} {why}"),
        values,
        ground: Ground::RouteSession,
    })
}

/// What becomes of the host that a session names.
pub(super) fn session(
    snapshot: &Snapshot,
    cluster: ClusterId,
    session: &OverrideHost,
    found: SessionHost,
) -> Step {
    let address = &session.address;
    let (why, ground) = match found {
        SessionHost::Kept(_) => (format!("{address} keeps its session"), Ground::RouteSession),
        SessionHost::NoMember => {
            let name = snapshot.cluster(cluster).map_or("", |c| c.name.as_str());
            let why = format!("{address} is no host of the routed cluster {name}");
            (why, Ground::RouteSession)
        }
        SessionHost::NoHosts => no_hosts(snapshot, cluster),
        SessionHost::Status(_, status) => {
            let set = snapshot
                .plain(cluster)
                .map(|plain| plain.settings.override_statuses);
            let set = names(set.unwrap_or_default());
            let status = status.name();
            let why = format!("{address} is {status}, and {set} keep sessions");
            (why, Ground::OverrideStatuses(cluster))
        }
    };
    let refusal = found.refusal(session).filter(|_| session.strict);
    let (outcome, then) = match (found, refusal) {
        (SessionHost::Kept(_), _) => ("kept", String::new()),
        (_, Some(status)) => ("refused", format!(": refused with {status}, being strict")),
        (_, None) => ("moved", ": another host is chosen".into()),
    };
    let mut values: Vec<(&str, Figure)> = [
        ("outcome", outcome.into()),
        ("address", address.as_str().into()),
    ]
    .into();
    if let SessionHost::Status(_, status) = found {
        values.push(("status", status.name().into()));
    }
    values.push(("strict", session.strict.into()));
    Step {
        kind: StepKind::Session,
        what: format!("{why}{then}"),
        values,
        ground,
    }
}

fn no_hosts(snapshot: &Snapshot, cluster: ClusterId) -> (String, Ground) {
    match snapshot.cluster(cluster).map(|cluster| &cluster.kind) {
        Some(Kind::Aggregate(_)) => (
            "an aggregate ignores sessions: its members have the hosts".into(),
            Ground::Members(cluster),
        ),
        _ => (
            "the cluster has no hosts of its own".into(),
            Ground::Cluster(cluster),
        ),
    }
}

/// What comes of a list of addresses in a header or in metadata.
pub(super) fn listed(
    snapshot: &Snapshot,
    cluster: ClusterId,
    addresses: &[String],
    host: Option<HostRef>,
) -> Step {
    let endpoint = host.and_then(|host| snapshot.endpoint(host));
    Step {
        kind: StepKind::Session,
        what: match endpoint {
            Some(endpoint) => format!(
                "{} is the first host that the request names, whatever its health",
                endpoint.address
            ),
            None => "none of the hosts that the request names is left: the fallback chooses".into(),
        },
        values: [
            (
                "outcome",
                if host.is_some() { "named" } else { "unknown" }.into(),
            ),
            ("named", addresses.join(",").as_str().into()),
        ]
        .into(),
        ground: Ground::Policy(cluster),
    }
}

/// The host that serves because it was named.
pub(super) fn host(snapshot: &Snapshot, named: OverrideTarget) -> Step {
    let endpoint = snapshot.endpoint(named.host());
    let address = endpoint.map_or("none", |endpoint| endpoint.address.as_str());
    let by = match named {
        OverrideTarget::Session(_) => "by its session",
        OverrideTarget::Listed(_) => "by name",
    };
    Step {
        kind: StepKind::Host,
        what: format!("{address} {by}"),
        values: Vec::new(),
        ground: Ground::Host(named.host()),
    }
}

/// The names of the statuses of a set.
fn names(set: OverrideStatuses) -> String {
    let all = HealthStatus::ALL.into_iter();
    let names: Vec<&str> = all
        .filter(|status| set.contains(*status))
        .map(HealthStatus::name)
        .collect();
    match names.as_slice() {
        [] => "no states".into(),
        [one] => format!("only {one} hosts"),
        names => format!("only {} hosts", names.join(", ")),
    }
}
