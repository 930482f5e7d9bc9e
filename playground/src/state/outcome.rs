//! What the engine says of a scenario, arranged for the page.

use spillgate_core::{
    load::{Availability, PriorityLoad},
    model::{Coarse, Endpoint, Locality},
    snapshot::{ClusterId, Kind, LevelHosts, PlainSnapshot, Snapshot},
};

use super::{HostAt, LevelAt, Scenario};

/// The result of a scenario.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// The compiled scenario; explanations are asked of it.
    pub snapshot: Snapshot,
    /// The levels in the order in which traffic fills them.
    pub levels: Vec<LevelRow>,
    /// The members of an aggregate; empty for a plain cluster.
    pub clusters: Vec<ClusterRow>,
    /// How many percent of the requests find no host.
    pub no_host: f64,
    /// Whether loads go by host counts because every level panics.
    pub total_panic: bool,
    /// The panic threshold that decides on loads, in percent.
    pub threshold: u32,
    /// `min(100, sum of availabilities)`.
    pub total_availability: u32,
    /// The shares of the hosts of each level that gets anything.
    hosts: Vec<(LevelAt, Vec<f64>)>,
}

/// A level and its figures.
#[derive(Debug, Clone, PartialEq)]
pub struct LevelRow {
    /// Which one.
    pub at: LevelAt,
    /// Its place in the line of levels; also its colour.
    pub line: usize,
    /// `P1`, or `shop-primary P1`.
    pub name: String,
    /// `P1`, or `shop-primary/P1`.
    pub id: String,
    /// All hosts.
    pub hosts: usize,
    /// Healthy hosts.
    pub healthy: usize,
    /// Degraded hosts.
    pub degraded: usize,
    /// Hosts that availability is relative to.
    pub counted: usize,
    /// The overprovisioning factor in percent.
    pub factor: u32,
    /// The panic threshold of its own cluster, in percent.
    pub threshold: u32,
    /// What it could take.
    pub availability: Availability,
    /// Its load in whole percent.
    pub load: u32,
    /// The part of the load that is for degraded hosts.
    pub load_degraded: u32,
    /// The percent of the requests that its hosts really get. Differs from the load where nobody
    /// is there to serve, and under an aggregate whose members choose a level by hash.
    pub share: f64,
    /// Whether health is ignored.
    pub panic: Panic,
    /// The smallest and the largest share of a host that serves.
    pub per_host: Option<(f64, f64)>,
    /// Its localities.
    pub zones: Vec<ZoneRow>,
}

/// Whether a level serves from all its hosts, and why.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Panic {
    /// Health counts.
    No,
    /// The level has too few usable hosts.
    Level,
    /// Every level has, so loads go by host counts too.
    Total,
}

/// A locality of a level.
#[derive(Debug, Clone, PartialEq)]
pub struct ZoneRow {
    /// Its index among the level's localities.
    pub locality: usize,
    /// `zone a`, or the parts that are set.
    pub name: String,
    /// The indices of its hosts in the level.
    pub hosts: Vec<usize>,
    /// How many of them are healthy.
    pub healthy: usize,
    /// The percent of the requests that they get.
    pub share: f64,
}

/// A member of an aggregate.
#[derive(Debug, Clone, PartialEq)]
pub struct ClusterRow {
    /// Its place in the scenario.
    pub at: usize,
    /// Its name.
    pub name: String,
    /// Its levels' places in [`Outcome::levels`].
    pub levels: Vec<usize>,
    /// The sum of their loads.
    pub load: u32,
    /// All its hosts.
    pub hosts: usize,
    /// Its healthy hosts.
    pub healthy: usize,
}

/// A host and its figures.
#[derive(Debug, Clone, PartialEq)]
pub struct HostRow<'a> {
    /// Which one.
    pub at: HostAt,
    /// The host itself.
    pub endpoint: &'a Endpoint,
    /// The percent of the requests that it gets.
    pub share: f64,
}

impl Outcome {
    /// Compiles a scenario and reads off every figure.
    #[must_use]
    pub fn of(scenario: &Scenario) -> Self {
        let snapshot = Snapshot::build(&scenario.model());
        let ids: Vec<ClusterId> = snapshot.clusters().map(|(id, _)| id).collect();
        let root = ids.get(scenario.root()).copied();
        let distribution = root
            .map(|root| snapshot.distribution(root, None))
            .unwrap_or_default();
        let mut hosts: Vec<(LevelAt, Vec<f64>)> = Vec::new();
        for share in &distribution.shares {
            let at = LevelAt {
                cluster: share.owner.index(),
                priority: share.priority,
            };
            // The rows of a level stand together.
            if hosts.last().is_none_or(|(last, _)| *last != at) {
                let count = scenario.level(at).map_or(0, |level| level.endpoints.len());
                hosts.push((at, vec![0.0; count]));
            }
            let slot = hosts
                .last_mut()
                .and_then(|(_, shares)| shares.get_mut(share.host));
            if let Some(slot) = slot {
                *slot = share.share;
            }
        }
        let mut outcome = Self {
            snapshot: Snapshot::default(),
            levels: Vec::new(),
            clusters: Vec::new(),
            no_host: distribution.no_host,
            total_panic: false,
            threshold: 0,
            total_availability: 0,
            hosts,
        };
        match root
            .and_then(|root| snapshot.cluster(root))
            .map(|c| &c.kind)
        {
            Some(Kind::Plain(plain)) => {
                let line: Vec<LevelAt> = (0..plain.levels.len())
                    .map(|priority| LevelAt {
                        cluster: scenario.root(),
                        priority,
                    })
                    .collect();
                outcome.take_load(&plain.whole.load, plain.settings.panic_threshold.percent());
                outcome.take_levels(scenario, &snapshot, &line, &plain.whole.load);
            }
            Some(Kind::Aggregate(aggregate)) => {
                let levels = aggregate.line.levels.iter();
                let line: Vec<LevelAt> = levels
                    .map(|level| LevelAt {
                        cluster: level.cluster.index(),
                        priority: level.priority,
                    })
                    .collect();
                let load = &aggregate.line.load;
                outcome.take_load(load, aggregate.panic_threshold.percent());
                outcome.take_levels(scenario, &snapshot, &line, load);
                let members = aggregate.members.iter().map(|id| id.index());
                outcome.take_clusters(scenario, members);
            }
            Some(Kind::OriginalDst(_)) | None => {}
        }
        outcome.snapshot = snapshot;
        outcome
    }

    /// The row of a level, if it is part of what is shown.
    #[must_use]
    pub fn level(&self, at: LevelAt) -> Option<&LevelRow> {
        self.levels.iter().find(|row| row.at == at)
    }

    /// The percent of the requests that a host gets.
    #[must_use]
    pub fn host_share(&self, at: HostAt) -> f64 {
        self.shares(at.level).get(at.host).copied().unwrap_or(0.0)
    }

    /// The hosts of a level with their shares.
    pub fn hosts<'a>(
        &'a self,
        scenario: &'a Scenario,
        level: LevelAt,
    ) -> impl Iterator<Item = HostRow<'a>> + 'a {
        let endpoints = scenario
            .level(level)
            .map(|level| level.endpoints.as_slice());
        let endpoints = endpoints.unwrap_or_default();
        endpoints.iter().enumerate().map(move |(host, endpoint)| {
            let at = HostAt { level, host };
            HostRow {
                at,
                endpoint,
                share: self.host_share(at),
            }
        })
    }

    /// Whether some level gets more or less than its load says.
    #[must_use]
    pub fn shares_differ_from_loads(&self) -> bool {
        self.levels
            .iter()
            .any(|row| (row.share - f64::from(row.load)).abs() > 0.05)
    }

    fn shares(&self, at: LevelAt) -> &[f64] {
        let level = self.hosts.iter().find(|(level, _)| *level == at);
        level.map_or(&[], |(_, shares)| shares)
    }

    fn take_load(&mut self, load: &PriorityLoad, threshold: u32) {
        self.total_panic = load.total_panic;
        self.total_availability = load.normalized_total;
        self.threshold = threshold;
    }

    fn take_levels(
        &mut self,
        scenario: &Scenario,
        snapshot: &Snapshot,
        line: &[LevelAt],
        load: &PriorityLoad,
    ) {
        let plains: Vec<Option<&PlainSnapshot>> = snapshot
            .clusters()
            .map(|(id, _)| snapshot.plain(id))
            .collect();
        for (place, &at) in line.iter().enumerate() {
            let Some(Some(plain)) = plains.get(at.cluster) else {
                continue;
            };
            let (Some(level), Some(set)) = (
                plain.levels.get(at.priority),
                plain.whole.levels.get(at.priority),
            ) else {
                continue;
            };
            let shares = self.shares(at);
            let serving = shares.iter().copied().filter(|&share| share > 0.0);
            let panic = match (load.total_panic, plain.whole.load.panics(at.priority)) {
                (true, _) => Panic::Total,
                (false, true) => Panic::Level,
                (false, false) => Panic::No,
            };
            let row = LevelRow {
                at,
                line: place,
                name: scenario.level_name(at),
                id: scenario.level_id(at),
                hosts: set.health.hosts as usize,
                healthy: set.health.healthy as usize,
                degraded: set.health.degraded as usize,
                counted: set.health.counted() as usize,
                factor: set.health.factor.0,
                threshold: plain.settings.panic_threshold.percent(),
                availability: load.availability.get(place).copied().unwrap_or_default(),
                load: load.of_level(place),
                load_degraded: load.degraded.get(place).copied().unwrap_or(0),
                share: shares.iter().sum(),
                panic,
                per_host: serving.fold(None, |range, share| match range {
                    None => Some((share, share)),
                    Some((low, high)) => Some((share.min(low), share.max(high))),
                }),
                zones: zones(level, shares),
            };
            self.levels.push(row);
        }
    }

    fn take_clusters(&mut self, scenario: &Scenario, members: impl Iterator<Item = usize>) {
        for at in members {
            let of_member = self.levels.iter().filter(|row| row.at.cluster == at);
            let row = ClusterRow {
                at,
                name: scenario.name(at).to_owned(),
                levels: of_member.clone().map(|row| row.line).collect(),
                load: of_member.clone().map(|row| row.load).sum(),
                hosts: of_member.clone().map(|row| row.hosts).sum(),
                healthy: of_member.map(|row| row.healthy).sum(),
            };
            self.clusters.push(row);
        }
    }
}

impl LevelRow {
    /// The short name: `P1` whatever the cluster.
    #[must_use]
    pub fn short(&self) -> String {
        format!("P{}", self.at.priority)
    }
}

fn zones(level: &LevelHosts, shares: &[f64]) -> Vec<ZoneRow> {
    let mut zones: Vec<ZoneRow> = level
        .level
        .localities
        .iter()
        .enumerate()
        .map(|(locality, of)| ZoneRow {
            locality,
            name: locality_name(&of.locality),
            hosts: Vec::new(),
            healthy: 0,
            share: 0.0,
        })
        .collect();
    for (host, endpoint) in level.level.endpoints.iter().enumerate() {
        if let Some(zone) = zones.get_mut(endpoint.locality) {
            zone.hosts.push(host);
            zone.share += shares.get(host).copied().unwrap_or(0.0);
            if endpoint.health.coarse() == Coarse::Healthy {
                zone.healthy += 1;
            }
        }
    }
    zones
}

fn locality_name(locality: &Locality) -> String {
    let Locality {
        region,
        zone,
        sub_zone,
    } = locality;
    match (region.is_empty(), zone.is_empty(), sub_zone.is_empty()) {
        (true, true, true) => "no zone".into(),
        (true, false, true) => format!("zone {zone}"),
        _ => {
            let parts = [region.as_str(), zone, sub_zone];
            let set: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
            set.join(" / ")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Edit, apply, preset};
    use super::*;

    fn loads(outcome: &Outcome) -> Vec<u32> {
        outcome.levels.iter().map(|row| row.load).collect()
    }

    #[test]
    fn the_rows_of_envoys_documentation() {
        let mut scenario = preset("two-levels").unwrap();
        let p0 = LevelAt {
            cluster: 0,
            priority: 0,
        };
        for (healthy, expected) in [
            (72, [100, 0]),
            (71, [99, 1]),
            (50, [70, 30]),
            (25, [35, 65]),
            (0, [0, 100]),
        ] {
            scenario = apply(&scenario, &Edit::HealthyCount(p0, healthy)).unwrap_or(scenario);
            assert_eq!(loads(&Outcome::of(&scenario)), expected, "{healthy}");
        }
    }

    #[test]
    fn shares_of_hosts_zones_and_levels_agree() {
        for id in ["documented", "degraded", "panic", "aggregate", "shop"] {
            let scenario = preset(id).unwrap();
            let outcome = Outcome::of(&scenario);
            let levels: f64 = outcome.levels.iter().map(|row| row.share).sum();
            assert!((levels + outcome.no_host - 100.0).abs() < 1e-6, "{id}");
            for row in &outcome.levels {
                let zones: f64 = row.zones.iter().map(|zone| zone.share).sum();
                let hosts: f64 = outcome.hosts(&scenario, row.at).map(|h| h.share).sum();
                assert!((zones - row.share).abs() < 1e-6, "{id}");
                assert!((hosts - row.share).abs() < 1e-6, "{id}");
            }
        }
    }

    #[test]
    fn an_aggregate_shows_its_members() {
        let outcome = Outcome::of(&preset("shop").unwrap());
        let names: Vec<_> = outcome.levels.iter().map(|row| row.id.as_str()).collect();
        assert_eq!(names, ["shop-primary/P0", "shop-secondary/P0"]);
        let clusters: Vec<_> = outcome.clusters.iter().map(|c| (c.load, c.hosts)).collect();
        assert_eq!(clusters, [(84, 10), (16, 5)]);
    }
}
