//! Routes that do not follow the cluster of the Spillgate filter.

use alloc::{format, string::String};

use spillgate_config::{
    envoy::facts::{HostDelivery, SpillgateFacts},
    filter::FilterForm,
};
use spillgate_core::route::{ClusterName, RouteTarget};

use super::attempts::later_attempts;
use crate::{
    context::{Context, Plain},
    figures::percent,
    finding::Severity,
    rule::Rule,
    rules::affinity::host_list::is_open,
    sink::Sink,
    ways::{Steering, Way},
};

/// The Spillgate filter chooses the cluster of a request, and the route chooses one itself: by weights, by
/// name, by another header, or by a specifier that does not know the filter's choice.
///
/// Where the two differ, the cluster has no host of the list. The request gets 503 if the cluster is
/// isolated, and otherwise another host. With `output.attempts_per_cluster`, the same applies to later
/// attempts.
pub(crate) static IGNORED: Rule = Rule {
    id: "steered-cluster-ignored",
    severity: Severity::Error,
    summary: "route chooses a cluster without regard to that of the Spillgate filter",
    check,
};

fn check<'w, 'c>(context: &'w Context<'c>, sink: &mut Sink) {
    let each = |ways: &'w [Way<'c>]| ways.iter().map(move |way| (way, ways));
    for (way, of_route) in context.by_route().flat_map(each) {
        let Some(Steering { ours, .. }) = way.steering() else {
            continue;
        };
        let place = &way.route.action;
        // Its metadata can turn the filter off or name the target.
        let settles = ours.steering.by_route && !way.metadata.settings.is_empty();
        if ours.delivery == HostDelivery::Subset || settles || sink.has(&place.path) {
            continue;
        }
        match &way.forward.target {
            RouteTarget::One(ClusterName::Header(header)) => {
                let own = &ours.steering.output.cluster_header;
                if header != own {
                    let cause = format!(
                        "{} takes the cluster from {header}, but the Spillgate filter writes {own}",
                        way.route_name()
                    );
                    let effect =
                        "requests get 503, or the cluster that a client names in this header";
                    let fix = format!("set cluster_header to {own}");
                    let finding = sink.add(place, cause, effect, fix);
                    finding.set(place.field("cluster_header"), format!("\"{own}\""));
                }
            }
            RouteTarget::Chosen(_) => {
                let same = ours.form == FilterForm::DynamicModule
                    && way.route.specifier == ours.steering.module;
                if !same {
                    let cause = format!(
                        "the cluster specifier of {} comes from another file than the Spillgate filter",
                        way.route_name()
                    );
                    let effect = "the route uses the cluster of undecided requests, which has no host of the list";
                    let fix = "use the same dynamic_module_config in specifier and filter";
                    sink.add(place, cause, effect, fix);
                }
            }
            RouteTarget::One(ClusterName::Name(_))
            | RouteTarget::Weighted(_)
            | RouteTarget::Matched(_) => named(context, (way, of_route), ours, sink),
        }
        if !sink.has(&place.path) {
            later_attempts(context, way, ours, sink);
        }
    }
}

/// A route that names its clusters: one of its ways, and all of them.
fn named(
    context: &Context<'_>,
    (way, of_route): (&Way<'_>, &[Way<'_>]),
    ours: &SpillgateFacts,
    sink: &mut Sink,
) {
    let owners = &ours.steering.owners;
    let Some(cluster) = way.cluster.and_then(|name| context.plain(name)) else {
        return;
    };
    let reads = !cluster.plain.override_hosts.is_empty();
    let only = owners.iter().all(|(owner, _)| owner == cluster.name());
    // Conditions of the filter and of routes can agree, but not with a draw.
    let may_agree = !ours.steering.targets.is_empty() && !way.draws();
    if !reads || only || may_agree {
        return;
    }
    let (severity, effect) = effect(of_route, ours, &cluster);
    // Without the filter, it would get the same hosts.
    let is_foreign = !ours.clusters.iter().any(|own| own == cluster.name());
    if is_foreign && severity == Severity::Warning {
        return;
    }
    let how = match &way.forward.target {
        RouteTarget::Weighted(_) => "has weighted_clusters",
        RouteTarget::Matched(_) => "chooses a cluster by conditions",
        _ => "names one cluster",
    };
    let cause = format!(
        "{} {how}, but the Spillgate filter also chooses the cluster",
        way.route_name()
    );
    let fix = match ours.form {
        FilterForm::Wasm => format!(
            "use cluster_header: {} on the route; the weights belong to the filter's target (weighted)",
            ours.steering.output.cluster_header
        ),
        FilterForm::DynamicModule => String::from(
            "use the module's cluster specifier on the route; the weights belong to the filter's target (weighted)",
        ),
    };
    sink.add(&way.route.action, cause, effect, fix).severity = severity;
}

fn effect(of_route: &[Way<'_>], ours: &SpillgateFacts, cluster: &Plain<'_>) -> (Severity, String) {
    let which = match apart(of_route, ours) {
        Some(share) => format!("{} of the requests go", percent(share)),
        None => String::from("requests for which the two differ go"),
    };
    let open = match cluster.undecided() {
        Some(undecided) => !undecided.refused(ours.restriction.is_some()),
        None => is_open(cluster),
    };
    match (open, ours.restriction) {
        (false, _) => (
            Severity::Error,
            format!("{which} to a cluster without a host of the list: 503"),
        ),
        (true, Some(_)) => (
            Severity::Error,
            format!(
                "{which} to a cluster without a host of the list: any of its hosts, without regard to criteria and sessions"
            ),
        ),
        (true, None) => (
            Severity::Warning,
            format!("{which} to a cluster without a host of the list: any of its hosts"),
        ),
    }
}

/// The percentage of requests for which a route and the filter choose different clusters, if both use
/// weights.
fn apart(of_route: &[Way<'_>], ours: &SpillgateFacts) -> Option<f64> {
    let owners = &ours.steering.owners;
    let weight = |weight: Option<u64>| weight.map(|weight| weight as f64);
    let total: f64 = owners
        .iter()
        .map(|(_, own)| weight(*own))
        .sum::<Option<f64>>()?;
    let mut same = 0.0;
    for other in of_route {
        let name = other.cluster?;
        let own = owners.iter().find(|(owner, _)| owner == name);
        let own = own.and_then(|(_, own)| weight(*own)).unwrap_or(0.0);
        same += other.share * own;
    }
    let by_weight = of_route.first().is_some_and(|way| {
        matches!(
            way.forward.target,
            RouteTarget::Weighted(_) | RouteTarget::One(_)
        )
    });
    (total > 0.0 && by_weight).then(|| 100.0 - same / total)
}
