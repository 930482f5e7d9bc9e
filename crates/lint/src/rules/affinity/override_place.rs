//! Override host policies that Envoy does not use.

use alloc::{format, string::String};
use spillgate_core::visible::quoted;

use spillgate_config::envoy::facts::{ClusterFacts, Discovery};

use crate::{context::Context, finding::Severity, rule::Rule, sink::Sink};

/// An `override_host` policy is nested in a subset policy, or requests reach its cluster only
/// through an aggregate. Neither passes override hosts on.
///
/// Override hosts are ignored; the fallback policy picks the host.
pub(crate) static IGNORED: Rule = Rule {
    id: "override-host-ignored",
    severity: Severity::Warning,
    summary: "override_host inside a subset policy or an aggregate has no effect",
    check: ignored,
};

/// Finds override host policies that Envoy does not use.
fn ignored(context: &Context<'_>, sink: &mut Sink) {
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
            "cluster {} has an override_host policy, but {inside} ignores override hosts",
            quoted(&cluster.name)
        );
        let effect = "the fallback policy picks the host";
        let fix = "make override_host the outermost policy, and route to the cluster itself";
        sink.add(&source.place, cause, effect, fix);
    }
}

/// The aggregate through which alone requests reach a cluster.
fn aggregate_alone(context: &Context<'_>, cluster: &ClusterFacts) -> Option<String> {
    let routed = |name: &str| context.ways_perhaps_to(name).next().is_some();
    if routed(&cluster.name) || context.plain(&cluster.name).is_none() {
        return None;
    }
    let mut aggregates = context.parents(&cluster.name).iter().filter(|parent| {
        let facts = context.stated(&parent.name);
        facts.is_some_and(|facts| facts.discovery == Discovery::Aggregate) && routed(&parent.name)
    });
    Some(format!(
        "the aggregate {}",
        quoted(&aggregates.next()?.name)
    ))
}
