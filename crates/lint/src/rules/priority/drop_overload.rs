//! Assignments that drop every request.

use alloc::format;
use spillgate_core::visible::quoted;

use spillgate_config::envoy::facts::FieldPlace;

use crate::{
    context::{Context, Plain},
    finding::Severity,
    rule::Rule,
    sink::Sink,
};

/// `drop_overloads` of a cluster is 100 %, also after a limit in the runtime.
///
/// Every HTTP request to the cluster gets 503.
pub(crate) static ALL: Rule = Rule {
    id: "drop-overload-all",
    severity: Severity::Error,
    summary: "drop_overloads of 100 %: every request gets 503",
    check,
};

fn check(context: &Context<'_>, sink: &mut Sink) {
    for cluster in context.plains() {
        if cluster.plain.drop_overload.millionths() < 1_000_000 {
            continue;
        }
        // Envoy drops no connections of tcp_proxy.
        let parents = context.parents(cluster.name()).iter();
        let names = parents
            .map(|parent| parent.name.as_str())
            .chain([cluster.name()]);
        let mut to_it = names.flat_map(|name| context.ways_to(name)).peekable();
        if to_it.peek().is_some() && to_it.all(|way| way.route.is_tcp) {
            continue;
        }
        let cause = format!(
            "drop_overloads of cluster {} is 100 %",
            quoted(cluster.name())
        );
        let effect = "every HTTP request to the cluster gets 503";
        let fix = "set a lower drop_percentage";
        sink.add(&place(&cluster), cause, effect, fix);
    }
}

/// The place of the setting, in the assignment or in the runtime.
fn place(cluster: &Plain<'_>) -> FieldPlace {
    let entry = cluster.facts.localities.first();
    let assignment = entry.and_then(|entry| entry.place.path.rsplit_once("endpoints["));
    let path = match assignment {
        Some((assignment, _)) => format!("{assignment}policy.drop_overloads"),
        None => return cluster.facts.place.clone(),
    };
    let position = cluster.drop_overload_position();
    FieldPlace {
        path,
        position: position.unwrap_or(cluster.facts.place.position),
    }
}
