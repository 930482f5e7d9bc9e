//! A configuration with the hosts that a running Envoy has.

use alloc::{borrow::Cow, format, string::String, vec::Vec};

use spillgate_core::{
    model::{
        Cluster, ClusterKind, Endpoint, Health, HealthStatus, Level, LevelLocality, Locality,
        Metadata, Model, PlainCluster,
    },
    names::Names,
};

use super::{
    ClusterStatus, HostStatus,
    matching::{Configured, Place},
};
use crate::{
    Diagnostic, Position,
    envoy::{ClusterMarks, EndpointMarks, EnvoyConfig},
    node::quote,
};

/// Warnings about a configuration that hosts known from outside settle.
const SETTLED: [&str; 4] = [
    "config/dns-name",
    "config/dump-health",
    "config/eds-endpoints",
    "config/no-endpoints",
];

/// Lays an answer of `/clusters` over the clusters of a configuration. Every cluster that the answer
/// names has the hosts that stand there, in that order, with their health; the others stay as
/// configured. Warnings about the configuration that this settles go.
///
/// What came of it is said in warnings about the answer.
#[must_use]
pub fn lay_over(statuses: &[ClusterStatus<'_>], config: &mut EnvoyConfig) -> Vec<Diagnostic> {
    let EnvoyConfig {
        model,
        marks,
        warnings,
        ..
    } = config;
    let mut names = Names::default();
    for (at, status) in statuses.iter().enumerate() {
        names.insert(&status.name, at);
    }
    let mut found = Vec::new();
    let mut silent = Vec::new();
    let mut complete = true;
    let local = model.local().clone();
    let mut clusters = core::mem::take(model).into_clusters();
    for cluster in &mut clusters {
        let ClusterKind::Plain(plain) = &mut cluster.kind else {
            continue;
        };
        let Some(status) = names.get(&cluster.name).and_then(|at| statuses.get(at)) else {
            complete = false;
            silent.push(cluster.name.as_str());
            continue;
        };
        let marks = marks.cluster_mut(&cluster.name);
        found.extend(replace_hosts(plain, marks, status));
        complete &= plain.levels.iter().any(|level| !level.endpoints.is_empty());
    }
    let silent = named(&silent);
    if let Some(names) = silent {
        let what = "nothing is said about these clusters, whose hosts stay as configured";
        found.push(Diagnostic::warning("clusters/missing-cluster", what).found(names));
    }
    found.extend(unknown(statuses, &clusters));
    if complete {
        warnings.retain(|warning| !SETTLED.contains(&warning.code));
    }
    // The names are those of before, so there is nothing to refuse.
    if let Ok(changed) = Model::new(clusters) {
        *model = changed.with_local(local);
    }
    found
}

fn unknown(statuses: &[ClusterStatus<'_>], clusters: &[Cluster]) -> Option<Diagnostic> {
    let mut known = Names::default();
    for cluster in clusters {
        known.add(&cluster.name);
    }
    let unknown = statuses
        .iter()
        .filter(|status| !known.contains(&status.name));
    let unknown: Vec<&str> = unknown.map(|status| status.name.as_ref()).collect();
    let what = "the configuration does not have these clusters; they are passed over";
    named(&unknown).map(|names| Diagnostic::warning("clusters/unknown-cluster", what).found(names))
}

/// The first names of a list and how many there are beyond.
fn named(names: &[&str]) -> Option<String> {
    const SHOWN: usize = 5;
    if names.is_empty() {
        return None;
    }
    let shown: Vec<String> = names.iter().take(SHOWN).map(|name| quote(name)).collect();
    let more = names.len().saturating_sub(SHOWN);
    Some(match more {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    })
}

/// Gives a cluster the hosts of an answer.
fn replace_hosts(
    plain: &mut PlainCluster,
    marks: Option<&mut ClusterMarks>,
    status: &ClusterStatus<'_>,
) -> Option<Diagnostic> {
    let before = core::mem::take(&mut plain.levels);
    let mut configured = Configured::new(&before);
    let mut levels = Levels::like(&before, marks.as_deref());
    let mut joined = 0_usize;
    for host in &status.hosts {
        let place = configured.take(host);
        joined += usize::from(place.is_none());
        levels.add(host, place);
    }
    let left = configured.left();
    plain.levels = levels.levels;
    if let Some(marks) = marks {
        marks.levels = levels.marks;
        marks.localities = levels.localities;
    }
    let mut what = String::new();
    // A configuration without any leaves its hosts to others, EDS above all.
    if configured.any() && (joined > 0 || left > 0) {
        what = format!(
            "its hosts are no longer those of the configuration: {joined} joined, {left} left; "
        );
    }
    if joined > 0 && plain.subsets.is_some() {
        what.push_str("nothing is known of the metadata of new hosts, so no subset has them; ");
    }
    if joined > 0 && plain.locality_lb.is_weighted() {
        what.push_str("localities that the configuration lacks have no weight; ");
    }
    let what = what.strip_suffix("; ")?;
    Some(
        Diagnostic::warning("clusters/membership", what)
            .at("", status.position)
            .found(quote(&status.name)),
    )
}

/// Levels in the making, with the places of their localities and hosts.
struct Levels {
    levels: Vec<Level>,
    localities: Vec<Vec<Position>>,
    marks: Vec<Vec<EndpointMarks>>,
    before: Vec<Vec<EndpointMarks>>,
    /// Where the cluster is: the place of all that the configuration does not have.
    cluster: Position,
}

impl Levels {
    /// As many as there were, with their localities and without hosts.
    fn like(before: &[Level], marks: Option<&ClusterMarks>) -> Self {
        let level = |level: &Level| Level {
            localities: level.localities.clone(),
            endpoints: Vec::new(),
        };
        let mut localities = marks.map(|m| m.localities.clone()).unwrap_or_default();
        localities.resize_with(before.len(), Vec::new);
        Self {
            levels: before.iter().map(level).collect(),
            localities,
            marks: before.iter().map(|_| Vec::new()).collect(),
            before: marks.map(|m| m.levels.clone()).unwrap_or_default(),
            cluster: marks.map_or(Position::START, |marks| marks.cluster),
        }
    }

    fn add(&mut self, host: &HostStatus<'_>, place: Option<&Place<'_>>) {
        let stated = host.priority.map(|p| usize::try_from(p).unwrap_or(0));
        let number = stated.or(place.map(|place| place.level)).unwrap_or(0);
        if self.levels.len() <= number {
            self.levels.resize_with(number + 1, Level::default);
            self.localities.resize_with(number + 1, Vec::new);
            self.marks.resize_with(number + 1, Vec::new);
        }
        let (Some(level), Some(localities), Some(marks)) = (
            self.levels.get_mut(number),
            self.localities.get_mut(number),
            self.marks.get_mut(number),
        ) else {
            return;
        };
        let locality = locality_of(host, place);
        let known = level.localities.iter().position(|l| l.locality == locality);
        let index = known.unwrap_or(level.localities.len());
        if known.is_none() {
            level.localities.push(LevelLocality {
                locality,
                weight: None,
            });
            localities.push(self.cluster);
        }
        level.endpoints.push(endpoint_of(host, place, index));
        let mark = place.and_then(|place| self.before.get(place.level)?.get(place.index));
        marks.push(mark.copied().unwrap_or(EndpointMarks {
            endpoint: self.cluster,
            health_status: None,
        }));
    }
}

/// The names that the answer tells, and the configured ones for those that it does not.
fn locality_of(host: &HostStatus<'_>, place: Option<&Place<'_>>) -> Locality {
    let configured = place.and_then(|place| place.locality);
    let configured = configured.map(|l| &l.locality);
    let name = |told: &Option<Cow<'_, str>>, of: fn(&Locality) -> &String| match told {
        Some(name) => name.as_ref().into(),
        None => configured.map(of).cloned().unwrap_or_default(),
    };
    Locality {
        region: name(&host.locality.region, |l| &l.region),
        zone: name(&host.locality.zone, |l| &l.zone),
        sub_zone: name(&host.locality.sub_zone, |l| &l.sub_zone),
    }
}

fn endpoint_of(host: &HostStatus<'_>, place: Option<&Place<'_>>, locality: usize) -> Endpoint {
    let configured = place.map(|place| place.endpoint);
    let status = configured.map(|endpoint| endpoint.health.status);
    Endpoint {
        address: host.address.as_ref().into(),
        weight: host
            .weight
            .or(configured.map(|endpoint| endpoint.weight))
            .unwrap_or_default(),
        health: health_of(host, status),
        locality,
        hash_key: configured.and_then(|endpoint| endpoint.hash_key.clone()),
        metadata: configured.map_or_else(Metadata::default, |e| e.metadata.clone()),
        reported_weight: configured.and_then(|endpoint| endpoint.reported_weight),
    }
}

/// The health that was told. Where it stands for several statuses and the configured one is among
/// them, that one stays.
fn health_of(host: &HostStatus<'_>, configured: Option<HealthStatus>) -> Health {
    let told = host.health.unwrap_or_default();
    let status = match (told.status, configured) {
        (HealthStatus::Healthy, Some(HealthStatus::Unknown) | None) => HealthStatus::Unknown,
        (HealthStatus::Unhealthy, Some(HealthStatus::Timeout)) => HealthStatus::Timeout,
        (told, _) => told,
    };
    Health { status, ..told }
}
