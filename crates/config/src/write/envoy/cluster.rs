//! One `Cluster`.

use alloc::{format, string::String};

use spillgate_core::model::{
    AggregateCluster, Cluster, ClusterKind, CompositeCluster, HealthStatus, MaglevConfig,
    OriginalDstCluster, OverrideStatuses, PanicThreshold, PlainCluster, Policy,
};

use super::{
    super::tree::{Fields, Tree, within},
    address::Address,
    assignment::assignment,
    endpoint::{EndpointContext, metadata_key},
    locality_lb::percent,
    policy::policy,
};
use crate::{
    Diagnostic,
    envoy::{AGGREGATE_TYPE, COMPOSITE_TYPE, DEFAULT_ORIGINAL_DST_HEADER},
    node::quote,
    proto::Report,
};

/// The cluster as a message. Parts that Envoy cannot express are reported.
pub(crate) fn cluster(cluster: &Cluster, report: &mut Report) -> Fields {
    let fields = within("name", cluster.name.as_str());
    fields.and(match &cluster.kind {
        ClusterKind::Plain(plain) => self::plain(&cluster.name, plain, report),
        ClusterKind::Aggregate(aggregate) => self::aggregate(&cluster.name, aggregate, report),
        ClusterKind::Composite(composite) => self::composite(composite, report),
        ClusterKind::OriginalDst(original) => original_dst(original),
    })
}

fn plain(name: &str, plain: &PlainCluster, report: &mut Report) -> Fields {
    if plain.policy == Policy::Rendezvous {
        // Envoy itself uses its nearest policy.
        let nearest = PlainCluster {
            policy: Policy::Maglev(MaglevConfig::default()),
            ..plain.clone()
        };
        let ours = within("lb_policy", Policy::Rendezvous.name());
        return self::plain(name, &nearest, report).with("metadata", our_options(ours));
    }
    let context = endpoint_context(name, plain);
    let common =
        panic_threshold(plain.panic_threshold).and(override_statuses(plain.override_statuses));
    within("type", if context.dns { "STRICT_DNS" } else { "STATIC" })
        .and(policy(plain, common, context))
        .with("load_assignment", assignment(plain, context, report))
}

/// How the hosts of a cluster are written.
pub(super) fn endpoint_context<'c>(name: &'c str, plain: &PlainCluster) -> EndpointContext<'c> {
    let mut hosts = plain
        .priorities
        .iter()
        .flat_map(|priority| &priority.endpoints);
    let is_name = |text: &str| Address::of(text).is_some_and(|address| address.is_name());
    let names = hosts.clone().any(|host| is_name(&host.address));
    let hash_hostname = hosts.any(|host| host.hash_key.is_some() && metadata_key(host).is_none());
    EndpointContext {
        cluster: name,
        // Without a hash policy, only STRICT_DNS clusters support hashing of host names.
        dns: names || (hash_hostname && !plain.policy.hashes()),
        hash_hostname,
    }
}

fn aggregate(name: &str, aggregate: &AggregateCluster, report: &mut Report) -> Fields {
    if aggregate.members.is_empty() {
        let message = format!("aggregate {} has no members", quote(name));
        report.push(Diagnostic::error("write/value", message));
    }
    let members = aggregate.members.iter().map(String::as_str);
    let config = Fields::of_type(AGGREGATE_TYPE).with_list("clusters", members);
    let cluster_type = within("name", "envoy.clusters.aggregate").with("typed_config", config);
    let ours = Fields::new().with_flag("flatten_aggregates", aggregate.flatten);
    let metadata = if aggregate.flatten {
        our_options(ours)
    } else {
        Fields::new()
    };
    within("cluster_type", cluster_type)
        .with_filled("metadata", metadata)
        .with("lb_policy", "CLUSTER_PROVIDED")
        .with_filled(
            "common_lb_config",
            panic_threshold(aggregate.panic_threshold),
        )
}

fn composite(composite: &CompositeCluster, report: &mut Report) -> Fields {
    if !composite.skips {
        report.push(Diagnostic::warning(
            "write/runtime",
            "composite_cluster_skip_clusters_without_hosts, a value of layered_runtime, is not written: \
             attempts go on to the next member if one has no host",
        ));
    }
    let members = composite
        .members
        .iter()
        .map(|name| within("name", name.as_str()));
    let config = Fields::of_type(COMPOSITE_TYPE).with_list("clusters", members);
    let cluster_type = within("name", "envoy.clusters.composite").with("typed_config", config);
    within("cluster_type", cluster_type).with("lb_policy", "CLUSTER_PROVIDED")
}

/// `Cluster.metadata` with Spillgate's options.
fn our_options(options: Fields) -> Fields {
    within("filter_metadata", within("spillgate", options))
}

fn original_dst(original: &OriginalDstCluster) -> Fields {
    let header = original.http_header.as_deref();
    let config = Fields::new()
        .with_flag("use_http_header", header.is_some())
        .with_some(
            "http_header_name",
            header.filter(|name| *name != DEFAULT_ORIGINAL_DST_HEADER),
        )
        .with_some("upstream_port_override", original.upstream_port);
    within("type", "ORIGINAL_DST")
        .with("lb_policy", "CLUSTER_PROVIDED")
        .with_filled("original_dst_lb_config", config)
}

fn override_statuses(of: OverrideStatuses) -> Fields {
    if of == OverrideStatuses::DEFAULT {
        return Fields::new();
    }
    let statuses = HealthStatus::ALL
        .into_iter()
        .filter(|status| of.contains(*status));
    let set = Fields::new().with_list("statuses", statuses.map(HealthStatus::name));
    within("override_host_status", set)
}

fn panic_threshold(threshold: PanicThreshold) -> Fields {
    let other = threshold != PanicThreshold::DEFAULT;
    let threshold = Tree::from(percent(threshold.percent()));
    Fields::new().with_some("healthy_panic_threshold", other.then_some(threshold))
}
