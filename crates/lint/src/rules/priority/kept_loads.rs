//! Retries that crash Envoy, because they use the loads of another cluster.

use alloc::string::String;

use spillgate_config::envoy::kept_loads;

use crate::{context::Context, finding::Severity, rule::Rule, sink::Sink};

/// `previous_priorities` with an `update_frequency` above 1, and retries that ask another cluster with fewer priorities
/// between two updates: a later member of a composite cluster, or another weighted cluster
/// (`refresh_cluster_on_retry`).
///
/// Envoy 1.40 keeps the loads of the last update, takes a priority that the other cluster lacks, and crashes.
pub(crate) static CRASH: Rule = Rule {
    id: "retry-priority-crash",
    severity: Severity::Error,
    summary: "previous_priorities with retries in a cluster with fewer priorities, which crash Envoy",
    check: crash,
};

fn crash(context: &Context<'_>, sink: &mut Sink) {
    for way in &context.ways {
        let Some(retries) = &way.route.retries else {
            continue;
        };
        let place = retries.place.field("retry_priority");
        if sink.has(&place.path) {
            continue;
        }
        let Some(found) = kept_loads(way.forward, &context.config.model) else {
            continue;
        };
        let effect = String::from("Envoy 1.40 takes a priority that does not exist and crashes");
        let fix = "set update_frequency to 1";
        let frequency = place.field("typed_config").field("update_frequency");
        sink.add(&place, found.text(), effect, fix)
            .set(&frequency.path, "1");
    }
}
