//! Admin interfaces that the Wasm filter cannot read.

use alloc::{format, string::String};

use spillgate_config::envoy::facts::HealthOrigin;

use crate::{
    context::Context,
    finding::Severity,
    rule::Rule,
    rules::affinity::host_list::{chosen_clusters, is_open},
    sink::Sink,
    ways::Steering,
};

/// The Wasm filter polls the admin interface (`health.source: admin`), but Envoy has no such cluster or no
/// admin interface, or `allow_paths` omits a path that the filter reads.
///
/// Every poll fails, so hosts stay unknown.
pub(crate) static BLOCKED: Rule = Rule {
    id: "steered-poll-blocked",
    severity: Severity::Error,
    summary: "Spillgate filter cannot read the admin interface from which it takes hosts and health",
    check,
};

/// The paths of the filter's queries, with a cluster of the name `c`.
const HOSTS: &str = "/clusters?filter=%5Ec%24";
const METADATA: &str =
    "/config_dump?include_eds&resource=dynamic_endpoint_configs&name_regex=%5Ec%24";

fn check(context: &Context<'_>, sink: &mut Sink) {
    for way in &context.ways {
        let Some(Steering { place, ours, .. }) = way.steering() else {
            continue;
        };
        let HealthOrigin::Admin {
            cluster,
            metadata,
            refuses,
            configured,
        } = &ours.steering.health
        else {
            continue;
        };
        if sink.has(&place.path) {
            continue;
        }
        let Some((cause, fix)) = blocked(context, cluster, *metadata) else {
            continue;
        };
        let isolated = chosen_clusters(context, way, ours).all(|cluster| !is_open(&cluster));
        let (severity, effect) = match (configured, refuses) {
            (true, _) => (
                Severity::Warning,
                "hosts and health stay as configured: the filter still chooses failed hosts",
            ),
            (false, true) => (
                Severity::Error,
                "hosts stay unknown: all requests get 503 (upstream hosts unknown)",
            ),
            (false, false) if isolated => (
                Severity::Error,
                "hosts stay unknown: all requests get 503, because only hosts of a list may serve",
            ),
            (false, false) => (
                Severity::Error,
                "hosts stay unknown, so the filter passes all requests through without a host list",
            ),
        };
        sink.add(place, cause, effect, fix).severity = severity;
    }
}

/// Why polls fail, and the remedy.
fn blocked(context: &Context<'_>, cluster: &str, metadata: bool) -> Option<(String, String)> {
    let facts = context.facts;
    let whole = facts.whole && !facts.clusters_elsewhere;
    if context.stated(cluster).is_none() {
        let cause = format!(
            "the Spillgate filter polls the admin interface through cluster {cluster:?}, which does not exist"
        );
        let fix = format!("add cluster {cluster:?} with the address of the admin interface");
        return whole.then_some((cause, fix));
    }
    let Some(admin) = &facts.admin else {
        let cause =
            "the Spillgate filter polls the admin interface, and the bootstrap has none (admin)";
        let fix =
            "add admin with the address of the filter's cluster, and allow_paths for /clusters";
        return facts.whole.then_some((cause.into(), fix.into()));
    };
    let paths = [(HOSTS, true), (METADATA, metadata)];
    let mut omitted = paths
        .into_iter()
        .filter(|(path, reads)| *reads && !admin.answers(path));
    let (path, _) = omitted.next()?;
    let name = path.split('?').next().unwrap_or(path);
    let cause = format!(
        "the Spillgate filter polls {name} with a query, but allow_paths of the admin interface omits it"
    );
    let fix = if metadata {
        r"allow it: safe_regex '/(clusters|config_dump)(\?[^#]*)?'"
    } else {
        r"allow it: safe_regex '/clusters(\?[^#]*)?'"
    };
    Some((cause, fix.into()))
}
