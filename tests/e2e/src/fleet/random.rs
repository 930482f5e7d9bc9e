//! Random fleets: callers in two or three zones, a local cluster of them, and a cluster with hosts in these zones, one of
//! which can be lost.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context as _, Result};
use spillgate_core::model::{
    Cluster, ClusterKind, Endpoint, Health, HealthStatus, LeastRequestConfig, LocalInfo, Locality,
    LocalityLb, Metadata, Model, PanicThreshold, PlainCluster, Policy, Priority, ZoneAware,
};
use spillgate_sim::fleet::{
    CallerClass, CallerConfig, CallerTarget, Fleet, FleetReport, LocalClusterHosts, LostCallers,
};
use spillgate_testkit::models::Dice;

/// The cluster in question, and the local cluster.
const SHOP: &str = "shop";
const EDGE: &str = "edge";

const ZONES: [&str; 3] = ["a", "b", "c"];

/// A fleet before its Envoys are started.
#[derive(Debug, Clone)]
pub struct RandomFleet {
    /// The cluster that gets the requests.
    pub shop: Cluster,
    /// The zone of each caller.
    pub callers: Vec<&'static str>,
    /// A zone whose hosts fail. The cluster above is that before the failure.
    pub lost: Option<&'static str>,
}

impl RandomFleet {
    /// The fleet with this number: at most so many callers, and hosts at `port` of addresses of their own.
    #[must_use]
    pub fn new(seed: u64, number: u64, most: usize, port: u16) -> Self {
        let dice = &mut Dice::of(seed, number);
        let zones = ZONES.get(..dice.between(2, 3)).unwrap_or(&ZONES);
        let callers = (0..dice.between(2, most.max(2))).map(|_| dice.one(zones));
        let callers = callers.collect();
        let count = dice.between(1, 2);
        let priorities = (0..count).map(|at| {
            let mut priority = Priority::default();
            for host in 0..dice.between(2, 14) {
                let locality = priority.locality_index(locality(dice.one(zones)));
                let status = dice.one(&[
                    HealthStatus::Healthy,
                    HealthStatus::Healthy,
                    HealthStatus::Healthy,
                    HealthStatus::Healthy,
                    HealthStatus::Degraded,
                    HealthStatus::Unhealthy,
                ]);
                priority.endpoints.push(Endpoint {
                    locality,
                    health: Health::from_status(status),
                    ..Endpoint::new(format!("127.8.{at}.{}:{port}", host + 1))
                });
            }
            priority
        });
        let plain = PlainCluster {
            priorities: priorities.collect(),
            policy: dice.one(&[
                Policy::RoundRobin,
                Policy::Random,
                Policy::LeastRequest(LeastRequestConfig::default()),
            ]),
            panic_threshold: PanicThreshold::from_percent(dice.one(&[0.0, 40.0])),
            locality_lb: LocalityLb::ZoneAware(ZoneAware {
                routing_enabled: dice.one(&[100, 100, 60]),
                min_cluster_size: dice.one(&[1, 6]),
                fail_traffic_on_panic: dice.one(&[false, false, true]),
                ..ZoneAware::DEFAULT
            }),
            ..PlainCluster::default()
        };
        let lost = dice.one(zones);
        Self {
            shop: Cluster::plain(SHOP, plain),
            callers,
            lost: dice.one(&[None, Some(lost)]),
        }
    }

    /// The cluster as Envoy sees it: the hosts of the lost zone are unhealthy.
    fn failed_shop(&self) -> Cluster {
        let mut shop = self.shop.clone();
        let ClusterKind::Plain(plain) = &mut shop.kind else {
            return shop;
        };
        for priority in &mut plain.priorities {
            let localities = priority.localities.iter();
            let is_lost: Vec<bool> = localities
                .map(|of| Some(of.locality.zone.as_str()) == self.lost)
                .collect();
            for endpoint in &mut priority.endpoints {
                if is_lost.get(endpoint.locality) == Some(&true) {
                    endpoint.health = Health::from_status(HealthStatus::Unhealthy);
                }
            }
        }
        shop
    }

    /// The configuration of a caller in a zone, with a host in the local cluster for each caller. The hosts of the lost
    /// zone are unhealthy.
    ///
    /// # Errors
    /// Never: the names differ.
    pub fn model(&self, zone: &str) -> Result<Model> {
        self.model_with(self.failed_shop(), zone)
    }

    fn model_with(&self, shop: Cluster, zone: &str) -> Result<Model> {
        let mut priority = Priority::default();
        for (at, zone) in self.callers.iter().enumerate() {
            let locality = priority.locality_index(locality(zone));
            priority.endpoints.push(Endpoint {
                locality,
                // Nothing sends requests to them.
                ..Endpoint::new(format!("127.9.0.{}:1", at + 1))
            });
        }
        let edge = Cluster::plain(
            EDGE,
            PlainCluster {
                priorities: vec![priority],
                ..PlainCluster::default()
            },
        );
        let model = Model::new(vec![shop, edge])
            .ok()
            .context("an illegal model")?;
        Ok(model.with_local(LocalInfo {
            locality: Some(locality(zone)),
            cluster: Some(EDGE.into()),
        }))
    }

    /// The loads if each caller sends so many requests, now and without each zone: the local cluster is made from the
    /// numbers of callers, and no zone is lost yet.
    ///
    /// # Errors
    /// Never: the model is legal.
    pub fn predicted(&self, requests: u64) -> Result<FleetReport> {
        self.report(requests, self.model_with(self.shop.clone(), "a")?)
    }

    /// The same loads if no caller knew the zones of the others: a wrong prediction, which the counts must refute.
    ///
    /// # Errors
    /// Never: the model is legal.
    pub fn predicted_without_local_cluster(&self, requests: u64) -> Result<FleetReport> {
        let model = self.model_with(self.shop.clone(), "a")?;
        self.report(requests, model.with_local(LocalInfo::default()))
    }

    fn report(&self, requests: u64, model: Model) -> Result<FleetReport> {
        let mut callers: BTreeMap<&str, u64> = BTreeMap::new();
        for zone in &self.callers {
            *callers.entry(zone).or_default() += 1;
        }
        let classes = callers.into_iter().map(|(zone, callers)| CallerClass {
            config: 0,
            locality: locality(zone),
            callers,
            rps: requests as f64,
            bytes: None,
        });
        let fleet = Fleet {
            classes: classes.collect(),
            configs: vec![CallerConfig {
                model,
                targets: vec![CallerTarget::all(SHOP)],
            }],
            criteria: Metadata::EMPTY,
            local: LocalClusterHosts::Callers,
            lost_callers: LostCallers::Stay,
            capacities: Vec::new(),
            prices: Vec::new(),
            zones: BTreeMap::new(),
            relays: BTreeSet::new(),
        };
        fleet.report(1).ok().context("no capacity selects hosts")
    }

    /// The name of the cluster that gets the requests.
    #[must_use]
    pub const fn target() -> &'static str {
        SHOP
    }
}

fn locality(zone: &str) -> Locality {
    Locality {
        region: "eu".into(),
        zone: zone.into(),
        sub_zone: String::new(),
    }
}
