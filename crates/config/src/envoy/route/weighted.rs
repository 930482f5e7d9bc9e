//! `WeightedCluster`: clusters that share the requests of a route.

use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};

use spillgate_core::{
    model::Metadata,
    route::{ClusterName, SplitBy, WeightedCluster, WeightedClusters},
};

use super::context::{ActionContext, check_cluster};
use crate::{
    envoy::{
        common::{lb_struct, read_struct},
        facts::{ReadScalar, RouteFacts, WeightedFacts, scalars_of},
        headers::{MutatedPlace, read_header_mutations},
        schema::{CLUSTER_WEIGHT, WEIGHTED_CLUSTERS},
    },
    node::Node,
    proto::{Message, Path, Report},
};

/// Reads `weighted_clusters`; `criteria` are those of the route.
pub(crate) fn read_weighted(
    action: &Message<'_, '_>,
    criteria: &Metadata,
    context: &ActionContext<'_>,
    facts: &mut RouteFacts,
    report: &mut Report,
) -> Option<WeightedClusters> {
    let errors = report.errors();
    let field = "weighted_clusters";
    let message = action.message(field, &WEIGHTED_CLUSTERS, report)?;
    let by = read_split(&message, report);
    let prefix = message
        .string("runtime_key_prefix", report)
        .unwrap_or_default();
    if !prefix.is_empty() {
        let path = message.path.field("runtime_key_prefix");
        let position = message.position_of("runtime_key_prefix");
        let keys = format!("{prefix}.CLUSTER");
        report.has_runtime_key(&keys, "the weight of a cluster", &path, position);
    }
    let mut clusters = Vec::new();
    for (path, node) in message.list("clusters", report) {
        let entry = read_entry(node, path, criteria, context, facts, report);
        clusters.extend(entry.map(|entry| with_runtime_weight(entry, prefix, report)));
    }
    if report.errors() > errors {
        return None;
    }
    match WeightedClusters::new(clusters, by) {
        Ok(clusters) => Some(clusters),
        Err(error) => {
            report.push(message.error("clusters", "config/weight", error.to_string()));
            None
        }
    }
}

/// With `refresh_cluster_on_retry`, Envoy chooses another weighted cluster for a retry, but the request
/// keeps what the filters and the header changes of the first one have made of it, and with dynamic
/// metadata the criteria of the first one that has subsets. That is a limit.
pub(super) fn name_kept_changes(
    action: &Message<'_, '_>,
    weighted: &WeightedClusters,
    criteria: &Metadata,
    report: &mut Report,
) {
    let changes = |one: &WeightedCluster| {
        let headers = !one.headers.is_empty() || one.host_rewrite.is_some();
        one.filters.is_some() || headers || one.criteria != *criteria
    };
    if weighted.clusters().iter().any(changes) {
        let field = "weighted_clusters";
        report.limit(
            "config/not-modeled",
            "a retry with refresh_cluster_on_retry keeps the filters, header changes and subset \
             criteria of the first weighted cluster; those of its own cluster are modeled",
            &action.path.field(field),
            action.position_of(field),
        );
    }
}

/// What selects one of several clusters (`header_name`, `use_hash_policy`).
pub(super) fn read_split(message: &Message<'_, '_>, report: &mut Report) -> SplitBy {
    message.one_of(&["header_name", "use_hash_policy"], report);
    let header = message.string("header_name", report).unwrap_or_default();
    match message.bool("use_hash_policy", report) {
        Some(true) => SplitBy::HashPolicy,
        _ if header.is_empty() => SplitBy::Random,
        _ => SplitBy::Header(header.to_ascii_lowercase()),
    }
}

/// The weighted cluster with the weight of its runtime key. The key of a cluster that a header names
/// ends with the dot.
fn with_runtime_weight(of: WeightedCluster, prefix: &str, report: &Report) -> WeightedCluster {
    let name = match &of.cluster {
        ClusterName::Name(name) => name,
        ClusterName::Header(_) => "",
    };
    let weight = (!prefix.is_empty())
        .then(|| report.runtime_integer(&format!("{prefix}.{name}")))
        .flatten();
    match weight {
        // Weights that do not fit are too large in sum.
        Some((weight, _)) => WeightedCluster {
            weight: u32::try_from(weight).unwrap_or(u32::MAX),
            ..of
        },
        None => of,
    }
}

fn read_entry(
    node: &Node<'_>,
    path: Path,
    criteria: &Metadata,
    context: &ActionContext<'_>,
    facts: &mut RouteFacts,
    report: &mut Report,
) -> Option<WeightedCluster> {
    let entry = Message::open(node, path, &CLUSTER_WEIGHT, report)?;
    if report.is_judged() {
        facts.weighted.push(WeightedFacts::of(&entry));
    }
    let own_filters = context.filters.read_overrides(&entry, report);
    if !entry.has("weight") {
        report.push(entry.error("weight", "config/missing", "cluster without a weight"));
    }
    let weight = entry.wrapped_u32("weight", report);
    let own = read_criteria(&entry, &mut facts.scalars, report);
    let headers = read_header_mutations(&entry, MutatedPlace::Route, report);
    let text = |field, report: &mut Report| {
        let text = entry.string(field, report);
        text.filter(|text| !text.is_empty())
    };
    let name = text("name", report);
    let header = text("cluster_header", report);
    let host_rewrite = text("host_rewrite_literal", report).map(String::from);
    let cluster = match (name, header) {
        (Some(name), None) => {
            check_cluster(&entry, "name", name, context, report);
            ClusterName::Name(name.into())
        }
        (None, Some(header)) => ClusterName::Header(header.to_ascii_lowercase()),
        (Some(_), Some(_)) => {
            entry.one_of(&["name", "cluster_header"], report);
            return None;
        }
        (None, None) => {
            entry
                .missing("name")
                .expected("name or cluster_header")
                .push_to(report);
            return None;
        }
    };
    Some(WeightedCluster {
        cluster,
        weight: weight?,
        criteria: criteria.overridden(&own),
        filters: (!own_filters.is_empty()).then(|| {
            let mut priorities = Vec::from([&own_filters]);
            priorities.extend(context.priorities);
            context.filters.with(&priorities)
        }),
        headers,
        host_rewrite,
    })
}

/// The criteria in `metadata_match`. `scalars`: for lint, their scalars.
pub(super) fn read_criteria(
    message: &Message<'_, '_>,
    scalars: &mut Vec<ReadScalar>,
    report: &mut Report,
) -> Metadata {
    let Some((path, node)) = lb_struct(message, "metadata_match", report) else {
        return Metadata::default();
    };
    if report.is_judged() {
        scalars.extend(scalars_of(&path, node));
    }
    read_struct(node, &path, report)
}
