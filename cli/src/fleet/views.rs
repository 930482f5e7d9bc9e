//! What the callers of each zone receive: one Envoy configuration for all, or documents of a mesh.

use std::collections::{BTreeMap, BTreeSet};

use spillgate_answers::{input::Faults, limits::Limits};
use spillgate_config::{
    Diagnostic,
    mesh::{MeshKind, MeshZone},
};
use spillgate_core::model::{Locality, Metadata, Model};
use spillgate_sim::fleet::{
    CallerConfig, CallerCounts, CallerTarget, FleetZone, host_localities, locality_of_zone,
};

use super::args::FleetArgs;
use crate::{
    cluster_names::matching_names,
    command::Done,
    config::Config,
    mesh::{MeshHealth, MeshInput, name_istio_version},
    spec::criteria,
    what_if::{ModelParts, clusters_in_question, hosts_unknown},
};

/// The configurations of the callers.
pub(super) struct Views {
    /// The input, for errors without a place.
    pub(super) name: String,
    /// The configurations, each with the zone that it is for; `None` for all zones.
    pub(super) configs: Vec<(Option<Locality>, CallerConfig)>,
    /// The names of the clusters or destinations in question.
    pub(super) clusters: Vec<String>,
    /// The localities of hosts, callers and the proxy itself.
    pub(super) localities: Vec<Locality>,
    /// The callers in the input.
    pub(super) callers: CallerCounts,
    pub(super) criteria: Metadata,
    /// The zones of hosts, by address, where localities do not name them.
    pub(super) zones: BTreeMap<String, FleetZone>,
    /// The addresses of zone ingresses.
    pub(super) relays: BTreeSet<String>,
    /// The settings that are not modeled and concern the clusters.
    pub(super) limits: Limits,
}

impl Views {
    /// The view of an Envoy configuration.
    ///
    /// # Errors
    /// Unknown clusters and criteria, several clusters without a choice, and clusters without known hosts.
    pub(super) fn of_config(
        config: &Config,
        args: &FleetArgs,
        done: &mut Done,
    ) -> Result<Self, Faults> {
        config.warn(done);
        let served = config.effective_model(done);
        let model = &*served;
        let names = clusters_in_question("fleet/unknown-cluster", &args.clusters, config, model);
        let criteria = criteria(model, args.criteria.as_deref());
        let (mut names, criteria) = match (names, criteria) {
            (Ok(names), Ok(criteria)) => (names, criteria),
            (names, criteria) => {
                let mut wrong = names.err().unwrap_or_default();
                wrong.extend(criteria.err().unwrap_or_default());
                return Err(wrong);
            }
        };
        config.warn_criteria(model, &names, args.criteria.as_deref(), done);
        let local = model.local().cluster.as_deref();
        if args.clusters.is_empty() {
            names.retain(|name| Some(name.as_str()) != local);
            if let Some(fault) = not_one_cluster(&names) {
                return Err(Faults::one(config.files(), &fault));
            }
        }
        let parts = ModelParts::new(model);
        let unknown = config.unknown_clusters(model);
        let mut wrong = Faults::default();
        for name in &names {
            let members = parts.members(name);
            if let Some(member) = members.iter().find(|member| unknown.contains(member)) {
                let fault = hosts_unknown("fleet/hosts-unknown", member);
                wrong.push(config.files(), &fault);
            } else if !members.iter().any(|member| has_hosts(model, member)) {
                let fault =
                    Diagnostic::error("fleet/no-hosts", format!("cluster {name} has no hosts"));
                wrong.push(config.files(), &fault.expected("a cluster with endpoints"));
            }
        }
        if !wrong.is_empty() {
            return Err(wrong);
        }
        let chosen: Vec<&str> = names.iter().map(String::as_str).collect();
        let part = parts.part_of(model, &chosen);
        let callers = local.map_or_else(CallerCounts::default, |local| {
            hosts_by_locality(model, local)
        });
        let mut localities = host_localities(part.clusters());
        localities.extend(model.local().locality.clone());
        let of_clusters = spillgate_core::snapshot::Snapshot::build(&part.without_hosts());
        let ids: Vec<_> = names
            .iter()
            .filter_map(|name| of_clusters.cluster_id(name))
            .collect();
        Ok(Self {
            name: config.files().name(),
            limits: config.limits().of_clusters(&of_clusters, &ids),
            configs: vec![(
                None,
                CallerConfig {
                    targets: names.iter().map(|name| CallerTarget::all(name)).collect(),
                    model: part,
                },
            )],
            clusters: names,
            localities,
            callers,
            criteria,
            zones: BTreeMap::new(),
            relays: BTreeSet::new(),
        })
    }

    /// The views of all zones of a mesh.
    ///
    /// # Errors
    /// Every error of the documents, unknown destinations, and several destinations without a choice.
    pub(super) fn of_mesh(
        input: &MeshInput,
        args: &FleetArgs,
        done: &mut Done,
    ) -> Result<Self, Faults> {
        input.warn(done);
        name_istio_version(done, input.istio_version());
        let mut zones = input.zones(args.mesh.compat.compat())?;
        input.warn_zones(&zones, done);
        if let Some(path) = &args.config.health {
            MeshHealth::read(path)?.apply(&mut zones, done)?;
        }
        let names = zones.iter().flat_map(|zone| &zone.outbound.destinations);
        let names: BTreeSet<String> = names.map(|of| of.name.clone()).collect();
        let names: Vec<String> = names.into_iter().collect();
        let clusters = if args.clusters.is_empty() {
            if let Some(fault) = not_one_cluster(&names) {
                return Err(Faults::one(&input.name, &fault));
            }
            names
        } else {
            let found = matching_names("fleet/unknown-cluster", &args.clusters, &names);
            found.map_err(|faults| Faults::all(&input.name, &faults))?
        };
        for zone in &mut zones {
            zone.outbound
                .destinations
                .retain(|of| clusters.contains(&of.name));
        }
        input.warn_left_out(&zones, done);
        let mut configs = Vec::new();
        for zone in &zones {
            let model = zone.outbound.model();
            let model = model.map_err(|faults| Faults::all(&input.name, &faults))?;
            let locality = locality_of(zone);
            let config = CallerConfig {
                targets: targets(zone),
                model,
            };
            configs.push((Some(locality), config));
        }
        let criteria = match (&args.criteria, configs.first()) {
            (Some(text), Some((_, config))) => criteria(&config.model, Some(text.as_str()))?,
            _ => Metadata::EMPTY,
        };
        let host_zones = host_zones(&zones);
        Ok(Self {
            name: input.name.clone(),
            localities: configs
                .iter()
                .filter_map(|(locality, _)| locality.clone())
                .collect(),
            callers: match input.mesh {
                MeshKind::Kuma => dataplanes(input, &configs),
                MeshKind::Istio => CallerCounts::default(),
            },
            relays: relays(&zones, &host_zones),
            zones: host_zones,
            configs,
            clusters,
            criteria,
            limits: Limits::default(),
        })
    }
}

/// The fault of several clusters or no cluster: which requests go to which is not known.
fn not_one_cluster(names: &[String]) -> Option<Diagnostic> {
    Some(match names {
        [_] => return None,
        [] => Diagnostic::error("fleet/no-hosts", "no cluster has hosts")
            .expected("a cluster with endpoints"),
        several => Diagnostic::error(
            "fleet/which-cluster",
            "the requests of callers to each of several clusters are not known",
        )
        .found(several.join(", "))
        .expected("--cluster NAME; each of several clusters gets the requests of --rps"),
    })
}

fn has_hosts(model: &Model, cluster: &str) -> bool {
    let priorities = model.cluster(cluster).map(|of| of.priorities());
    priorities
        .unwrap_or_default()
        .iter()
        .any(|of| !of.endpoints.is_empty())
}

/// The number of hosts of the local cluster in each locality.
fn hosts_by_locality(model: &Model, local: &str) -> CallerCounts {
    let mut counts = CallerCounts::default();
    let priorities = model.cluster(local).map(|of| of.priorities());
    for priority in priorities.unwrap_or_default() {
        for endpoint in &priority.endpoints {
            if let Some(of) = priority.localities.get(endpoint.locality) {
                counts.add(&of.locality, 1);
            }
        }
    }
    counts.sorted()
}

fn locality_of(zone: &MeshZone) -> Locality {
    let own = zone.outbound.local.locality.clone();
    own.unwrap_or_else(|| locality_of_zone(&zone.name))
}

/// The clusters behind the destinations of a zone, without those whose requests the proxy answers. Requests that no
/// rule takes find no host.
fn targets(zone: &MeshZone) -> Vec<CallerTarget> {
    let mut targets = Vec::new();
    let destinations = zone.outbound.destinations.iter();
    for destination in destinations.filter(|of| !of.is_answered()) {
        let mut rest = 1.0;
        for (at, share) in destination
            .default_rule()
            .into_iter()
            .flat_map(|rule| rule.shares())
        {
            let cluster = zone.outbound.clusters.get(at).map(|of| of.name.clone());
            rest -= share / 100.0;
            targets.push(CallerTarget {
                cluster: cluster.unwrap_or_default(),
                part: share / 100.0,
            });
        }
        if rest > 1e-9 {
            targets.push(CallerTarget {
                cluster: String::new(),
                part: rest,
            });
        }
    }
    targets
}

/// The zone of each host, by address.
fn host_zones(zones: &[MeshZone]) -> BTreeMap<String, FleetZone> {
    let mut found = BTreeMap::new();
    for cluster in zones.iter().flat_map(|zone| &zone.outbound.clusters) {
        for (host, zone) in cluster.hosts.iter().zip(&cluster.zones) {
            let Locality { region, zone, .. } = locality_of_zone(zone);
            found.insert(host.address.clone(), FleetZone { region, zone });
        }
    }
    found
}

/// The hosts that the proxies of their own zone do not see: ingresses and gateways of zones.
fn relays(zones: &[MeshZone], hosts: &BTreeMap<String, FleetZone>) -> BTreeSet<String> {
    let mut own: BTreeMap<FleetZone, BTreeSet<&str>> = BTreeMap::new();
    for zone in zones {
        let Locality {
            region, zone: name, ..
        } = locality_of_zone(&zone.name);
        let clusters = zone.outbound.clusters.iter();
        let addresses = clusters.flat_map(|of| of.hosts.iter().map(|host| host.address.as_str()));
        own.entry(FleetZone { region, zone: name })
            .or_default()
            .extend(addresses);
    }
    let is_relay = |(address, zone): &(&String, &FleetZone)| {
        own.get(zone)
            .is_some_and(|seen| !seen.contains(address.as_str()))
    };
    hosts
        .iter()
        .filter(is_relay)
        .map(|(address, _)| address.clone())
        .collect()
}

/// The number of Dataplanes in each zone.
fn dataplanes(input: &MeshInput, configs: &[(Option<Locality>, CallerConfig)]) -> CallerCounts {
    let zones = configs.iter().filter_map(|(locality, _)| locality.as_ref());
    let mut counts = CallerCounts::default();
    for dataplane in &input.documents.kuma.dataplanes {
        let mut zones = zones.clone();
        if let Some(own) = zones.find(|of| dataplane.zone() == Some(of.zone.as_str())) {
            counts.add(own, 1);
        }
    }
    counts.sorted()
}
