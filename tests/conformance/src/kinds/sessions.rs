//! Kind `override_status`: the host statuses that keep a session.

use serde::Deserialize;
use serde_json::Value;
use spillgate_core::{
    model::{
        Cluster, ClusterKind, Endpoint, Health, HealthStatus, Model, OverrideStatuses,
        PlainCluster, Priority, PriorityLocality,
    },
    route::{OverrideHost, StatefulSession},
    snapshot::Snapshot,
};

use super::{Figures, read};

/// The configured statuses.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Statuses {
    override_host_status: Option<Vec<String>>,
    strict: bool,
}

/// For each host status, whether the session stays, moves or fails.
pub(super) fn override_status(input: &Value, _: &Figures) -> Result<Figures, String> {
    let input: Statuses = read(input)?;
    let statuses = match input.override_host_status {
        None => OverrideStatuses::DEFAULT,
        Some(names) => {
            let status = |name: &String| {
                HealthStatus::from_name(name).ok_or(format!("input: unknown status {name:?}"))
            };
            names.iter().map(status).collect::<Result<_, _>>()?
        }
    };
    let snapshot = one_of_each(statuses)?;
    let cluster = snapshot.cluster_id("c").ok_or("no cluster")?;
    let outcome = |address: &str| {
        let session = OverrideHost {
            address: address.into(),
            strict: input.strict,
            status_not_found: StatefulSession::UNAVAILABLE,
        };
        let found = snapshot.session_host(cluster, address);
        match found.refusal(&session) {
            None => "sticky",
            Some(_) if session.strict => "no_host",
            Some(_) => "lb",
        }
    };
    let names = HealthStatus::ALL.map(HealthStatus::name);
    let all = names.into_iter().chain(["not_a_member"]);
    Ok(all
        .map(|name| (name.into(), outcome(name).into()))
        .collect())
}

/// A cluster with one host per status; the address of a host is the name of its status.
fn one_of_each(override_statuses: OverrideStatuses) -> Result<Snapshot, String> {
    let endpoints = HealthStatus::ALL.map(|status| Endpoint {
        address: status.name().into(),
        health: Health::from_status(status),
        ..Endpoint::default()
    });
    let plain = PlainCluster {
        override_statuses,
        priorities: vec![Priority {
            localities: vec![PriorityLocality::default()],
            endpoints: endpoints.into(),
        }],
        ..PlainCluster::default()
    };
    let cluster = Cluster {
        name: "c".into(),
        kind: ClusterKind::Plain(plain),
    };
    let model = Model::new(vec![cluster]).map_err(|errors| format!("{errors:?}"))?;
    Ok(Snapshot::build(&model))
}
