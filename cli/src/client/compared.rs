//! The shares of both clients next to each other.

use spillgate_answers::{
    grpc::{GrpcReading, GrpcView},
    input::Faults,
    limits::Limits,
    split::{self, ClientNote, Split},
    unknown::{HOSTS_UNKNOWN, UnknownClusters},
};
use spillgate_config::Diagnostic;
use spillgate_core::model::{Metadata, Model};
use spillgate_explain::{host_address, report::ClusterReport};

use super::{
    difference::{Both, Fractions},
    grpc_shares,
    reason::Reason,
};
use crate::config::Config;

/// The clusters of both splits.
#[derive(Debug)]
pub(crate) struct Compared {
    pub(crate) clusters: Vec<ComparedCluster>,
    pub(crate) limits: Limits,
}

/// One cluster. Shares are in percent of its requests; `None` if they are not known.
#[derive(Debug)]
pub(crate) struct ComparedCluster {
    pub(crate) name: String,
    pub(crate) kind: &'static str,
    pub(crate) envoy_policy: &'static str,
    pub(crate) grpc_policy: &'static str,
    /// The requests without a host.
    pub(crate) no_host: Pair,
    /// What the answer about gRPC assumes, or why it has no figures.
    pub(crate) note: ClientNote,
    /// Why Envoy's shares are not known.
    pub(crate) envoy_unknown: Option<String>,
    pub(crate) priorities: Vec<ComparedPriority>,
    pub(crate) hosts: Vec<ComparedHost>,
    /// The reasons of all differences.
    pub(crate) reasons: Vec<Reason>,
    pub(crate) limits: Limits,
}

/// A figure of both.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Pair {
    pub(crate) envoy: Option<f64>,
    pub(crate) grpc: Option<f64>,
}

/// A priority of one of the owners.
#[derive(Debug)]
pub(crate) struct ComparedPriority {
    pub(crate) owner: String,
    pub(crate) number: usize,
    pub(crate) share: Pair,
    pub(crate) reasons: Vec<Reason>,
}

/// A host.
#[derive(Debug)]
pub(crate) struct ComparedHost {
    pub(crate) owner: String,
    pub(crate) priority: usize,
    pub(crate) address: String,
    pub(crate) share: Pair,
    pub(crate) reasons: Vec<Reason>,
}

/// Shares that differ by less are equal: rounding.
const NOTHING: f64 = 1e-9;

impl Pair {
    /// Whether the two differ, or one is not known.
    pub(crate) fn differs(self) -> bool {
        match (self.envoy, self.grpc) {
            (Some(envoy), Some(grpc)) => (envoy - grpc).abs() > NOTHING,
            (None, None) => false,
            _ => true,
        }
    }
}

impl Compared {
    /// The clusters of an input, or those of these names. `model` is that of the configuration, in which
    /// hosts can have other health.
    ///
    /// # Errors
    /// Every unknown name.
    pub(crate) fn of(
        config: &Config,
        model: &Model,
        names: &[String],
        criteria: &Metadata,
    ) -> Result<Self, Faults> {
        let shown = split::split(model, names, criteria)
            .map_err(|faults: Vec<Diagnostic>| Faults::all(config.files(), &faults))?;
        let unknown = UnknownClusters::of(&config.envoy);
        let envoy = shown.limited_by(&config.limits()).without_hosts_of(unknown);
        let reading = config.grpc_reading();
        Ok(Self::of_split(model, &reading, envoy))
    }

    /// The clusters of a split of Envoy.
    pub(crate) fn of_split(model: &Model, reading: &GrpcReading, envoy: Split) -> Self {
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

fn cluster(shown: &Split, both: &Both<'_>, note: &ClientNote) -> ComparedCluster {
    let envoy_unknown = shown.unknown_of(both.envoy);
    let of_envoy = envoy_unknown.is_none().then_some(both.envoy);
    let of_grpc = note.no_figures.is_none().then_some(both.grpc);
    let pair = |figure: &dyn Fn(&ClusterReport) -> f64| Pair {
        envoy: of_envoy.map(figure),
        grpc: of_grpc.map(figure),
    };
    let mut priorities: Vec<ComparedPriority> = Vec::new();
    let mut hosts: Vec<ComparedHost> = Vec::new();
    for report in of_envoy.into_iter().chain(of_grpc) {
        for of in report.priorities.iter().filter(|of| !of.repeated) {
            let number = of.row.at.priority;
            let known = |known: &ComparedPriority| {
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
            priorities.push(ComparedPriority {
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
                hosts.push(ComparedHost {
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
    let mut reasons: Vec<Reason> = of_rows.flatten().copied().collect();
    if reasons.is_empty() && no_host.differs() {
        reasons = both.of_all(note);
    }
    reasons.sort_unstable();
    reasons.dedup();
    ComparedCluster {
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
