//! Routes and clusters for the later attempts of `output.attempts_per_cluster`.

use alloc::{format, string::String};
use spillgate_core::visible::quoted;

use spillgate_config::{envoy::facts::SpillgateFacts, filter::FilterForm};
use spillgate_core::route::RouteTarget;

use crate::{
    attempts::{composite, is_asked_again, pairs, takes_header},
    context::Context,
    figures::counted,
    finding::Severity,
    sink::Sink,
    ways::Way,
};

/// Reports a route whose later attempts do not reach the next cluster.
pub(super) fn later_attempts(
    context: &Context<'_>,
    way: &Way<'_>,
    ours: &SpillgateFacts,
    sink: &mut Sink,
) {
    let Some(attempts) = ours.steering.output.attempts_per_cluster else {
        return;
    };
    if pairs(ours).next().is_none() {
        return;
    }
    match ours.form {
        FilterForm::DynamicModule => of_module(way, sink),
        FilterForm::Wasm if takes_header(way) => of_wasm(context, way, ours, attempts, sink),
        FilterForm::Wasm => {}
    }
}

/// The specifier of the module answers with the next cluster if the router asks again.
fn of_module(way: &Way<'_>, sink: &mut Sink) {
    if is_asked_again(way) || way.route.retries.is_none() {
        return;
    }
    let (what, fix) = match &way.forward.target {
        RouteTarget::Chosen(_) => (
            "does not refresh the cluster on a retry",
            "set refresh_cluster_on_retry: true in its retry_policy (Envoy 1.40)",
        ),
        _ => (
            "has no cluster specifier of the module",
            "use the module's cluster specifier on the route, and refresh_cluster_on_retry: true in its retry_policy (Envoy 1.40)",
        ),
    };
    let cause = format!(
        "the Spillgate filter sends later attempts to the next cluster (output.attempts_per_cluster), but {} {what}",
        way.route_name()
    );
    let effect = "all attempts stay in the cluster of the first one: if all its hosts fail, the request fails";
    sink.add(&way.route.action, cause, effect, fix).severity = Severity::Warning;
}

/// The header of the Wasm filter names a composite cluster for each pair.
fn of_wasm(
    context: &Context<'_>,
    way: &Way<'_>,
    ours: &SpillgateFacts,
    attempts: usize,
    sink: &mut Sink,
) {
    let place = &way.route.action;
    if context.facts.whole && !context.facts.clusters_elsewhere {
        let is_missing = |pair: &(&String, &String)| context.stated(&name_of(*pair)).is_none();
        let mut missing = pairs(ours).filter(is_missing);
        if let Some(first) = missing.next() {
            let others = match missing.count() {
                0 => String::new(),
                others => format!(" and {others} more"),
            };
            let cause = format!(
                "the Spillgate filter names composite cluster {} for requests whose later attempts go to the next \
                 cluster (output.attempts_per_cluster), which does not exist{others}",
                quoted(&name_of(first))
            );
            let effect = "requests that it names the cluster for get 503";
            let fix = "add a composite cluster for each ordered pair of clusters (spillgate explain-code steered-cluster-ignored)";
            sink.add(place, cause, effect, fix);
            return;
        }
    }
    for (first, next) in pairs(ours) {
        let Some((name, cluster)) = composite(context, (first, next)) else {
            continue;
        };
        let members = &cluster.members;
        let own = members.iter().take_while(|member| *member == first).count();
        let rest = members.get(own..).unwrap_or_default();
        if own == attempts && !rest.is_empty() && rest.iter().all(|member| member == next) {
            continue;
        }
        let stated = context.stated(&name).map(|facts| &facts.place);
        let cause = format!(
            "composite cluster {} does not have {} for {}, then one or more for {} \
             (output.attempts_per_cluster: {attempts})",
            quoted(&name),
            counted(attempts, "member"),
            quoted(first),
            quoted(next)
        );
        let effect =
            "attempts reach another cluster than the one whose hosts the filter lists for them";
        let fix = format!(
            "list {} {attempts} times, then {} for each further attempt",
            quoted(first),
            quoted(next)
        );
        sink.add(stated.unwrap_or(place), cause, effect, fix);
        return;
    }
}

fn name_of((first, next): (&String, &String)) -> String {
    format!("{first},{next}")
}
