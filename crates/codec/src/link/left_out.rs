//! The settings that a link drops.

use alloc::{vec, vec::Vec};

use spillgate_core::model::{
    ClusterKind, LeastRequestConfig, LocalityLb, OriginalDstCluster, PlainCluster, Policy,
    ZoneAware,
};

use super::Scenario;

/// The names of the settings that a link of this scenario drops, each once. A reader of the link sees
/// the clusters without them.
#[must_use]
pub fn left_out<O>(scenario: &Scenario<O>) -> Vec<&'static str> {
    let mut names: Vec<&'static str> = Vec::new();
    for cluster in scenario.clusters() {
        let found = match &cluster.kind {
            ClusterKind::Plain(plain) => of_plain(plain),
            ClusterKind::Aggregate(aggregate) => {
                vec![("flatten_aggregates", aggregate.flatten)]
            }
            ClusterKind::Composite(_) => Vec::new(),
            ClusterKind::OriginalDst(original) => {
                let differs = *original != OriginalDstCluster::default();
                vec![("original_dst_lb_config", differs)]
            }
        };
        for (name, differs) in found {
            if differs && !names.contains(&name) {
                names.push(name);
            }
        }
    }
    names
}

fn of_plain(plain: &PlainCluster) -> Vec<(&'static str, bool)> {
    let least_request = match plain.policy {
        Policy::LeastRequest(config) => config != LeastRequestConfig::default(),
        _ => false,
    };
    let zones = match plain.locality_lb {
        LocalityLb::ZoneAware(config) => config != ZoneAware::DEFAULT,
        LocalityLb::Weighted => false,
    };
    let mut endpoints = plain
        .priorities
        .iter()
        .flat_map(|priority| &priority.endpoints);
    vec![
        ("subsets", plain.subsets.is_some()),
        ("least_request_lb_config", least_request),
        ("zone_aware_lb_config", zones),
        ("slow_start_config", plain.slow_start.is_some()),
        ("hash_balance_factor", plain.hash_balance_factor.is_some()),
        (
            "hash_policy of the load-balancing policy",
            !plain.hash_policies.is_empty(),
        ),
        ("drop_overloads", plain.drop_overload.millionths() > 0),
        (
            "reported weights",
            endpoints.any(|endpoint| endpoint.reported_weight.is_some()),
        ),
    ]
}
