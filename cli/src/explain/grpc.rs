//! `spillgate explain --client grpc|both`: why a gRPC client sends a request to its hosts.
//!
//! The route and its cluster are those of Envoy. A gRPC client reads the same routes, without Envoy's
//! filters.

use serde_json::{Map, Value, json};
use spillgate_config::{Diagnostic, SourceMap, envoy::RouteMarks};
use spillgate_core::{model::Metadata, snapshot::Snapshot};
use spillgate_explain::{
    host_address,
    report::{ClusterReport, LocalityReport, PriorityReport},
};
use spillgate_grpc::shares::{HostPicking, RootShares};

use super::{args::ExplainArgs, routing::AskedKind, target::XX_HASH, verdict::Verdict};
use crate::{
    config::Config,
    grpc::{GrpcCluster, GrpcLeaf, GrpcReading, GrpcRoute, GrpcView, Parsed},
    input::Faults,
    split::{ClientNote, NoFigures},
};

/// The answer about one cluster that the request can reach.
pub(super) struct GrpcStory {
    report: ClusterReport,
    note: ClientNote,
    steps: Vec<(&'static str, String)>,
    hosts: Vec<(String, usize, String, f64)>,
}

/// The answers about all clusters that the request can reach, and about the route that leads there.
#[derive(Default)]
pub(super) struct GrpcStories {
    route: GrpcRoute,
    stories: Vec<GrpcStory>,
}

/// The answers about a request; `mark` has the position of its route.
///
/// # Errors
/// If the question is not about the first attempt of an HTTP request without a session, or if a
/// Spillgate filter steers the request (`is_steered`).
pub(super) fn stories(
    args: &ExplainArgs,
    config: &Config,
    (kind, is_steered): (&AskedKind, bool),
    verdict: &Verdict<'_>,
    mark: Option<&RouteMarks>,
) -> Result<GrpcStories, Faults> {
    check(args, kind, is_steered, config.files())?;
    let model = &config.envoy.model;
    let snapshot = Snapshot::build(model);
    let reading = GrpcReading::of(config);
    let parsed = Parsed::of(&config.texts);
    let route = mark.map(|mark| GrpcRoute::at(&parsed, config.files(), mark.route));
    let route = route.unwrap_or_default();
    let view = GrpcView::for_hash(&reading, model, verdict.grpc_hash.known());
    let clusters = verdict.reached.clusters.iter();
    let stories = clusters.filter_map(|id| {
        let envoy = ClusterReport::of(model, &snapshot, *id, &Metadata::EMPTY)?;
        let found = view.cluster(&envoy.name)?;
        let report = found.report(&envoy, &snapshot);
        let mut note = found.note();
        if let Some(instead) = of_route(&route) {
            return Some(GrpcStory {
                hosts: Vec::new(),
                steps: Vec::new(),
                note: ClientNote {
                    no_figures: Some(instead),
                    notes: Vec::new(),
                },
                report,
            });
        }
        if args.cluster.is_none() {
            note.notes.push(
                "the route and its cluster are those of Envoy; a gRPC client runs no Envoy filters"
                    .into(),
            );
        }
        let hashes = |leaf: &GrpcLeaf<'_>| matches!(leaf.policy.picking, HostPicking::RingHash(_));
        let mut steps = steps(&found, &report);
        if found.leaves.iter().any(hashes) && note.no_figures.is_none() {
            steps.insert(0, ("hash", verdict.grpc_hash.text()));
        }
        let hosts = report.hosts().filter(|(_, _, share)| *share > 0.0);
        let hosts = hosts.map(|(row, host, share)| {
            let address = host_address(&snapshot, host).to_owned();
            (row.owner.clone(), host.priority, address, share)
        });
        Some(GrpcStory {
            hosts: hosts.collect(),
            steps,
            note,
            report,
        })
    });
    let stories = stories.collect();
    Ok(GrpcStories { route, stories })
}

/// Why there are no figures because of the route.
fn of_route(route: &GrpcRoute) -> Option<NoFigures> {
    match route {
        GrpcRoute::Used | GrpcRoute::NoAction => None,
        GrpcRoute::Rejected(why) => Some(NoFigures::Rejected(why.clone())),
        GrpcRoute::Skipped(field) => Some(NoFigures::Unknown(format!(
            "gRPC skips the route that Envoy uses ({field}); which later one it uses is not modeled"
        ))),
    }
}

fn check(
    args: &ExplainArgs,
    kind: &AskedKind,
    is_steered: bool,
    files: &SourceMap,
) -> Result<(), Faults> {
    let first = args.attempt == 0 && args.tried.is_empty() && args.failed.is_empty();
    let no_session = args.session.is_none() && args.session_host.is_none();
    // A key of --cluster is a header of an HTTP request.
    let is_http = kind.is_http() || matches!(kind, AskedKind::Key(_, XX_HASH));
    if first && no_session && is_http && !is_steered {
        return Ok(());
    }
    let what = "--client: only first attempts of HTTP requests without a session or a Spillgate filter are modeled for gRPC";
    let fault = Diagnostic::error("explain/client", what);
    Err(Faults::one(files, &fault.expected("--client envoy")))
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
                match place == serving {
                    true => format!(
                        "{}: the first leaf with a usable host (A37, A75)",
                        leaf.name
                    ),
                    false => format!("{}: no usable host", leaf.name),
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
    /// The answer as text.
    pub(super) fn text(&self) -> String {
        let mut out = format!(
            "gRPC: cluster {} ({})",
            self.report.name, self.report.policy
        );
        if let Some(no_figures) = &self.note.no_figures {
            out.push_str(&format!(": {}", no_figures.text()));
        }
        out.push('\n');
        for note in &self.note.notes {
            out.push_str(&format!("note: {note}\n"));
        }
        for (step, what) in &self.steps {
            out.push_str(&format!("{step:<10}{what}\n"));
        }
        for (owner, priority, address, share) in &self.hosts {
            out.push_str(&format!(
                "host      {address} ({owner} P{priority}): {share:.1} %\n"
            ));
        }
        if self.note.no_figures.is_none() && self.report.no_host > 0.0 {
            out.push_str(&format!("no host   {:.1} %\n", self.report.no_host));
        }
        out
    }

    /// The answer as JSON.
    fn value(&self) -> Value {
        let mut value = Map::new();
        let mut put = |key: &str, field: Value| value.insert(key.to_owned(), field);
        put("cluster", json!(self.report.name));
        put("policy", json!(self.report.policy));
        put("notes", json!(self.note.notes));
        match &self.note.no_figures {
            Some(NoFigures::Rejected(why)) => put("rejected", json!(why)),
            Some(NoFigures::Unknown(why)) => put("unknown", json!(why)),
            None => None,
        };
        let steps = self.steps.iter();
        let steps = steps.map(|(step, what)| json!({"step": step, "what": what}));
        put("steps", steps.collect());
        let hosts = self.hosts.iter().map(|(owner, priority, endpoint, share)| {
            json!({"owner": owner, "priority": priority, "endpoint": endpoint, "share": parts(*share)})
        });
        put("distribution", hosts.collect());
        let known = self.note.no_figures.is_none();
        put("no_host", json!(known.then(|| parts(self.report.no_host))));
        Value::Object(value)
    }
}

impl GrpcStories {
    /// The stories as text.
    pub(super) fn text(&self) -> String {
        if !self.stories.is_empty() {
            let texts: Vec<String> = self.stories.iter().map(GrpcStory::text).collect();
            return texts.join("\n");
        }
        format!("gRPC: {}\n", self.without_cluster())
    }

    /// What happens to a request that reaches no cluster.
    fn without_cluster(&self) -> String {
        match &self.route {
            GrpcRoute::NoAction => {
                "the action of the route (redirect, direct response) does not exist in gRPC: the request fails (UNAVAILABLE: \
                 Matching route has inappropriate action)"
                    .into()
            }
            route => of_route(route).map_or_else(
                || "the request reaches no cluster".into(),
                |instead| instead.text(),
            ),
        }
    }

    /// The stories as one line of JSON, with Envoy's answer if there is one.
    pub(super) fn to_json(&self, envoy: Option<&str>) -> String {
        let mut value = Map::new();
        let client = if envoy.is_some() { "both" } else { "grpc" };
        value.insert("client".into(), json!(client));
        if let Some(envoy) = envoy {
            // Its text is that of the command, so it is JSON.
            let envoy = serde_json::from_str(envoy).unwrap_or_default();
            value.insert("envoy".into(), envoy);
        }
        let stories = self.stories.iter().map(GrpcStory::value);
        value.insert("grpc".into(), stories.collect());
        if self.stories.is_empty() {
            value.insert("without_cluster".into(), json!(self.without_cluster()));
        }
        Value::Object(value).to_string() + "\n"
    }
}

/// Percent as 1/10000.
fn parts(percent: f64) -> u64 {
    (percent * 100.0).round() as u64
}
