//! `localityAwareness`.

use alloc::vec::Vec;

use super::super::{
    KumaAffinityTag, KumaFailover, KumaLocalityAwareness, KumaTargetRef, KumaThreshold,
};
use crate::{MeshFault, MeshFaultCode, paths::Place};

/// All errors that do not depend on the destinations, with paths below `localityAwareness`.
pub(in super::super) fn check_locality_values(
    locality: &KumaLocalityAwareness,
    faults: &mut Vec<MeshFault>,
) {
    check(locality, &mut Place::root(faults));
}

/// A MeshService with labels or a section name is in one zone, so that `crossZone` is not allowed.
pub(super) fn check_target(
    locality: &KumaLocalityAwareness,
    target: &KumaTargetRef,
    place: &mut Place<'_>,
) {
    let labels = target
        .labels
        .as_ref()
        .is_some_and(|labels| !labels.is_empty());
    let section = target
        .section_name
        .as_ref()
        .is_some_and(|name| !name.is_empty());
    let local = target.kind == "MeshService" && (labels || section);
    place.field("crossZone").fault_if(
        local && locality.cross_zone.is_some(),
        MeshFaultCode::MustNotBeSet,
    );
}

pub(super) fn check(locality: &KumaLocalityAwareness, place: &mut Place<'_>) {
    let tags = locality.local_zone.as_ref();
    if let Some(tags) = tags.and_then(|zone| zone.affinity_tags.as_deref()) {
        check_tags(tags, &mut place.field("localZone").field("affinityTags"));
    }
    let Some(cross) = &locality.cross_zone else {
        return;
    };
    let mut place = place.field("crossZone");
    let mut failover = place.field("failover");
    for (index, rule) in cross.failover.iter().flatten().enumerate() {
        check_rule(rule, &mut failover.entry(index));
    }
    let threshold = cross.failover_threshold.as_ref().map(KumaThreshold::new);
    if let Some(Err(code)) = threshold {
        place
            .field("failoverThreshold")
            .field("percentage")
            .fault(code);
    }
}

fn check_tags(tags: &[KumaAffinityTag], place: &mut Place<'_>) {
    for (index, tag) in tags.iter().enumerate() {
        let mut place = place.entry(index);
        place
            .field("key")
            .fault_if(tag.key.is_empty(), MeshFaultCode::MustNotBeEmpty);
        let mut place = place.field("weight");
        match tag.weight {
            Some(weight) if weight <= 0 => place.fault(MeshFaultCode::MustBeGreaterThan0),
            Some(weight) if weight > i64::from(u32::MAX) => place.fault(MeshFaultCode::OutOfRange),
            Some(_) | None => {}
        }
    }
    let weighted = tags.iter().filter(|tag| tag.weight.is_some()).count();
    place.fault_if(
        weighted > 0 && weighted < tags.len(),
        MeshFaultCode::AllOrNoneWeighted,
    );
}

fn check_rule(rule: &KumaFailover, place: &mut Place<'_>) {
    if let Some(zones) = &rule.from_zones {
        let mut from = place.field("from");
        let mut from = from.field("zones");
        from.fault_if(zones.is_empty(), MeshFaultCode::MustNotBeEmpty);
        for (index, zone) in zones.iter().enumerate() {
            from.entry(index)
                .fault_if(zone.is_empty(), MeshFaultCode::MustNotBeEmpty);
        }
    }
    let mut to = place.field("to");
    let empty = rule.to.zones.as_ref().is_none_or(Vec::is_empty);
    match rule.to.kind.as_str() {
        "Any" | "None" => to
            .field("zones")
            .fault_if(!empty, MeshFaultCode::MustBeEmptyForType),
        "Only" | "AnyExcept" => to
            .field("zones")
            .fault_if(empty, MeshFaultCode::MustNotBeEmptyForType),
        _ => to.field("type").fault(MeshFaultCode::UnrecognizedType),
    }
}
