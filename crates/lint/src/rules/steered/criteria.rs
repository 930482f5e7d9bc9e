//! Criteria of Envoy that the Spillgate filter does not have.

use alloc::format;
use spillgate_core::visible::quoted;

use spillgate_config::envoy::facts::{FieldPlace, FilterKind, HostDelivery};
use spillgate_core::model::{Metadata, NAMESPACE};

use crate::{
    context::{Context, Plain},
    figures::counted,
    finding::Severity,
    rule::Rule,
    rules::affinity::host_list::steered,
    sink::Sink,
    ways::{Steering, Way},
};

/// A route's `metadata_match`, or a filter that writes metadata `envoy.lb`, selects hosts by a key that is no
/// criterion of the Spillgate filter.
///
/// Envoy ignores subsets for the hosts of a list, so requests reach hosts of all subsets.
pub(crate) static MISSING: Rule = Rule {
    id: "steered-criteria-missing",
    severity: Severity::Error,
    summary: "Envoy's subset criteria that the Spillgate filter does not have",
    check,
};

fn check(context: &Context<'_>, sink: &mut Sink) {
    for way in &context.ways {
        let Some(Steering { ours, .. }) = way.steering() else {
            continue;
        };
        if ours.delivery == HostDelivery::Subset {
            continue;
        }
        let stated = way.criteria.fields().iter().map(|field| &*field.key);
        for key in stated.chain(way.added_keys()) {
            let of_route =
                || ours.steering.route_metadata && way.metadata.criteria.get(key).is_some();
            if ours.steering.criteria.iter().any(|own| own == key) || of_route() {
                continue;
            }
            let mut clusters = steered(context, way, ours);
            let Some((cluster, severity)) =
                clusters.find_map(|one| Some((one, selects(&one, key)?)))
            else {
                continue;
            };
            report(sink, way, &cluster, key).severity = severity;
        }
    }
}

/// Whether hosts of a cluster differ by a key: certainly, or possibly if they are not known.
fn selects(cluster: &Plain<'_>, key: &str) -> Option<Severity> {
    let has = |metadata: &Metadata| metadata.get(key).is_some();
    if cluster.hosts() == 0 {
        return Some(Severity::Warning);
    }
    cluster.metadata().any(has).then_some(Severity::Error)
}

fn report<'s>(
    sink: &'s mut Sink,
    way: &Way<'_>,
    cluster: &Plain<'_>,
    key: &str,
) -> &'s mut crate::finding::Finding {
    let value = way.criteria.get(key);
    let (what, place) = match value {
        Some(_) => ("metadata_match of the route", way.criteria_place().clone()),
        None => ("a filter", written(way, key)),
    };
    let cause = format!(
        "{what} selects hosts of cluster {} by {}, which is no criterion of the Spillgate filter",
        quoted(cluster.name()),
        quoted(key)
    );
    let fits = value.map(|value| {
        let fits = |metadata: &&Metadata| metadata.get(key) == Some(value);
        cluster.metadata().filter(fits).count()
    });
    let effect = match (fits, cluster.hosts()) {
        (Some(fits), hosts @ 1..) => format!(
            "the filter's list may have all {}, not only {fits} with this value; override_host ignores subsets",
            counted(hosts, "host")
        ),
        _ => "the filter's list has hosts of all subsets; override_host ignores subsets".into(),
    };
    let fix = format!(
        "add {} to the criteria of the filter, and a step with it to its subset_chain",
        quoted(key)
    );
    sink.add(&place, cause, effect, fix)
}

/// The rule of a filter that writes a key, or else the route.
fn written(way: &Way<'_>, key: &str) -> FieldPlace {
    let rules = way.active_filters().filter_map(|(_, kind)| match kind {
        FilterKind::HeaderToMetadata(rules) => Some(rules),
        _ => None,
    });
    let mut rules = rules.flatten();
    let rule = rules.find(|rule| rule.namespace == NAMESPACE && rule.key == key);
    rule.map_or_else(|| way.route.action.clone(), |rule| rule.place.clone())
}
