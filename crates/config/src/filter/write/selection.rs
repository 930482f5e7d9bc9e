//! Targets, criteria and the subset fallback chain.

use alloc::{string::String, vec::Vec};

use spillgate_core::{
    model::{ChainHosts, ChainStep},
    route::ClusterName,
};

use crate::{
    filter::{Criterion, TargetConfig, chain::RETRY},
    proto::Report,
    write::{Fields, name_of, route_match, structure, value, within},
};

pub(super) fn target(of: &TargetConfig, report: &mut Report) -> Fields {
    match of {
        TargetConfig::Always(cluster) => within("target", cluster.as_str()),
        TargetConfig::FirstMatch(rules) => {
            let mut targets = Vec::new();
            for rule in rules {
                for one in &rule.matches {
                    let target = within("match", route_match(one, report));
                    targets.push(target.with("cluster", rule.cluster.as_str()));
                }
            }
            Fields::new().with_list("targets", targets)
        }
        TargetConfig::Weighted(weighted) => {
            let entries = weighted.clusters().iter().map(|one| {
                let (ClusterName::Name(name) | ClusterName::Header(name)) = &one.cluster;
                within("cluster", name.as_str()).with("weight", u64::from(one.weight))
            });
            Fields::new().with_list("weighted", entries)
        }
    }
}

pub(super) fn criteria(of: &[Criterion]) -> impl Iterator<Item = Fields> {
    of.iter().map(|criterion| match criterion {
        Criterion::Constant { key, value: wanted } => {
            within("key", &**key).with("value", value(wanted))
        }
        Criterion::Header { key, header } => within("key", &**key).with("header", header.as_str()),
        Criterion::RouteMetadata => within("route_metadata", true),
    })
}

pub(super) fn chain(of: &[ChainStep]) -> impl Iterator<Item = Fields> {
    of.iter().map(|step| {
        let hosts = match &step.hosts {
            ChainHosts::Keys(keys) => {
                Fields::new().with_list("keys", keys.iter().map(|key| String::from(&**key)))
            }
            ChainHosts::Match(wanted) => within("match", structure(wanted)),
            ChainHosts::Any => within("any", true),
        };
        hosts
            .with_unless("min_healthy_hosts", u64::from(step.min_healthy_hosts), 1)
            .with_unless(
                "min_healthy_percent",
                u64::from(step.min_healthy_percent),
                0,
            )
            .with_unless(
                "panic_threshold",
                u64::from(step.panic_threshold.percent()),
                0,
            )
            .with_flag("last_resort", step.last_resort)
            .with_some(
                "retry",
                step.retry_next_step.then(|| name_of(&RETRY, &true)),
            )
    })
}
