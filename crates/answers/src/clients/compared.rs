//! The shares of both clients next to each other.

use crate::{
    grpc::{GrpcReading, GrpcView},
    limits::Limits,
    split::{ClientNote, Split},
    unknown::HOSTS_UNKNOWN,
};
use spillgate_core::model::Model;
use spillgate_explain::{host_address, report::ClusterReport};

use super::{
    difference::{Both, Fractions},
    grpc_shares,
    reason::DifferenceReason,
};

/// The clusters of both splits.
#[derive(Debug)]
pub struct ComparedClients {
    /// The clusters, in the order of the model.
    pub clusters: Vec<ClientsCluster>,
    /// What is not modeled.
    pub limits: Limits,
}

/// One cluster. Shares are in percent of its requests; `None` if they are not known.
#[derive(Debug)]
pub struct ClientsCluster {
    /// Its name.
    pub name: String,
    /// Its kind.
    pub kind: &'static str,
    /// Envoy's policy.
    pub envoy_policy: &'static str,
    /// The policy of gRPC.
    pub grpc_policy: &'static str,
    /// The requests without a host.
    pub no_host: ClientPair,
    /// What the answer about gRPC assumes, or why it has no figures.
    pub note: ClientNote,
    /// Why Envoy's shares are not known.
    pub envoy_unknown: Option<String>,
    /// The priorities of all owners.
    pub priorities: Vec<ClientsPriority>,
    /// The hosts of all priorities.
    pub hosts: Vec<ClientsHost>,
    /// The reasons of all differences.
    pub reasons: Vec<DifferenceReason>,
    /// What is not modeled.
    pub limits: Limits,
}

/// A figure of both.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ClientPair {
    /// Envoy's.
    pub envoy: Option<f64>,
    /// That of gRPC.
    pub grpc: Option<f64>,
}

/// A priority of one of the owners.
#[derive(Debug)]
pub struct ClientsPriority {
    /// The cluster that has it.
    pub owner: String,
    /// Its number.
    pub number: usize,
    /// Its share.
    pub share: ClientPair,
    /// The reasons of a difference.
    pub reasons: Vec<DifferenceReason>,
}

/// A host.
#[derive(Debug)]
pub struct ClientsHost {
    /// The cluster that has it.
    pub owner: String,
    /// Its priority.
    pub priority: usize,
    /// Its address.
    pub address: String,
    /// Its share.
    pub share: ClientPair,
    /// The reasons of a difference.
    pub reasons: Vec<DifferenceReason>,
}

/// Shares that differ by less are equal: rounding.
const NOTHING: f64 = 1e-9;

impl ClientPair {
    /// Whether the two differ, or one is not known.
    #[must_use]
    pub fn differs(self) -> bool {
        match (self.envoy, self.grpc) {
            (Some(envoy), Some(grpc)) => (envoy - grpc).abs() > NOTHING,
            (None, None) => false,
            _ => true,
        }
    }
}

impl ComparedClients {
    /// The clusters of a split of Envoy.
    #[must_use]
    pub fn of_split(model: &Model, reading: &GrpcReading, envoy: Split) -> Self {
        let grpc = grpc_shares(model, reading, envoy.clone());
        let view = GrpcView::of(reading, model);
        let notes = grpc.grpc.iter().flatten();
        let both = envoy.clusters.iter().zip(&grpc.clusters).zip(notes);
        let clusters = both.map(|((of_envoy, of_grpc), note)| {
            let both = Both {
                model,
                envoy: of_envoy,
                grpc: of_grpc,
                view: view.cluster(&of_envoy.name),
            };
            cluster(&envoy, &both, note)
        });
        Self {
            clusters: clusters.collect(),
            limits: envoy.limits.clone(),
        }
    }
}

fn cluster(shown: &Split, both: &Both<'_>, note: &ClientNote) -> ClientsCluster {
    let envoy_unknown = shown.unknown_of(both.envoy);
    let of_envoy = envoy_unknown.is_none().then_some(both.envoy);
    let of_grpc = note.no_figures.is_none().then_some(both.grpc);
    let pair = |figure: &dyn Fn(&ClusterReport) -> f64| ClientPair {
        envoy: of_envoy.map(figure),
        grpc: of_grpc.map(figure),
    };
    let mut priorities: Vec<ClientsPriority> = Vec::new();
    let mut hosts: Vec<ClientsHost> = Vec::new();
    for report in of_envoy.into_iter().chain(of_grpc) {
        for of in report.priorities.iter().filter(|of| !of.repeated) {
            let number = of.row.at.priority;
            let known = |known: &ClientsPriority| {
                (known.owner.as_str(), known.number) == (of.owner.as_str(), number)
            };
            if priorities.iter().any(known) {
                continue;
            }
            let share = pair(&|report| Fractions::priority(report, &of.owner, number));
            let reasons = if share.differs() {
                both.of_priority(note, &of.owner, number)
            } else {
                Vec::new()
            };
            priorities.push(ClientsPriority {
                owner: of.owner.clone(),
                number,
                share,
                reasons,
            });
            for host in 0..of.hosts.len() {
                let share = pair(&|report| Fractions::host(report, &of.owner, number, host));
                let reasons = if share.differs() {
                    both.of_host(note, &of.owner, number, host)
                } else {
                    Vec::new()
                };
                hosts.push(ClientsHost {
                    owner: of.owner.clone(),
                    priority: number,
                    address: host_address(&shown.snapshot, of.host(host)).into(),
                    share,
                    reasons,
                });
            }
        }
    }
    let no_host = pair(&|report| report.no_host);
    let of_rows = priorities
        .iter()
        .map(|of| &of.reasons)
        .chain(hosts.iter().map(|of| &of.reasons));
    let mut reasons: Vec<DifferenceReason> = of_rows.flatten().copied().collect();
    if reasons.is_empty() && no_host.differs() {
        reasons = both.of_all(note);
    }
    reasons.sort_unstable();
    reasons.dedup();
    ClientsCluster {
        name: both.envoy.name.clone(),
        kind: both.envoy.kind,
        envoy_policy: both.envoy.policy,
        grpc_policy: both.grpc.policy,
        no_host,
        note: note.clone(),
        envoy_unknown: envoy_unknown.map(|name| {
            if name == both.envoy.name {
                HOSTS_UNKNOWN.into()
            } else {
                format!("member {name}: {HOSTS_UNKNOWN}")
            }
        }),
        priorities,
        hosts,
        reasons,
        limits: shown.limits_of(both.envoy),
    }
}
