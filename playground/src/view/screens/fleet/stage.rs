//! What depends on the scenario alone: the zones of callers, what their proxies receive, and where that leads.

use std::{
    collections::{BTreeMap, BTreeSet},
    rc::Rc,
    sync::Arc,
};

use spillgate_codec::import::view_of;
use spillgate_core::model::{
    Cluster, ClusterKind, Endpoint, LocalInfo, Locality, Metadata, Model, PlainCluster, Priority,
};
use spillgate_scenario::EditedScenario;
use spillgate_sim::fleet::{
    CallerClass, CallerConfig, CallerTarget, CapacityRule, Fleet, LocalClusterHosts, TrafficPrice,
    host_localities, locality_of_zone,
};

use super::{FleetInput, input::locality_key};
use crate::view::screens::members::with_members;

/// The setting of a configuration with a local cluster.
const LOCAL_CLUSTER_NAME: &str = "local_cluster_name";

/// A zone that can have callers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallerZone {
    /// Its name on the screen, unique among the zones.
    pub name: String,
    /// Its name in texts.
    pub key: String,
    /// The locality of its proxies.
    pub locality: Locality,
    /// The index of what its proxies receive.
    config: usize,
}

/// The callers of the shown cluster.
#[derive(Debug)]
pub struct FleetStage {
    /// The scenario.
    pub scenario: Rc<EditedScenario>,
    /// The shown cluster, or the destination in a mesh.
    pub destination: String,
    /// The zones, in the order of the scenario.
    pub zones: Vec<CallerZone>,
    /// Whether the proxies of each zone have a cluster of their own.
    pub is_mesh: bool,
    /// Whether a local cluster would change the choice of hosts.
    pub has_zone_aware: bool,
    /// Whether the imported text has a local cluster.
    pub names_local_cluster: bool,
    /// Whether a host has a zone with a name, so that one can be lost.
    pub has_zones: bool,
    /// The number of hosts, counted for each cluster.
    pub hosts: usize,
    /// The clusters of each configuration, and the one that gets the requests.
    configs: Vec<(Vec<Arc<Cluster>>, String)>,
    relays: BTreeSet<String>,
}

/// Only the same stage is equal: comparing all of it would take longer than drawing it.
impl PartialEq for FleetStage {
    fn eq(&self, other: &Self) -> bool {
        core::ptr::eq(self, other)
    }
}

impl FleetStage {
    /// Prepares a scenario; `None` if its shown cluster has no hosts.
    #[must_use]
    pub fn new(scenario: &Rc<EditedScenario>) -> Option<Self> {
        let root = scenario.name(scenario.root());
        let of_mesh = view_of(root);
        let roots: Vec<(Option<Locality>, &str)> = match of_mesh {
            None => vec![(None, root)],
            Some((destination, _)) => {
                let names = scenario.clusters().iter().map(|of| of.name.as_str());
                let views = names.filter_map(|name| {
                    let (of, zone) = view_of(name)?;
                    (of == destination).then(|| (Some(locality_of_zone(zone)), name))
                });
                views.collect()
            }
        };
        let parts = roots.iter().map(|(_, name)| with_members(scenario, name));
        let configs: Vec<(Vec<Arc<Cluster>>, String)> = parts
            .zip(roots.iter().map(|(_, name)| (*name).to_owned()))
            .collect();
        let all = || configs.iter().flat_map(|(clusters, _)| clusters);
        let hosts = all().map(|cluster| host_count(cluster)).sum();
        if hosts == 0 {
            return None;
        }
        let own = host_localities(all());
        let zones = if of_mesh.is_some() {
            let places = roots.iter().enumerate();
            let zones = places.filter_map(|(config, (zone, _))| Some((zone.clone()?, config)));
            named_zones(zones.collect())
        } else {
            named_zones(own.iter().map(|of| (of.clone(), 0)).collect())
        };
        let zone_aware = |cluster: &Arc<Cluster>| match &cluster.kind {
            ClusterKind::Plain(plain) => plain.locality_lb.zone_aware().is_some(),
            _ => false,
        };
        let stage = Self {
            scenario: Rc::clone(scenario),
            destination: of_mesh.map_or(root, |(destination, _)| destination).into(),
            is_mesh: of_mesh.is_some(),
            has_zone_aware: of_mesh.is_none() && all().any(zone_aware),
            names_local_cluster: names_local_cluster(scenario),
            has_zones: own.iter().any(|of| !of.zone.is_empty()),
            hosts,
            relays: relays(&roots, &configs),
            zones,
            configs,
        };
        Some(stage)
    }

    /// Whether zone-aware routing counts the callers.
    #[must_use]
    pub fn counts_callers(&self, input: &FleetInput) -> bool {
        self.has_zone_aware && input.zone_aware.unwrap_or(self.names_local_cluster)
    }

    /// The fleet; `None` is unreachable: the clusters are those of a valid scenario.
    #[must_use]
    pub fn fleet(&self, input: &FleetInput) -> Option<Fleet> {
        let counts = self.counts_callers(input);
        let configs = self.configs.iter().map(|(clusters, target)| {
            let model = model(clusters, counts)?;
            Some(CallerConfig {
                model,
                targets: vec![CallerTarget::all(target)],
            })
        });
        let classes = self.zones.iter().map(|zone| {
            let of = input.zone(&zone.key);
            CallerClass {
                config: zone.config,
                locality: zone.locality.clone(),
                callers: of.callers.into(),
                rps: of.rps.unwrap_or(0.0),
                bytes: of.bytes,
            }
        });
        let price = input.price.map(|price| format!("cross-zone={price}"));
        let prices = price.map(|text| TrafficPrice::parse(&text, &[]));
        Some(Fleet {
            configs: configs.collect::<Option<_>>()?,
            classes: classes.collect(),
            criteria: Metadata::EMPTY,
            local: if counts {
                LocalClusterHosts::Callers
            } else {
                LocalClusterHosts::AsConfigured
            },
            lost_callers: input.lost_callers,
            capacities: input
                .capacity
                .map(|rps| CapacityRule {
                    selector: None,
                    rps,
                })
                .into_iter()
                .collect(),
            prices: prices.and_then(Result::ok).unwrap_or_default(),
            zones: BTreeMap::new(),
            relays: self.relays.clone(),
        })
    }
}

/// The clusters, with a local cluster if zone-aware routing counts the callers. `Fleet` gives that one its hosts.
fn model(clusters: &[Arc<Cluster>], with_local: bool) -> Option<Model> {
    if !with_local {
        return Model::shared(clusters.to_vec()).ok();
    }
    let mut name = String::from("callers");
    while clusters.iter().any(|of| of.name == name) {
        name.push('\'');
    }
    let host = Priority::single_locality(vec![Endpoint::new("0.0.0.0:1")]);
    let settings = PlainCluster {
        priorities: vec![host],
        ..PlainCluster::default()
    };
    let local = Arc::new(Cluster::plain(name.clone(), settings));
    let all = clusters.iter().cloned().chain([local]).collect();
    Some(Model::shared(all).ok()?.with_local(LocalInfo {
        locality: None,
        cluster: Some(name),
    }))
}

fn host_count(cluster: &Cluster) -> usize {
    let priorities = cluster.priorities().iter();
    priorities.map(|priority| priority.endpoints.len()).sum()
}

/// The zones with their shortest unique names.
fn named_zones(zones: Vec<(Locality, usize)>) -> Vec<CallerZone> {
    let all: Vec<Locality> = zones.iter().map(|(of, _)| of.clone()).collect();
    let named = zones.into_iter().map(|(locality, config)| CallerZone {
        name: match short_name(&locality, &all) {
            name if name.is_empty() => "no zone".into(),
            name => name,
        },
        key: locality_key(&locality),
        locality,
        config,
    });
    named.collect()
}

/// `zone`, `region/zone` or `region/zone/sub_zone`: the shortest one that names no other locality.
pub(super) fn short_name(of: &Locality, all: &[Locality]) -> String {
    let zone = |of: &Locality| of.zone.clone();
    let region = |of: &Locality| format!("{}/{}", of.region, of.zone);
    let forms: [&dyn Fn(&Locality) -> String; 2] = [&zone, &region];
    let unique = forms.iter().find(|form| {
        let name = form(of);
        all.iter().filter(|other| form(other) == name).count() < 2
    });
    match unique {
        Some(form) => form(of),
        None => format!("{}/{}/{}", of.region, of.zone, of.sub_zone),
    }
}

/// The hosts that the proxies of their own zone do not see: ingresses and gateways of zones.
fn relays(
    roots: &[(Option<Locality>, &str)],
    configs: &[(Vec<Arc<Cluster>>, String)],
) -> BTreeSet<String> {
    let hosts = |at: usize| {
        let clusters = configs.get(at).map(|(clusters, _)| clusters.as_slice());
        let clusters = clusters.unwrap_or_default().iter();
        clusters.flat_map(|cluster| {
            let priorities = cluster.priorities().iter();
            priorities.flat_map(|priority| {
                priority.endpoints.iter().filter_map(|host| {
                    let of = priority.localities.get(host.locality)?;
                    Some((&of.locality, host.address.as_str()))
                })
            })
        })
    };
    let mut own: BTreeMap<(&str, &str), BTreeSet<&str>> = BTreeMap::new();
    for (at, (zone, _)) in roots.iter().enumerate() {
        if let Some(zone) = zone {
            let seen = own.entry((&zone.region, &zone.zone)).or_default();
            seen.extend(hosts(at).map(|(_, address)| address));
        }
    }
    let all = (0..roots.len()).flat_map(hosts);
    let relays = all.filter(|(of, address)| {
        let zone = (of.region.as_str(), of.zone.as_str());
        own.get(&zone).is_some_and(|seen| !seen.contains(address))
    });
    relays.map(|(_, address)| address.to_owned()).collect()
}

/// Whether the imported text seems to have a local cluster. The user can change what follows from it.
fn names_local_cluster(scenario: &EditedScenario) -> bool {
    let config = scenario.origin.as_deref();
    let config = config.map_or("", |origin| origin.texts.config.as_str());
    let mut lines = config.lines().map(str::trim_start);
    lines.any(|line| !line.starts_with('#') && line.contains(LOCAL_CLUSTER_NAME))
}
