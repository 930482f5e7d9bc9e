//! The fields that `--set` changes, with the names of Envoy's messages, and the ranges of their values.

use alloc::vec::Vec;

use spillgate_core::{
    decimal,
    model::{HashBalanceFactor, MAXIMUM_RING_SIZE, MaglevConfig, PanicThreshold, Weight},
};

/// A field with its new value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum FieldValue {
    /// `lb_policy`.
    Policy(PolicyName),
    PanicThreshold(PanicThreshold),
    /// At least 1, in percent.
    OverprovisioningFactor(u32),
    WeightedPriorityHealth(bool),
    MinimumRingSize(u64),
    MaximumRingSize(u64),
    MaglevTable(MaglevConfig),
    HashBalanceFactor(HashBalanceFactor),
    /// Whether localities are weighted.
    LocalityWeighted(bool),
    /// `zone_aware_lb_config`, in percent.
    RoutingEnabled(u32),
    MinClusterSize(u64),
    /// The weight of localities.
    LocalityWeight(u32),
    /// The weight of hosts.
    HostWeight(Weight),
}

/// The values of `lb_policy` with figures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PolicyName {
    RoundRobin,
    LeastRequest,
    Random,
    RingHash,
    Maglev,
}

/// A field of a cluster, or of the localities or hosts that a selector in brackets matches.
pub(super) struct FieldName {
    /// The last part of its path.
    pub(super) name: &'static str,
    /// The message of `Cluster` that has it; empty for the cluster itself.
    message: &'static str,
    /// Whether it belongs to localities or hosts.
    pub(super) of_place: bool,
    /// The valid values, for errors.
    pub(super) expected: &'static str,
    /// Reads a value; `None` if it is invalid.
    pub(super) read: fn(&str) -> Option<FieldValue>,
}

impl FieldName {
    /// Whether a text is its name or its path.
    pub(super) fn is(&self, text: &str) -> bool {
        let path = text.strip_prefix(self.message);
        text == self.name || path.and_then(|rest| rest.strip_prefix('.')) == Some(self.name)
    }
}

/// All fields.
pub(super) const FIELDS: [FieldName; 13] = [
    FieldName {
        name: "lb_policy",
        message: "",
        of_place: false,
        expected: "ROUND_ROBIN, LEAST_REQUEST, RANDOM, RING_HASH or MAGLEV",
        read: |text| {
            let mut policies = POLICIES.iter();
            let (_, policy) = policies.find(|(name, _)| *name == text)?;
            Some(FieldValue::Policy(*policy))
        },
    },
    FieldName {
        name: "healthy_panic_threshold",
        message: "common_lb_config",
        of_place: false,
        expected: "a percentage, 0 to 100",
        read: |text| {
            let percent = decimal::parse(text.trim_end_matches('%'))?;
            let valid = (0.0..=100.0).contains(&percent);
            valid.then(|| FieldValue::PanicThreshold(PanicThreshold::from_percent(percent)))
        },
    },
    FieldName {
        name: "overprovisioning_factor",
        message: "load_assignment.policy",
        of_place: false,
        expected: "a percentage from 1",
        read: |text| positive(text.trim_end_matches('%')).map(FieldValue::OverprovisioningFactor),
    },
    FieldName {
        name: "weighted_priority_health",
        message: "load_assignment.policy",
        of_place: false,
        expected: TRUE_OR_FALSE,
        read: |text| text.parse().ok().map(FieldValue::WeightedPriorityHealth),
    },
    FieldName {
        name: "minimum_ring_size",
        message: "ring_hash_lb_config",
        of_place: false,
        expected: RING_SIZE,
        read: |text| ring_size(text).map(FieldValue::MinimumRingSize),
    },
    FieldName {
        name: "maximum_ring_size",
        message: "ring_hash_lb_config",
        of_place: false,
        expected: RING_SIZE,
        read: |text| ring_size(text).map(FieldValue::MaximumRingSize),
    },
    FieldName {
        name: "table_size",
        message: "maglev_lb_config",
        of_place: false,
        expected: "a prime number, at most 5000011",
        read: |text| {
            let size = text.parse().ok()?;
            MaglevConfig::new(size).ok().map(FieldValue::MaglevTable)
        },
    },
    FieldName {
        name: "hash_balance_factor",
        message: "common_lb_config.consistent_hashing_lb_config",
        of_place: false,
        expected: "a percentage from 100",
        read: |text| {
            let factor = text.parse().ok().and_then(HashBalanceFactor::new);
            factor.map(FieldValue::HashBalanceFactor)
        },
    },
    FieldName {
        name: "locality_weighted_lb_config",
        message: "common_lb_config",
        of_place: false,
        expected: TRUE_OR_FALSE,
        read: |text| text.parse().ok().map(FieldValue::LocalityWeighted),
    },
    FieldName {
        name: "routing_enabled",
        message: "common_lb_config.zone_aware_lb_config",
        of_place: false,
        expected: "a whole percentage, 0 to 100",
        read: |text| {
            let percent = text.trim_end_matches('%').parse().ok();
            let percent = percent.filter(|percent| *percent <= 100);
            percent.map(FieldValue::RoutingEnabled)
        },
    },
    FieldName {
        name: "min_cluster_size",
        message: "common_lb_config.zone_aware_lb_config",
        of_place: false,
        expected: "a number of hosts",
        read: |text| text.parse().ok().map(FieldValue::MinClusterSize),
    },
    FieldName {
        name: "load_balancing_weight",
        message: "endpoints",
        of_place: true,
        expected: WEIGHT,
        read: |text| positive(text).map(FieldValue::LocalityWeight),
    },
    FieldName {
        name: "lb_endpoints.load_balancing_weight",
        message: "endpoints",
        of_place: true,
        expected: WEIGHT,
        read: |text| {
            positive(text)
                .and_then(Weight::new)
                .map(FieldValue::HostWeight)
        },
    },
];

const POLICIES: [(&str, PolicyName); 5] = [
    ("ROUND_ROBIN", PolicyName::RoundRobin),
    ("LEAST_REQUEST", PolicyName::LeastRequest),
    ("RANDOM", PolicyName::Random),
    ("RING_HASH", PolicyName::RingHash),
    ("MAGLEV", PolicyName::Maglev),
];
const TRUE_OR_FALSE: &str = "true or false";
const RING_SIZE: &str = "a number of entries, at most 8388608";
const WEIGHT: &str = "a weight, 1 to 4294967295";

fn positive(text: &str) -> Option<u32> {
    text.parse().ok().filter(|value| *value > 0)
}

fn ring_size(text: &str) -> Option<u64> {
    text.parse().ok().filter(|size| *size <= MAXIMUM_RING_SIZE)
}

/// The names of all fields, for errors.
pub(super) fn names() -> Vec<&'static str> {
    FIELDS.iter().map(|field| field.name).collect()
}

impl PolicyName {
    pub(super) fn name(self) -> &'static str {
        let mut policies = POLICIES.iter();
        policies
            .find(|(_, policy)| *policy == self)
            .map_or("", |(name, _)| name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_have_names_and_paths() {
        for field in &FIELDS {
            assert!(field.is(field.name), "{}", field.name);
            let found: Vec<&str> = FIELDS
                .iter()
                .filter(|other| other.is(field.name))
                .map(|other| other.name)
                .collect();
            assert_eq!(found, [field.name]);
        }
        let is = |text: &str| FIELDS.iter().any(|field| field.is(text));
        assert!(is("common_lb_config.healthy_panic_threshold"));
        assert!(is("endpoints.lb_endpoints.load_balancing_weight"));
        assert!(!is("common_lb_config.lb_policy"));
    }
}
