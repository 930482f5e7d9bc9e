//! Why a gRPC client sends a request to its hosts.
//!
//! The route and its cluster are those of Envoy. A gRPC client reads the same routes, without Envoy's
//! filters.

use serde_json::{Map, Value, json};
use spillgate_config::NamedText;
use spillgate_config::envoy::{EnvoyConfig, RouteMarks};
use spillgate_core::{
    model::{Metadata, Model},
    snapshot::Snapshot,
};
use spillgate_explain::report::ClusterReport;

use super::{grpc_call::CallSession, grpc_story::GrpcStory, verdict::RequestVerdict};
use crate::{
    grpc::{GrpcReading, GrpcRoute, GrpcView, ParsedTexts},
    input::Faults,
    split::NoFigures,
};

/// The answers about all clusters that the request can reach, and about the route that leads there.
#[derive(Debug, Default)]
pub struct GrpcStories {
    route: GrpcRoute,
    /// The answers by cluster and session.
    pub stories: Vec<GrpcStory>,
}

/// The answers about a request with this verdict; `is_routed` if a route leads to its cluster, and `mark` has
/// the position of that route.
///
/// # Errors
/// Those of the texts.
pub fn grpc_stories(
    texts: &[NamedText],
    envoy: &EnvoyConfig,
    reading: &GrpcReading,
    (verdict, is_routed): (&RequestVerdict<'_>, bool),
    mark: Option<&RouteMarks>,
) -> Result<GrpcStories, Faults> {
    let model = &envoy.model;
    let snapshot = Snapshot::build(model);
    let parsed = ParsedTexts::of(texts)?;
    let route = mark
        .map(|mark| GrpcRoute::at(&parsed, &envoy.sources, mark.route))
        .unwrap_or_default();
    let view = GrpcView::for_hash(reading, model, verdict.grpc_hash.known());
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

impl GrpcStories {
    /// What happens to a request that reaches no cluster.
    #[must_use]
    pub fn without_cluster(&self) -> String {
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

    /// The stories as one line of JSON, with Envoy's answer if there is one; `istio` is the version whose rules
    /// apply.
    #[must_use]
    pub fn to_json(&self, envoy: Option<&str>, istio: Option<&str>) -> String {
        let mut value = Map::new();
        let client = if envoy.is_some() { "both" } else { "grpc" };
        value.insert("client".into(), json!(client));
        if let Some(envoy) = envoy {
            // Its text is that of the command, so it is JSON.
            let envoy = serde_json::from_str(envoy);
            value.insert(
                "envoy".into(),
                envoy.unwrap_or_else(|error| json!({ "error": error.to_string() })),
            );
        }
        let stories = self.stories.iter().map(GrpcStory::value);
        value.insert("grpc".into(), stories.collect());
        if self.stories.is_empty() {
            value.insert("without_cluster".into(), json!(self.without_cluster()));
        }
        if let Some(version) = istio {
            value.insert("istio_version".into(), json!(version));
        }
        Value::Object(value).to_string() + "\n"
    }
}
