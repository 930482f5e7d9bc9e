//! Legal locality rules.

use alloc::{collections::BTreeSet, string::String, vec::Vec};
use core::num::NonZeroU32;

use super::{
    KumaFailover, KumaLocalityAwareness, KumaThreshold, validate::check_locality_values,
    weights::default_weights,
};
use crate::{MeshFault, MeshFaultCode};

/// A legal `localityAwareness`. An empty `localityAwareness` and a configuration without one are the
/// default value: other zones follow the local zone.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct KumaLocalityRules {
    /// `disabled`.
    pub(super) disabled: bool,
    /// `localityAwareness` is present.
    pub(super) present: bool,
    /// `localZone` is present.
    pub(super) local_zone: bool,
    /// `crossZone` is present.
    pub(super) cross_zone: bool,
    /// The affinity tags with their weights.
    pub(super) tags: Vec<WeightedTag>,
    /// The rules of `crossZone.failover`.
    pub(super) failover: Vec<FailoverRule>,
    pub(super) threshold: Option<KumaThreshold>,
}

/// An affinity tag with its explicit or default weight.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct WeightedTag {
    pub(super) key: String,
    pub(super) weight: NonZeroU32,
}

/// One entry of `failover`.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct FailoverRule {
    /// The zones of the proxies; `None` means all.
    pub(super) from: Option<BTreeSet<String>>,
    pub(super) takes: TakenZones,
}

/// The zones that a rule takes.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum TakenZones {
    None,
    Only(BTreeSet<String>),
    Any,
    AnyExcept(BTreeSet<String>),
}

// === impl KumaLocalityRules ===

impl KumaLocalityRules {
    /// The legal form of a `localityAwareness`; `None` is a configuration without it.
    ///
    /// # Errors
    /// All values that have no legal form, with paths below `localityAwareness`: the errors of
    /// Kuma, and more unweighted tags than [`MOST_UNWEIGHTED_TAGS`](super::MOST_UNWEIGHTED_TAGS).
    pub fn new(locality: Option<&KumaLocalityAwareness>) -> Result<Self, Vec<MeshFault>> {
        let Some(locality) = locality else {
            return Ok(Self::default());
        };
        let mut faults = Vec::new();
        check_locality_values(locality, &mut faults);
        if !faults.is_empty() {
            return Err(faults);
        }
        let tags = locality
            .local_zone
            .as_ref()
            .and_then(|zone| zone.affinity_tags.as_deref())
            .unwrap_or_default();
        let weights = weights(tags.iter().map(|tag| tag.weight)).ok_or_else(|| {
            let path = "localZone.affinityTags";
            [MeshFault::new(path, MeshFaultCode::TooManyUnweightedTags)]
        })?;
        let cross = locality.cross_zone.as_ref();
        let failover = cross.and_then(|cross| cross.failover.as_deref());
        let threshold = cross.and_then(|cross| cross.failover_threshold.as_ref());
        let keys = tags.iter().map(|tag| tag.key.clone());
        Ok(Self {
            disabled: locality.disabled == Some(true),
            present: true,
            local_zone: locality.local_zone.is_some(),
            cross_zone: cross.is_some(),
            tags: keys
                .zip(weights)
                .map(|(key, weight)| WeightedTag { key, weight })
                .collect(),
            failover: failover
                .unwrap_or_default()
                .iter()
                .map(FailoverRule::new)
                .collect(),
            threshold: threshold.and_then(|percentage| KumaThreshold::new(percentage).ok()),
        })
    }

    /// Whether localities have weights: there are affinity tags, even if they match nothing
    /// (`shouldUseLocalityWeightedLb` in `plugin.go`).
    #[must_use]
    pub fn is_weighted(&self) -> bool {
        !self.tags.is_empty()
    }

    /// The `failoverThreshold`.
    #[must_use]
    pub const fn threshold(&self) -> Option<KumaThreshold> {
        self.threshold
    }

    /// The keys of the affinity tags, in order.
    pub fn affinity_keys(&self) -> impl Iterator<Item = &str> {
        self.tags.iter().map(|tag| tag.key.as_str())
    }
}

/// Explicit weights, or the default weights if the first tag has none. `None` for too many default
/// weights.
fn weights(explicit: impl ExactSizeIterator<Item = Option<i64>>) -> Option<Vec<NonZeroU32>> {
    let count = explicit.len();
    let explicit: Vec<Option<NonZeroU32>> = explicit
        .map(|weight| NonZeroU32::new(u32::try_from(weight?).ok()?))
        .collect();
    if explicit.iter().all(Option::is_some) {
        return Some(explicit.into_iter().flatten().collect());
    }
    let defaults = default_weights(count)?;
    Some(defaults.into_iter().filter_map(NonZeroU32::new).collect())
}

// === impl FailoverRule ===

impl FailoverRule {
    fn new(rule: &KumaFailover) -> Self {
        let zones = || rule.to.zones.iter().flatten().cloned().collect();
        Self {
            from: rule
                .from_zones
                .as_ref()
                .map(|zones| zones.iter().cloned().collect()),
            takes: match rule.to.kind.as_str() {
                "Only" => TakenZones::Only(zones()),
                "Any" => TakenZones::Any,
                "AnyExcept" => TakenZones::AnyExcept(zones()),
                _ => TakenZones::None,
            },
        }
    }

    /// Whether proxies in this zone use the rule.
    pub(super) fn applies_to(&self, zone: &str) -> bool {
        self.from.as_ref().is_none_or(|from| from.contains(zone))
    }
}

// === impl TakenZones ===

impl TakenZones {
    pub(super) fn takes(&self, zone: &str) -> bool {
        match self {
            Self::None => false,
            Self::Only(zones) => zones.contains(zone),
            Self::Any => true,
            Self::AnyExcept(zones) => !zones.contains(zone),
        }
    }
}
