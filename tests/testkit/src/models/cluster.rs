//! Clusters and whole models.

use spillgate_config::envoy::RegexCompiler;
use spillgate_core::{
    model::{
        AggregateCluster, Cluster, ClusterKind, CompositeCluster, DropOverload, HashBalanceFactor,
        HealthStatus, LocalInfo, Model, OriginalDstCluster, OverprovisioningFactor,
        OverrideHostSource, OverrideStatuses, PanicThreshold, PlainCluster,
    },
    route::{CookieSource, HashPolicy, HashSource},
};

use super::{Dice, Extent, priorities::Finding};

/// A model; its clusters' names differ.
pub fn model(dice: &mut Dice, extent: Extent) -> Model {
    let mut clusters: Vec<Cluster> = Vec::new();
    for _ in 0..dice.between(1, extent.size.max(1)) {
        let name = dice.new_name(&clusters, extent);
        let kind = ClusterKind::Plain(plain(dice, 3, extent));
        clusters.push(Cluster { name, kind });
    }
    let mut local = LocalInfo {
        locality: dice.chance(40).then(|| dice.locality(extent)),
        cluster: None,
    };
    if dice.chance(30) {
        // The local cluster has one priority.
        let name = dice.new_name(&clusters, extent);
        let kind = ClusterKind::Plain(plain(dice, 1, extent));
        local.cluster = Some(name.clone());
        clusters.push(Cluster { name, kind });
    }
    if dice.chance(40) {
        let mut members: Vec<String> = clusters.iter().map(|one| one.name.clone()).collect();
        members.truncate(dice.between(1, members.len()));
        let name = dice.new_name(&clusters, extent);
        let panic_threshold = dice.panic_threshold();
        let kind = ClusterKind::Aggregate(AggregateCluster {
            members,
            panic_threshold,
            flatten: dice.chance(30),
        });
        clusters.push(Cluster { name, kind });
    }
    if dice.chance(20) {
        let name = dice.new_name(&clusters, extent);
        let default = String::from("x-envoy-original-dst-host");
        let header = dice.header();
        let kind = ClusterKind::OriginalDst(OriginalDstCluster {
            http_header: dice.one(&[None, Some(default), Some(header)]),
            upstream_port: dice.one(&[None, Some(0), Some(443)]),
        });
        clusters.push(Cluster { name, kind });
    }
    if dice.chance(20) {
        let names: Vec<String> = clusters.iter().map(|one| one.name.clone()).collect();
        let members = (0..dice.between(1, 4)).map(|_| dice.one(&names)).collect();
        let name = dice.new_name(&clusters, extent);
        let kind = ClusterKind::Composite(CompositeCluster {
            members,
            skips: true,
        });
        clusters.push(Cluster { name, kind });
    }
    let model = Model::new(clusters).expect("names differ and aggregates have plain members");
    model.with_local(local)
}

/// A cluster with hosts of its own, of at most that many priorities.
pub fn plain(dice: &mut Dice, priorities: usize, extent: Extent) -> PlainCluster {
    let policy = dice.policy(extent);
    let hashes = policy.hashes();
    let dns = extent.any_address && dice.chance(25);
    let finding = Finding {
        dns,
        // Policies that hash nothing have host names in classic fields only, and those require DNS.
        hash_hostname: dice.chance(25) && hashes,
    };
    PlainCluster {
        policy,
        panic_threshold: dice.panic_threshold(),
        overprovisioning_factor: dice.overprovisioning_factor(extent),
        weighted_priority_health: dice.chance(20),
        locality_lb: dice.locality_lb(&policy, extent),
        slow_start: dice.slow_start(&policy),
        healthy_for: Vec::new(),
        hash_balance_factor: (hashes && dice.chance(30))
            .then(|| HashBalanceFactor::new(dice.any_u32().max(100)))
            .flatten(),
        hash_policies: if hashes && dice.chance(30) {
            dice.hash_policies(extent, None)
        } else {
            Vec::new()
        },
        override_hosts: dice.override_hosts(extent),
        override_statuses: if dice.chance(70) {
            OverrideStatuses::DEFAULT
        } else {
            dice.some(&HealthStatus::ALL, 40).into_iter().collect()
        },
        drop_overload: dice.drop_overload(),
        subsets: dice.chance(40).then(|| dice.subsets(extent)),
        priorities: dice.priorities(priorities, finding, extent),
    }
}

impl Dice {
    fn new_name(&mut self, clusters: &[Cluster], extent: Extent) -> String {
        let mut name = self.text(extent);
        if clusters.iter().any(|known| known.name == name) {
            name = format!("{name} {}", clusters.len());
        }
        name
    }

    /// The default or any whole percentage.
    pub fn panic_threshold(&mut self) -> PanicThreshold {
        if self.chance(50) {
            PanicThreshold::DEFAULT
        } else {
            PanicThreshold::from_percent(self.below(101) as f64)
        }
    }

    fn overprovisioning_factor(&mut self, extent: Extent) -> OverprovisioningFactor {
        OverprovisioningFactor(if self.chance(50) {
            140
        } else if extent.few {
            self.one(&[100, 200])
        } else {
            self.any_u32().max(1)
        })
    }

    fn override_hosts(&mut self, extent: Extent) -> Vec<OverrideHostSource> {
        if self.chance(85) {
            return Vec::new();
        }
        (0..self.between(1, 2))
            .map(|_| {
                if self.chance(50) {
                    OverrideHostSource::Header(self.header())
                } else {
                    OverrideHostSource::Metadata {
                        namespace: self.text(extent),
                        path: (0..self.between(1, 2)).map(|_| self.text(extent)).collect(),
                    }
                }
            })
            .collect()
    }

    fn drop_overload(&mut self) -> DropOverload {
        DropOverload::from_millionths(self.one(&[0, 0, 0, 1, 100, 10_000, 250_000, 1_000_000]))
    }

    /// Hash policies, with regular expressions where something compiles them.
    pub(super) fn hash_policies(
        &mut self,
        extent: Extent,
        compile: Option<RegexCompiler>,
    ) -> Vec<HashPolicy> {
        (0..self.below(extent.size + 1))
            .map(|_| HashPolicy {
                source: self.hash_source(extent, compile),
                terminal: self.chance(30),
            })
            .collect()
    }

    fn hash_source(&mut self, extent: Extent, compile: Option<RegexCompiler>) -> HashSource {
        match self.below(5) {
            0 => HashSource::Cookie(CookieSource {
                name: self.one(&["session", "u"]).into(),
                ttl: self.one(&[None, Some(0), Some(3600)]),
                path: self.one(&["", "/", "/cart"]).into(),
                attributes: if self.chance(20) {
                    vec![("SameSite".into(), self.one(&["", "Strict"]).into())]
                } else {
                    Vec::new()
                },
            }),
            1 => HashSource::QueryParameter {
                name: self.text(extent),
            },
            2 => HashSource::SourceIp,
            3 => HashSource::FilterState {
                key: self.text(extent),
            },
            _ => HashSource::Header {
                name: self.header(),
                rewrite: compile
                    .filter(|_| self.chance(30))
                    .map(|compile| self.rewrite(compile)),
            },
        }
    }
}
