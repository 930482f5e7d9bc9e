//! The groups of a policy from the point of view of one proxy (`GetLocalityGroups` in `priority.go`).

use alloc::{format, string::String, vec::Vec};

use super::{
    KumaProxy, KumaProxyKind, KumaRow, reading::Reading, rules::KumaLocalityRules,
    rules::TakenZones,
};

/// A group of endpoints in the local zone.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct LocalGroup {
    pub(super) key: String,
    pub(super) value: String,
    /// `key=value`, the sub-zone.
    pub(super) sub_zone: String,
    pub(super) weight: u32,
}

/// A group of other zones.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ZoneGroup<'a> {
    pub(super) takes: &'a TakenZones,
    pub(super) priority: u32,
    /// The index in `failover`.
    pub(super) rule: usize,
}

/// The local groups in the order in which an endpoint joins them.
pub(super) fn local_groups(
    rules: &KumaLocalityRules,
    proxy: &KumaProxy,
    reading: Reading,
) -> Vec<LocalGroup> {
    let mut groups: Vec<LocalGroup> = rules
        .tags
        .iter()
        .filter_map(|tag| {
            let value = affinity_value(proxy, &tag.key, reading)?;
            Some(LocalGroup {
                key: tag.key.clone(),
                value: value.into(),
                sub_zone: format!("{}={value}", tag.key),
                weight: tag.weight.get(),
            })
        })
        .collect();
    if reading.follows_record(KumaRow::TagOrder) {
        groups.sort_by_key(|group| core::cmp::Reverse(group.weight));
    }
    groups
}

/// The value of an affinity key: the alphabetically first value of the tag, else the label of the
/// Dataplane. The zone egress has neither.
pub(super) fn affinity_value<'a>(
    proxy: &'a KumaProxy,
    key: &str,
    reading: Reading,
) -> Option<&'a str> {
    if proxy.kind == KumaProxyKind::ZoneEgress {
        return None;
    }
    let tag = proxy.tags.get(key).and_then(|values| values.first());
    let label = || {
        if reading.follows_record(KumaRow::LabelFallback) {
            None
        } else {
            proxy.meta.labels.get(key)
        }
    };
    tag.or_else(label).map(String::as_str)
}

/// The groups of other zones, in rule order.
pub(super) fn zone_groups<'a>(
    rules: &'a KumaLocalityRules,
    zone: &str,
    reading: Reading,
) -> Vec<ZoneGroup<'a>> {
    let mut groups = Vec::new();
    for (index, rule) in rules.failover.iter().enumerate() {
        let excluded = reading.follows_record(KumaRow::ExcludedZone)
            && matches!(&rule.takes, TakenZones::AnyExcept(zones) if zones.contains(zone));
        if excluded || !rule.applies_to(zone) {
            continue;
        }
        let place = if reading.follows_record(KumaRow::PriorityGaps) {
            groups.len()
        } else {
            index
        };
        groups.push(ZoneGroup {
            takes: &rule.takes,
            priority: u32::try_from(place).unwrap_or(u32::MAX).saturating_add(1),
            rule: index,
        });
    }
    groups
}
