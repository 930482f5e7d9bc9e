//! The answer about the calls of a gRPC client that reach one cluster.

use serde_json::{Map, Value, json};
use spillgate_core::snapshot::Snapshot;
use spillgate_explain::{
    host_address,
    report::{ClusterReport, LocalityReport, PriorityReport},
};
use spillgate_grpc::shares::{HostPicking, RootShares};

use super::grpc_call::{CallSession, GrpcCall};
use crate::{
    grpc::{GrpcCluster, GrpcLeaf, SessionTarget},
    split::{ClientNote, NoFigures},
};

/// The answer about calls with the same cluster and the same session.
#[derive(Debug)]
pub struct GrpcStory {
    /// The cluster.
    pub cluster: String,
    /// Its policy.
    pub policy: &'static str,
    /// Their share of all calls, 0 to 1.
    pub share: f64,
    /// What the answer assumes, or why it has no figures.
    pub note: ClientNote,
    /// The rules that lead to the hosts, in order: what each is about, and a sentence.
    pub steps: Vec<(&'static str, String)>,
    /// The hosts: owner, priority, address and percentage.
    pub hosts: Vec<(String, usize, String, f64)>,
    /// The percentage of these calls without a host.
    pub no_host: f64,
}

impl GrpcStory {
    /// The answer about calls whose hosts are not known.
    pub(super) fn without_figures(
        call: &GrpcCall,
        policy: &'static str,
        instead: NoFigures,
    ) -> Self {
        Self {
            cluster: call.cluster.clone(),
            policy,
            share: call.share,
            note: ClientNote {
                no_figures: Some(instead),
                notes: Vec::new(),
            },
            steps: Vec::new(),
            hosts: Vec::new(),
            no_host: 0.0,
        }
    }

    /// The answer about calls to a cluster; `is_routed` if a route leads there.
    pub(super) fn of(
        call: &GrpcCall,
        (found, report): (&GrpcCluster<'_>, ClusterReport),
        snapshot: &Snapshot,
        hash: String,
        is_routed: bool,
    ) -> Self {
        let mut note = found.note();
        if is_routed {
            note.notes.push(
                "the route and its cluster are those of Envoy; a gRPC client runs no Envoy filters"
                    .into(),
            );
        }
        let mut story = Self {
            cluster: report.name.clone(),
            policy: report.policy,
            share: call.share,
            note,
            steps: Vec::new(),
            hosts: Vec::new(),
            no_host: report.no_host,
        };
        if story.note.no_figures.is_none() {
            story.add_session(call, found);
        }
        if !story.hosts.is_empty() || story.note.no_figures.is_some() {
            return story;
        }
        let hashes = |leaf: &GrpcLeaf<'_>| matches!(leaf.policy.picking, HostPicking::RingHash(_));
        if found.leaves.iter().any(hashes) {
            story.steps.push(("hash", hash));
        }
        story.steps.extend(steps(found, &report));
        let hosts =
            report
                .hosts()
                .filter(|(_, _, share)| *share > 0.0)
                .map(|(row, host, share)| {
                    let address = host_address(snapshot, host).to_owned();
                    (row.owner.clone(), host.priority, address, share)
                });
        story.hosts.extend(hosts);
        story
    }

    /// Adds the step of the session, and its host if it has one.
    fn add_session(&mut self, call: &GrpcCall, found: &GrpcCluster<'_>) {
        let CallSession::Cookie {
            name,
            read,
            changed,
        } = &call.session
        else {
            return;
        };
        let carrier = match name {
            Some(name) => format!("the cookie {name}"),
            None => "--session-host".into(),
        };
        let is_absent = read.address_list.is_empty() && read.cluster.is_empty();
        let target = if is_absent {
            SessionTarget::Policy("it is absent or not readable for gRPC".into())
        } else {
            found.session_target(&read.address_list)
        };
        let what = match target {
            SessionTarget::Unknown(why) => {
                self.note.no_figures = Some(NoFigures::Unknown(why));
                return;
            }
            SessionTarget::Policy(why) => {
                let sets = if name.is_some() {
                    "; a response from a host sets a new cookie"
                } else {
                    ""
                };
                format!("{carrier} does not choose the host: {why}{sets}")
            }
            SessionTarget::Host(host) => {
                let is_new = *changed || host.address_list != read.address_list;
                let sets = match name {
                    Some(_) if is_new => format!(
                        "; the response sets a new cookie ({};{})",
                        host.address_list, call.cluster
                    ),
                    _ => String::new(),
                };
                let what = format!(
                    "{carrier} names {} of {} P{} (A55, A75){sets}",
                    host.address, host.leaf, host.priority
                );
                self.no_host = 100.0 - host.share;
                self.hosts = vec![(host.leaf, host.priority, host.address, host.share)];
                what
            }
        };
        self.steps.push(("session", what));
    }
}

/// The rules that lead to the hosts, in order.
fn steps(found: &GrpcCluster<'_>, report: &ClusterReport) -> Vec<(&'static str, String)> {
    let mut steps = Vec::new();
    let RootShares::Leaf(serving) = found.root else {
        if found.root == RootShares::NoHost {
            let what =
                "no priority has a HEALTHY or UNKNOWN host: requests fail, without panic mode";
            steps.push(("priority", what.into()));
        }
        return steps;
    };
    for (place, leaf) in found.leaves.iter().enumerate().take(serving + 1) {
        if report.has_members() {
            steps.push((
                "leaf",
                if place == serving {
                    format!(
                        "{}: the first leaf with a usable host (A37, A75)",
                        leaf.name
                    )
                } else {
                    format!("{}: no usable host", leaf.name)
                },
            ));
        }
        if place < serving {
            continue;
        }
        let rows = report
            .priorities
            .iter()
            .filter(|row| row.owner == leaf.name);
        for row in rows {
            steps.push(("priority", priority(row)));
            if row.row.load() == 0 {
                continue;
            }
            if leaf.policy.by_locality && !leaf.logical_dns {
                steps.extend(localities(row));
            }
            steps.push(("policy", policy(leaf.policy.picking).into()));
            break;
        }
    }
    steps
}

fn priority(row: &PriorityReport) -> String {
    let (usable, hosts) = (row.row.health.healthy, row.row.health.hosts);
    match row.row.load() {
        0 => format!("{}: 0 of {hosts} hosts usable", row.short()),
        _ => format!(
            "{}: the first priority with a usable host ({usable} of {hosts}) gets all requests (A56)",
            row.short()
        ),
    }
}

fn localities(row: &PriorityReport) -> Vec<(&'static str, String)> {
    let weighted = row.localities.iter().filter(|of| of.healthy > 0);
    let sum: u64 = weighted
        .clone()
        .filter_map(|of| of.weight)
        .map(u64::from)
        .sum();
    let text = |of: &LocalityReport| {
        let weight = of.weight.unwrap_or(0);
        let (usable, hosts) = (of.healthy, of.hosts.len());
        match (weight, usable) {
            (0, _) => format!("{}: no weight, so gRPC skips it (A27)", of.locality),
            (_, 0) => format!("{}: 0 of {hosts} hosts usable", of.locality),
            _ => format!(
                "{}: weight {weight} of {sum} = {:.1} %, {usable} of {hosts} hosts usable",
                of.locality, of.share
            ),
        }
    };
    let localities = row.localities.iter();
    localities.map(|of| ("locality", text(of))).collect()
}

const fn policy(picking: HostPicking) -> &'static str {
    match picking {
        HostPicking::RoundRobin => "round_robin: equal shares, host weights are ignored",
        HostPicking::WeightedRoundRobin => "weighted_round_robin: by the weights that hosts report",
        HostPicking::PickFirst { .. } => "pick_first: one host gets all requests",
        HostPicking::RingHash(_) => "ring_hash: one ring, by locality weight times host weight",
    }
}

impl GrpcStory {
    /// The answer as JSON.
    pub(super) fn value(&self) -> Value {
        let mut value = Map::new();
        let mut put = |key: &str, field: Value| value.insert(key.to_owned(), field);
        put("cluster", json!(self.cluster));
        put("policy", json!(self.policy));
        put("share", json!(parts(self.share * 100.0)));
        put("notes", json!(self.note.notes));
        match &self.note.no_figures {
            Some(NoFigures::Rejected(why)) => put("rejected", json!(why)),
            Some(NoFigures::Unknown(why)) => put("unknown", json!(why)),
            None => None,
        };
        let steps = self
            .steps
            .iter()
            .map(|(step, what)| json!({"step": step, "what": what}));
        put("steps", steps.collect());
        let hosts = self.hosts.iter().map(|(owner, priority, endpoint, share)| {
            json!({"owner": owner, "priority": priority, "endpoint": endpoint, "share": parts(*share)})
        });
        put("distribution", hosts.collect());
        let known = self.note.no_figures.is_none();
        put("no_host", json!(known.then(|| parts(self.no_host))));
        Value::Object(value)
    }
}

/// Percent as 1/10000.
fn parts(percent: f64) -> u64 {
    (percent * 100.0).round() as u64
}
