//! Clusters to measure with.

use spillgate_core::{
    draw::{Draw as _, SplitMix64},
    model::{
        Cluster, ClusterKind, Endpoint, HashBalanceFactor, Health, HealthStatus, LocalInfo,
        Locality, LocalityLb, Metadata, Model, PlainCluster, Policy, Priority, PriorityLocality,
        SelectorFallback, SubsetConfig, SubsetSelector, Value, Weight,
    },
};

/// The shape of a cluster. All its hosts are healthy.
#[derive(Debug, Clone)]
pub struct Shape {
    /// The load-balancing policy.
    pub policy: Policy,
    /// The number of priorities.
    pub priorities: usize,
    /// The number of hosts of each priority.
    pub hosts: usize,
    /// Whether the weights of its hosts differ.
    pub weighted: bool,
    /// The number of localities of each priority; they have weights.
    pub localities: usize,
    /// How a locality is chosen.
    pub locality_lb: LocalityLb,
    /// The number of subsets, each over all priorities; 0 disables subsets.
    pub subsets: usize,
    /// The limit of bounded load.
    pub hash_balance_factor: Option<HashBalanceFactor>,
}

impl Shape {
    /// Two priorities of `hosts` hosts, and nothing but a policy.
    #[must_use]
    pub fn new(policy: Policy, hosts: usize) -> Self {
        Self {
            policy,
            priorities: 2,
            hosts,
            weighted: false,
            localities: 1,
            locality_lb: LocalityLb::default(),
            subsets: 0,
            hash_balance_factor: None,
        }
    }

    /// `hosts` hosts in all, in 8 priorities and 1,000 subsets.
    #[must_use]
    pub fn large(hosts: usize) -> Self {
        Self {
            priorities: 8,
            subsets: 1_000,
            ..Self::new(Policy::RoundRobin, hosts / 8)
        }
    }

    /// The cluster.
    #[must_use]
    pub fn cluster(&self, name: &str) -> Cluster {
        let config = |count: usize| SubsetConfig {
            selectors: (count > 0).then(selector).into_iter().collect(),
            locality_weight_aware: true,
            ..SubsetConfig::default()
        };
        Cluster {
            name: name.into(),
            kind: ClusterKind::Plain(PlainCluster {
                policy: self.policy,
                locality_lb: self.locality_lb,
                hash_balance_factor: self.hash_balance_factor,
                subsets: (self.subsets > 0).then(|| config(self.subsets)),
                priorities: (0..self.priorities)
                    .map(|priority| self.priority(priority))
                    .collect(),
                ..PlainCluster::default()
            }),
        }
    }

    /// The criteria that select one of its subsets.
    #[must_use]
    pub fn criteria(&self, subset: usize) -> Metadata {
        metadata(subset)
    }

    fn priority(&self, priority: usize) -> Priority {
        let mut draw = SplitMix64::new(priority as u64);
        let subsets: Vec<Metadata> = (0..self.subsets).map(metadata).collect();
        let endpoint = |host: usize| Endpoint {
            address: address(priority * self.hosts + host),
            weight: if self.weighted {
                Weight::new((draw.draw() % 8) as u32 + 1).unwrap_or(Weight::ONE)
            } else {
                Weight::ONE
            },
            health: Health::from_status(HealthStatus::Healthy),
            // Not in step with the subsets, so that each has hosts in all localities.
            locality: (host / self.subsets.max(1)) % self.localities,
            metadata: match subsets.len() {
                0 => Metadata::EMPTY,
                count => subsets[host % count].clone(),
            },
            ..Endpoint::default()
        };
        Priority {
            localities: (0..self.localities).map(locality).collect(),
            endpoints: (0..self.hosts).map(endpoint).collect(),
        }
    }
}

/// The address of a host.
#[must_use]
pub fn address(host: usize) -> String {
    format!("10.{}.{}.{}:80", host >> 16, (host >> 8) & 255, host & 255)
}

/// A model of clusters whose names differ.
///
/// # Panics
/// When two clusters have one name, or an aggregate is its own member.
#[must_use]
pub fn model(clusters: Vec<Cluster>) -> Model {
    Model::new(clusters).expect("names differ and nothing is nested")
}

/// The proxies themselves: half of them in the first of three zones, so that a third of the hosts
/// there is not enough for all traffic.
#[must_use]
pub fn local_zones() -> Cluster {
    let mut shape = Shape::new(Policy::RoundRobin, 4);
    (shape.priorities, shape.localities) = (1, 3);
    let mut cluster = shape.cluster("proxies");
    if let ClusterKind::Plain(plain) = &mut cluster.kind {
        for (host, zone) in plain.priorities[0].endpoints.iter_mut().zip([0, 0, 1, 2]) {
            host.locality = zone;
        }
    }
    cluster
}

/// A proxy in the first zone that knows the local cluster.
#[must_use]
pub fn own_zone() -> LocalInfo {
    LocalInfo {
        locality: Some(locality(0).locality),
        cluster: Some("proxies".into()),
    }
}

fn locality(number: usize) -> PriorityLocality {
    PriorityLocality {
        locality: Locality {
            region: "region".into(),
            zone: format!("zone-{number}"),
            sub_zone: String::new(),
        },
        weight: Some(number as u32 + 1),
    }
}

fn selector() -> SubsetSelector {
    SubsetSelector::new(["stage", "version"], SelectorFallback::NotDefined, false)
        .expect("two keys without a fallback are a selector")
}

fn metadata(subset: usize) -> Metadata {
    Metadata::new([
        ("stage", Value::Text("production".into())),
        ("version", Value::Text(format!("1.{subset}").into())),
    ])
}
