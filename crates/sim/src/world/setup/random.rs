//! Random scenarios: clusters, sessions, delays, clients and gateways.

use alloc::{format, string::String, sync::Arc, vec::Vec};

use spillgate_core::{
    affinity::Life,
    decide::OnLost,
    draw::{Draw as _, SplitMix64},
    model::{
        AggregateCluster, ChainHosts, ChainStep, Cluster, ClusterKind, Endpoint, FallbackChain,
        HealthStatus, MaglevConfig, Metadata, Model, OverrideStatuses, PanicThreshold,
        PlainCluster, Policy, Priority, PriorityLocality, SelectorFallback, SubsetConfig,
        SubsetFallback, SubsetSelector, Value, Weight,
    },
};

use super::{Layout, Rates, SessionRules, WorldFallback, WorldScenario};

/// The random scenario of a seed, with this number of steps. `None` is unreachable: the generated
/// models are valid.
#[must_use]
pub fn random_scenario(seed: u64, steps: u32, rates: Rates) -> Option<WorldScenario> {
    /// Separates the scenario's random numbers from those of its run (digits of the square root of
    /// 3).
    const SEPARATOR: u64 = 0xbb67_ae85_84ca_a73b;
    let mut generator = Generator(SplitMix64::new(seed ^ SEPARATOR));
    let layout = generator.layout()?;
    Some(WorldScenario {
        layout,
        clients: 1 + generator.below(12),
        gateways: 1 + generator.below(3),
        view_delay: [0, 50, 500, 3_000].get(generator.below(4)).copied()?,
        every: [20, 200, 1_000].get(generator.below(3)).copied()?,
        steps,
        rates,
        script: Vec::new(),
        sessions: generator.sessions(),
    })
}

/// A source of random choices.
struct Generator(SplitMix64);

impl Generator {
    fn below(&mut self, end: usize) -> usize {
        (self.0.draw() % end.max(1) as u64) as usize
    }

    fn percent(&mut self, percent: u64) -> bool {
        self.0.draw() % 100 < percent
    }

    fn sessions(&mut self) -> SessionRules {
        let lives = [(3_600, 86_400), (20, 60), (0, 30), (5, 120)];
        let (ttl, max) = lives
            .get(self.below(lives.len()))
            .copied()
            .unwrap_or((1, 1));
        let statuses = OverrideStatuses::DEFAULT;
        SessionRules {
            max_share: None,
            life: Life { ttl, max },
            statuses: match self.below(4) {
                0 => statuses,
                1 => [HealthStatus::Healthy, HealthStatus::Unknown]
                    .into_iter()
                    .collect(),
                _ => statuses.with(HealthStatus::Draining),
            },
            on_lost: if self.percent(10) {
                OnLost::Refuse
            } else {
                OnLost::Rebalance
            },
            fallback: if self.percent(10) {
                WorldFallback::Policy
            } else {
                WorldFallback::Rendezvous
            },
            request_hash: self.percent(50),
        }
    }

    /// One to three clusters: alone, weighted, or in an aggregate.
    fn layout(&mut self) -> Option<Layout> {
        let subsets = self.below(4);
        let count = 1 + self.below(3);
        let mut clusters = Vec::new();
        for at in 0..count {
            let mut plain = self.plain_cluster(at);
            plain.subsets = (subsets == 1).then(|| self.subsets());
            clusters.push(Cluster {
                name: format!("c{at}"),
                kind: ClusterKind::Plain(plain),
            });
        }
        let names: Vec<String> = clusters.iter().map(|c| c.name.clone()).collect();
        let targets = match self.below(3) {
            0 => Vec::from([(names.first()?.clone(), 1)]),
            1 => names
                .iter()
                .map(|name| (name.clone(), 1 + self.below(5) as u32))
                .collect(),
            _ => {
                let kind = ClusterKind::Aggregate(AggregateCluster {
                    members: names,
                    panic_threshold: self.panic(),
                    flatten: self.percent(50),
                });
                let name = String::from("all");
                clusters.push(Cluster {
                    name: name.clone(),
                    kind,
                });
                Vec::from([(name, 1)])
            }
        };
        let model = Model::new(clusters).ok()?;
        let model = match subsets {
            2 | 3 => model.with_chain(FallbackChain::new(self.chain()).ok()?),
            _ => model,
        };
        let criteria = match subsets {
            0 => Vec::new(),
            _ => Vec::from([stage("prod"), stage("dev")]),
        };
        Layout::new(model, &targets, criteria).ok()
    }

    fn plain_cluster(&mut self, at: usize) -> PlainCluster {
        let priorities = 1 + self.below(2);
        let policies = [
            Policy::RoundRobin,
            Policy::Random,
            MaglevConfig::new(17).map_or(Policy::Random, Policy::Maglev),
        ];
        PlainCluster {
            policy: policies.get(self.below(3)).copied().unwrap_or_default(),
            panic_threshold: self.panic(),
            priorities: (0..priorities)
                .map(|priority| self.priority(at, priority))
                .collect(),
            ..PlainCluster::default()
        }
    }

    fn subsets(&mut self) -> SubsetConfig {
        let selector = SubsetSelector::new(["stage"], SelectorFallback::NotDefined, false);
        let fallbacks = [
            SubsetFallback::NoFallback,
            SubsetFallback::AnyEndpoint,
            SubsetFallback::DefaultSubset,
        ];
        SubsetConfig {
            fallback: fallbacks.get(self.below(3)).copied().unwrap_or_default(),
            default_subset: stage("prod"),
            selectors: selector.into_iter().collect(),
            ..SubsetConfig::default()
        }
    }

    fn priority(&mut self, cluster: usize, priority: usize) -> Priority {
        let hosts = 1 + self.below(4);
        Priority {
            localities: Vec::from([PriorityLocality::default()]),
            endpoints: (0..hosts)
                .map(|host| Endpoint {
                    address: format!("10.{cluster}.{priority}.{host}:80"),
                    weight: Weight::new(1 + self.below(3) as u32).unwrap_or_default(),
                    metadata: stage(if self.percent(65) { "prod" } else { "dev" }),
                    ..Endpoint::default()
                })
                .collect(),
        }
    }

    fn chain(&mut self) -> Vec<ChainStep> {
        let keys = |keys: &[&str]| ChainHosts::Keys(keys.iter().map(|&k| Arc::from(k)).collect());
        let mut chain = Vec::from([ChainStep {
            min_healthy_percent: [0, 50].get(self.below(2)).copied().unwrap_or(0),
            panic_threshold: self.panic(),
            ..ChainStep::new(keys(&["stage"]))
        }]);
        if self.percent(40) {
            let hosts = if self.percent(50) {
                ChainHosts::Match(stage("prod"))
            } else {
                ChainHosts::Any
            };
            chain.push(ChainStep {
                last_resort: self.percent(30),
                ..ChainStep::new(hosts)
            });
        }
        chain
    }

    fn panic(&mut self) -> PanicThreshold {
        if self.percent(50) {
            PanicThreshold::OFF
        } else {
            PanicThreshold::DEFAULT
        }
    }
}

fn stage(stage: &str) -> Metadata {
    Metadata::new([("stage", Value::Text(stage.into()))])
}
