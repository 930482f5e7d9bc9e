//! Policies that take hosts from requests, where Envoy does not ask them.

use alloc::{format, string::String};

use spillgate_config::envoy::facts::{ClusterFacts, Discovery};

use crate::{
    context::Context,
    finding::Severity,
    rule::{Rule, Sink},
};

/// An `override_host` policy stands inside a subset policy, or its cluster is reached by way of an
/// aggregate alone. Neither tells it of the request.
///
/// The hosts that requests name are ignored; its fallback policy chooses.
pub(crate) static IGNORED: Rule = Rule {
    id: "override-host-ignored",
    severity: Severity::Warning,
    summary: "an override_host policy inside a subset policy or an aggregate is ignored",
    check: ignored,
};

/// Looks for override hosts inside policies that never ask them.
fn ignored(context: &Context<'_>, sink: &mut Sink<'_>) {
    for cluster in &context.facts.clusters {
        let Some(source) = cluster.policy.overrides.first() else {
            continue;
        };
        let inside = match context.plain(&cluster.name) {
            Some(plain) if plain.plain.override_hosts.is_empty() => {
                Some(String::from("its subset policy"))
            }
            _ => aggregate_alone(context, cluster),
        };
        let Some(inside) = inside else { continue };
        let cause = format!(
            "the override_host policy of cluster {:?} is asked by {inside}, which does not tell it \
             of the request",
            cluster.name
        );
        let effect = "the hosts that requests name are ignored: the fallback policy chooses";
        let fix = "put override_host outermost, around the subset policy, and route to the cluster \
                   itself";
        sink.add(&source.place, cause, effect, fix);
    }
}

/// The aggregate by whose way alone requests come to a cluster.
fn aggregate_alone(context: &Context<'_>, cluster: &ClusterFacts) -> Option<String> {
    let routed = |name: &str| {
        let mut ways = context.ways.iter();
        ways.any(|way| way.cluster.is_none_or(|routed| routed == name))
    };
    let mut aggregates = context.facts.clusters.iter().filter(|aggregate| {
        aggregate.discovery == Discovery::Aggregate
            && routed(&aggregate.name)
            && context
                .owners(&aggregate.name)
                .iter()
                .any(|member| member.name() == cluster.name)
    });
    let aggregate = aggregates.next().filter(|_| !routed(&cluster.name))?;
    Some(format!("the aggregate {:?}", aggregate.name))
}
