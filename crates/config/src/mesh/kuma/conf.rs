//! The configuration of one group of destinations: `to[].default`.

use alloc::vec::Vec;

use spillgate_mesh::kuma::{
    KumaAffinityTag, KumaConf, KumaCrossZone, KumaFailover, KumaFailoverTo, KumaLocalZone,
    KumaLocalityAwareness,
};

use super::{hashing::read_hash_policies, load_balancer::read_load_balancer, number::read_number};
use crate::proto::{Message, Report, Schema};

// Lists keep an element for each faulty one, so that the paths of later faults have the right index.
// Required fields that the rules of Kuma check are not checked here.

/// The fields of `default`.
pub(super) static CONF: Schema =
    Schema::new("default", "localityAwareness loadBalancer hashPolicies")
        .of("MeshLoadBalancingStrategy.to.default");
pub(super) static LOCALITY_AWARENESS: Schema =
    Schema::new("localityAwareness", "disabled localZone crossZone")
        .of("MeshLoadBalancingStrategy.to.default.localityAwareness");
pub(super) static LOCAL_ZONE: Schema = Schema::new("localZone", "affinityTags")
    .of("MeshLoadBalancingStrategy.to.default.localityAwareness.localZone");
pub(super) static AFFINITY_TAG: Schema = Schema::new("affinityTag", "key weight")
    .of("MeshLoadBalancingStrategy.to.default.localityAwareness.localZone.affinityTags");
pub(super) static CROSS_ZONE: Schema = Schema::new("crossZone", "failover failoverThreshold")
    .of("MeshLoadBalancingStrategy.to.default.localityAwareness.crossZone");
pub(super) static FAILOVER: Schema = Schema::new("failover", "from to")
    .of("MeshLoadBalancingStrategy.to.default.localityAwareness.crossZone.failover");
pub(super) static FROM: Schema = Schema::new("from", "zones")
    .of("MeshLoadBalancingStrategy.to.default.localityAwareness.crossZone.failover.from");
pub(super) static TO: Schema = Schema::new("to", "type zones")
    .of("MeshLoadBalancingStrategy.to.default.localityAwareness.crossZone.failover.to");
pub(super) static THRESHOLD: Schema = Schema::new("failoverThreshold", "percentage")
    .of("MeshLoadBalancingStrategy.to.default.localityAwareness.crossZone.failoverThreshold");

/// Reads `default`.
pub(super) fn read_conf(conf: &Message<'_, '_>, report: &mut Report) -> KumaConf {
    KumaConf {
        locality_awareness: read_locality_awareness(conf, report),
        load_balancer: read_load_balancer(conf, report),
        hash_policies: read_hash_policies(conf, report),
    }
}

fn read_locality_awareness(
    conf: &Message<'_, '_>,
    report: &mut Report,
) -> Option<KumaLocalityAwareness> {
    let locality = conf.message("localityAwareness", &LOCALITY_AWARENESS, report)?;
    let local_zone = locality.message("localZone", &LOCAL_ZONE, report);
    let cross_zone = locality.message("crossZone", &CROSS_ZONE, report);
    Some(KumaLocalityAwareness {
        disabled: locality.bool("disabled", report),
        local_zone: local_zone.map(|zone| KumaLocalZone {
            affinity_tags: zone
                .has("affinityTags")
                .then(|| read_affinity_tags(&zone, report)),
        }),
        cross_zone: cross_zone.map(|zone| read_cross_zone(&zone, report)),
    })
}

fn read_affinity_tags(zone: &Message<'_, '_>, report: &mut Report) -> Vec<KumaAffinityTag> {
    let mut tags = Vec::new();
    for (path, node) in zone.items("affinityTags", report) {
        let tag = Message::open(node, path, &AFFINITY_TAG, report);
        tags.push(
            tag.map_or_else(KumaAffinityTag::default, |tag| KumaAffinityTag {
                key: tag.text("key", report),
                weight: tag.i64("weight", report),
            }),
        );
    }
    tags
}

fn read_cross_zone(zone: &Message<'_, '_>, report: &mut Report) -> KumaCrossZone {
    let failover = zone.has("failover").then(|| {
        let items: Vec<_> = zone.items("failover", report).collect();
        let rules = items.into_iter();
        rules
            .map(|(path, node)| {
                let rule = Message::open(node, path, &FAILOVER, report);
                rule.map_or_else(KumaFailover::default, |rule| read_failover(&rule, report))
            })
            .collect()
    });
    let threshold = zone.message("failoverThreshold", &THRESHOLD, report);
    KumaCrossZone {
        failover,
        failover_threshold: threshold.and_then(|threshold| {
            threshold.require("percentage", report);
            read_number(&threshold, "percentage", report)
        }),
    }
}

fn read_failover(rule: &Message<'_, '_>, report: &mut Report) -> KumaFailover {
    let from = rule.message("from", &FROM, report);
    let to = rule.message("to", &TO, report);
    KumaFailover {
        from_zones: from.map(|from| from.texts("zones", report)),
        to: to.map_or_else(KumaFailoverTo::default, |to| KumaFailoverTo {
            kind: to.text("type", report),
            zones: to.has("zones").then(|| to.texts("zones", report)),
        }),
    }
}
