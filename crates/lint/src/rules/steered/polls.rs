//! Wasm filters that do not get the hosts of the admin interface.

use alloc::{format, string::String, vec::Vec};
use spillgate_core::visible::quoted;

use spillgate_config::envoy::{
    BlockedPolls,
    facts::{BootstrapExtensionFacts, HealthOrigin, SpillgateFacts},
};

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
/// Every poll fails, so hosts stay unknown. A warning if only the poller of all workers is missing, has another
/// `vm_id` or omits a cluster: the workers poll themselves, but only three intervals after their start.
pub(crate) static BLOCKED: Rule = Rule {
    id: "steered-poll-blocked",
    severity: Severity::Error,
    summary: "Spillgate filter cannot read the admin interface from which it takes hosts and health",
    check,
};

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
            shared,
        } = &ours.steering.health
        else {
            continue;
        };
        if sink.has(&place.path) {
            continue;
        }
        let Some((cause, fix)) = blocked(context, cluster, *metadata) else {
            if *shared && let Some(cause) = unpolled(context, ours) {
                let effect = match (configured, refuses) {
                    (true, _) => {
                        "health stays as configured for three intervals after each start, then each worker polls"
                    }
                    (false, true) => {
                        "requests get 503 for three intervals after each start, then each worker polls"
                    }
                    (false, false) => {
                        "requests pass through without a decision for three intervals after each start, then each worker polls"
                    }
                };
                let fix = "add the poller to bootstrap_extensions, with the vm_id of the filter and all its clusters in \
                           targets (spillgate explain-code steered-poll-blocked), or set health.poller to worker";
                sink.add(place, cause, effect, fix).severity = Severity::Warning;
            }
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
    let (cause, fix) = match context.config.access.blocked(cluster, metadata)? {
        BlockedPolls::NoCluster => {
            let cause = format!(
                "the Spillgate filter polls the admin interface through cluster {}, which does not exist",
                quoted(cluster)
            );
            let fix = format!(
                "add cluster {} with the address of the admin interface",
                quoted(cluster)
            );
            return Some((cause, fix));
        }
        BlockedPolls::NoAdmin => (
            "the Spillgate filter polls the admin interface, and the bootstrap has none (admin)"
                .into(),
            "add admin with the address of the filter's cluster, and allow_paths for /clusters",
        ),
        BlockedPolls::NotAllowed(path) => {
            let cause = format!(
                "the Spillgate filter polls {path} with a query, but allow_paths of the admin interface omits it"
            );
            let fix = if metadata {
                r"allow it: safe_regex '/(clusters|config_dump)(\?[^#]*)?'"
            } else {
                r"allow it: safe_regex '/clusters(\?[^#]*)?'"
            };
            (cause, fix)
        }
    };
    Some((cause, fix.into()))
}

/// Why no poller polls the clusters of a filter.
fn unpolled(context: &Context<'_>, ours: &SpillgateFacts) -> Option<String> {
    let mut found = false;
    let mut polled: Vec<&String> = Vec::new();
    for extension in context.facts.extensions.as_ref()? {
        if let BootstrapExtensionFacts::Poller { vm_id, targets, .. } = extension {
            found = true;
            if *vm_id == ours.steering.vm_id {
                polled.extend(targets);
            }
        }
    }
    let needed = ours.clusters.iter();
    let mut needed = needed.filter(|name| context.plain(name).is_some());
    let missing = needed.find(|name| !polled.contains(name))?;
    let why = match (found, polled.is_empty()) {
        (false, _) => String::from("bootstrap_extensions has no poller"),
        (true, true) => String::from("the poller has another vm_id or no targets"),
        (true, false) => format!(
            "no poller with its vm_id has cluster {} in targets",
            quoted(missing)
        ),
    };
    Some(format!(
        "the Spillgate filter takes hosts and health from the poller of all workers, but {why}"
    ))
}
