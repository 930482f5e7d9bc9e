//! Load-balancing policies and locality settings.

use core::time::Duration;

use spillgate_core::model::{
    HashFunction, LeastRequestConfig, LocalityBasis, LocalityLb, MAXIMUM_RING_SIZE, MaglevConfig,
    Policy, RingHashConfig, SelectionMethod, SlowStart, ZoneAware,
};

use super::{Dice, Extent};

impl Dice {
    /// One of Envoy's policies.
    pub(super) fn policy(&mut self, extent: Extent) -> Policy {
        match self.below(7) {
            0 => Policy::RoundRobin,
            1 => {
                let selection = if self.chance(30) {
                    SelectionMethod::FullScan
                } else if extent.few {
                    SelectionMethod::Choices(2)
                } else {
                    SelectionMethod::Choices(self.any_u32().max(2))
                };
                let bias = self.one(&[1.0, 0.0, 0.5, 1e-9, 3.25]);
                Policy::LeastRequest(LeastRequestConfig::new(selection, bias))
            }
            2 => Policy::Random,
            3 => Policy::RingHash(self.ring(extent)),
            4 => Policy::Maglev(self.maglev(extent)),
            5 => Policy::Rendezvous,
            _ => Policy::ClientSideWeightedRoundRobin,
        }
    }

    fn ring(&mut self, extent: Extent) -> RingHashConfig {
        // A ring of fewer entries may lack a host.
        let mut sizes = if extent.few {
            vec![64, 1024]
        } else {
            vec![0, 1, 16, 1024, MAXIMUM_RING_SIZE]
        };
        sizes.retain(|size| *size <= extent.largest_table);
        let (one, other) = (self.one(&sizes), self.one(&sizes));
        let function = self.one(&[HashFunction::XxHash, HashFunction::MurmurHash2]);
        // The smaller first, and no size above the largest.
        RingHashConfig::new(one.min(other), one.max(other), function).unwrap_or_default()
    }

    fn maglev(&mut self, extent: Extent) -> MaglevConfig {
        let mut sizes = if extent.few {
            vec![101, 1021]
        } else {
            vec![65_537, 2, 5, 1021, 5_000_011]
        };
        sizes.retain(|size| *size <= extent.largest_table);
        let size = self.one(&sizes);
        MaglevConfig::new(size).unwrap_or_default()
    }

    /// Locality settings that the policy supports; hash policies and load reports support weights
    /// only.
    pub(super) fn locality_lb(&mut self, policy: &Policy, extent: Extent) -> LocalityLb {
        let reports = *policy == Policy::ClientSideWeightedRoundRobin;
        let zones = extent.few || !(policy.hashes() || reports);
        match self.below(if extent.few { 2 } else { 4 }) {
            // Rendezvous hashing ignores localities.
            _ if *policy == Policy::Rendezvous && !extent.few => LocalityLb::default(),
            0 => LocalityLb::Weighted,
            1 if zones => LocalityLb::ZoneAware(ZoneAware {
                routing_enabled: self.below(101) as u32,
                min_cluster_size: if extent.few {
                    self.below(8) as u64
                } else {
                    self.one(&[0, 1, 6, 100, u64::MAX])
                },
                fail_traffic_on_panic: self.chance(50),
                force_local_zone: self.chance(30).then(|| {
                    if extent.few {
                        self.below(4) as u32
                    } else {
                        self.any_u32()
                    }
                }),
                locality_basis: self.one(&[
                    LocalityBasis::HealthyHostsNum,
                    LocalityBasis::HealthyHostsWeight,
                ]),
            }),
            _ => LocalityLb::default(),
        }
    }

    /// Slow start, if the policy supports it.
    pub(super) fn slow_start(&mut self, policy: &Policy) -> Option<SlowStart> {
        let supported = matches!(
            policy,
            Policy::RoundRobin | Policy::LeastRequest(_) | Policy::ClientSideWeightedRoundRobin
        );
        if !supported || self.chance(60) {
            return None;
        }
        let window = Duration::from_millis(self.one(&[1, 500, 1500, 60_000, 86_400_000]));
        let aggression = self.one(&[1.0, 0.5, 2.0, 1e-3]);
        SlowStart::new(window, aggression, self.one(&[10.0, 0.0, 12.5, 100.0]))
    }
}
