//! `spillgate explain --client grpc|both`: why a gRPC client sends a request to its hosts.
//!
//! The route and its cluster are those of Envoy. A gRPC client reads the same routes, without Envoy's
//! filters.

use serde_json::{Map, Value, json};
use spillgate_answers::{input::Faults, split::NoFigures};
use spillgate_config::{Diagnostic, SourceMap, envoy::RouteMarks};
use spillgate_core::{
    model::{Metadata, Model},
    snapshot::Snapshot,
};
use spillgate_explain::report::ClusterReport;
use spillgate_mesh::istio::IstioVersion;

use super::{
    args::ExplainArgs, grpc_call::CallSession, grpc_story::GrpcStory, routing::AskedKind,
    target::XX_HASH, verdict::Verdict,
};
use crate::{
    config::Config,
    grpc::{GrpcReading, GrpcRoute, GrpcView, Parsed},
    mesh::add_istio_version,
};

/// The answers about all clusters that the request can reach, and about the route that leads there.
#[derive(Default)]
pub(super) struct GrpcStories {
    route: GrpcRoute,
    stories: Vec<GrpcStory>,
}

/// The answers about a request; `mark` has the position of its route.
///
/// # Errors
/// If the question is not about the first attempt of an HTTP request, or if a Spillgate filter steers
/// the request (`is_steered`).
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
    let route = mark
        .map(|mark| GrpcRoute::at(&parsed, config.files(), mark.route))
        .unwrap_or_default();
    let view = GrpcView::for_hash(&reading, model, verdict.grpc_hash.known());
    let calls = verdict.grpc_calls.iter();
    let stories = calls
        .map(|call| {
            let found = envoys(model, &snapshot, &call.cluster)
                .and_then(|envoy| Some((view.cluster(&envoy.name)?, envoy)));
            let Some((found, envoy)) = found else {
                return GrpcStory::without_figures(call, UNKNOWN, missing());
            };
            let report = found.report(&envoy, &snapshot);
            if let Some(instead) = of_route(&route).or_else(|| of_session(&call.session)) {
                return GrpcStory::without_figures(call, report.policy, instead);
            }
            let hash = verdict.grpc_hash.text();
            let is_routed = args.cluster.is_none();
            GrpcStory::of(call, (&found, report), &snapshot, hash, is_routed)
        })
        .collect();
    Ok(GrpcStories { route, stories })
}

/// The policy of a cluster that the input does not have.
const UNKNOWN: &str = "unknown";

fn envoys(model: &Model, snapshot: &Snapshot, name: &str) -> Option<ClusterReport> {
    ClusterReport::of(
        model,
        snapshot,
        snapshot.cluster_id(name)?,
        &Metadata::EMPTY,
    )
}

/// Why there are no figures for a cluster that the input does not have.
fn missing() -> NoFigures {
    NoFigures::Unknown(
        "the cluster is not in the input; if the control plane does not send it, these calls fail after 15 s".into(),
    )
}

/// Why there are no figures because of the session.
fn of_session(session: &CallSession) -> Option<NoFigures> {
    match session {
        CallSession::Rejected(why) => Some(NoFigures::Rejected(format!(
            "stateful_session: session_state.typed_config: {why}"
        ))),
        CallSession::Unknown(why) => Some(NoFigures::Unknown(format!(
            "the session is not modeled: {why}"
        ))),
        CallSession::Off | CallSession::Cookie { .. } => None,
    }
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
    // A key of --cluster is a header of an HTTP request.
    let is_http = kind.is_http() || matches!(kind, AskedKind::Key(_, XX_HASH));
    if first && is_http && !is_steered {
        return Ok(());
    }
    let what = "--client: only first attempts of HTTP requests without a Spillgate filter are modeled for gRPC";
    let fault = Diagnostic::error("explain/client", what);
    Err(Faults::one(files, &fault.expected("--client envoy")))
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
    pub(super) fn to_json(&self, envoy: Option<&str>, istio: Option<IstioVersion>) -> String {
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
        let mut value = Value::Object(value);
        add_istio_version(&mut value, istio);
        value.to_string() + "\n"
    }
}
