//! Kinds `priority_load`, `choose_priority` and `aggregate`.

use serde::Deserialize;
use serde_json::{Value, json};
use spillgate_core::{
    load::{HostClass, LevelHealth, choose_priority, linearized},
    model::{Health, HealthFlags, HealthStatus, OverprovisioningFactor, PanicThreshold, Weight},
};

use super::{Figures, figures, read};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Levels {
    panic_threshold: f64,
    priorities: Vec<LevelInput>,
}

/// A level by its counts, or host by host where weights count.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LevelInput {
    hosts: Option<u32>,
    healthy: Option<u32>,
    #[serde(default)]
    degraded: u32,
    #[serde(default)]
    excluded: u32,
    #[serde(default)]
    overprovisioning_factor: Option<u32>,
    #[serde(default)]
    weighted_priority_health: bool,
    host_list: Option<Vec<HostInput>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct HostInput {
    w: u32,
    health: String,
    #[serde(default)]
    excluded: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Choose {
    healthy_load: Vec<u32>,
    degraded_load: Vec<u32>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Aggregate {
    panic_threshold: f64,
    clusters: Vec<Member>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Member {
    name: String,
    #[serde(default)]
    priorities: Vec<LevelInput>,
    #[serde(default)]
    missing: bool,
}

pub(super) fn priority_load(input: &Value, _: &Figures) -> Result<Figures, String> {
    let input: Levels = read(input)?;
    let levels = level_health(&input.priorities)?;
    let threshold = PanicThreshold::from_percent(input.panic_threshold);
    let load = spillgate_core::load::priority_load(&levels, threshold);
    Ok(figures([
        ("healthy_load", json!(load.healthy)),
        ("degraded_load", json!(load.degraded)),
        ("panic", json!(load.panic)),
    ]))
}

pub(super) fn choose(input: &Value, _: &Figures) -> Result<Figures, String> {
    let input: Choose = read(input)?;
    let ranges = ranges(&input.healthy_load, &input.degraded_load)
        .into_iter()
        .map(|range| {
            json!({"from": range.from, "to": range.to, "priority": range.level,
                   "availability": class_name(range.class)})
        })
        .collect();
    Ok(figures([("ranges", ranges)]))
}

pub(super) fn aggregate(input: &Value, asked: &Figures) -> Result<Figures, String> {
    let input: Aggregate = read(input)?;
    let mut members = Vec::new();
    for member in input.clusters.iter().filter(|member| !member.missing) {
        members.push((member.name.as_str(), level_health(&member.priorities)?));
    }
    let line = linearized(
        &members,
        PanicThreshold::from_percent(input.panic_threshold),
    );
    let load_of = |name: &str| -> u32 {
        line.levels
            .iter()
            .enumerate()
            .filter(|(_, level)| level.cluster == name)
            .map(|(at, _)| line.load.of_level(at))
            .sum()
    };
    // Clusters that get nothing may be left out of what is expected.
    let expected = asked.get("cluster_load").and_then(Value::as_object);
    let cluster_load: Figures = input
        .clusters
        .iter()
        .map(|member| (member.name.clone(), load_of(&member.name)))
        .filter(|(name, load)| *load > 0 || expected.is_some_and(|e| e.contains_key(name)))
        .map(|(name, load)| (name, load.into()))
        .collect();
    let ranges: Vec<Value> = ranges(&line.load.healthy, &line.load.degraded)
        .into_iter()
        .filter_map(|range| {
            let level = line.levels.get(range.level)?;
            Some(
                json!({"from": range.from, "to": range.to, "cluster": level.cluster,
                        "priority": level.priority, "availability": class_name(range.class)}),
            )
        })
        .collect();
    let linear: Vec<Value> = line
        .levels
        .iter()
        .map(|level| json!([level.cluster, level.priority]))
        .collect();
    Ok(figures([
        ("no_host", json!(linear.is_empty())),
        ("linear", linear.into()),
        ("healthy_load", json!(line.load.healthy)),
        ("degraded_load", json!(line.load.degraded)),
        ("panic", json!(line.load.panic)),
        ("cluster_load", cluster_load.into()),
        ("ranges", ranges.into()),
    ]))
}

fn level_health(levels: &[LevelInput]) -> Result<Vec<LevelHealth>, String> {
    levels.iter().map(LevelInput::health).collect()
}

impl LevelInput {
    fn health(&self) -> Result<LevelHealth, String> {
        let factor = self
            .overprovisioning_factor
            .map_or(OverprovisioningFactor::DEFAULT, OverprovisioningFactor);
        match (&self.host_list, self.hosts, self.healthy) {
            (Some(list), _, _) => {
                let hosts: Vec<(Health, u32)> =
                    list.iter().map(HostInput::read).collect::<Result<_, _>>()?;
                let health = LevelHealth::count(hosts, self.weighted_priority_health, factor);
                let stated = self.hosts.unwrap_or(health.hosts);
                let healthy = self.healthy.unwrap_or(health.healthy);
                if (stated, healthy) != (health.hosts, health.healthy) {
                    return Err("input: host_list does not agree with the counts".into());
                }
                Ok(health)
            }
            (None, Some(hosts), Some(healthy)) if !self.weighted_priority_health => {
                Ok(LevelHealth {
                    hosts,
                    healthy,
                    degraded: self.degraded,
                    excluded: self.excluded,
                    weights: None,
                    factor,
                })
            }
            _ => Err("input: a level needs hosts and healthy, or a host_list".into()),
        }
    }
}

impl HostInput {
    fn read(&self) -> Result<(Health, u32), String> {
        let status = match self.health.as_str() {
            "healthy" => HealthStatus::Healthy,
            "degraded" => HealthStatus::Degraded,
            "unhealthy" => HealthStatus::Unhealthy,
            other => return Err(format!("unknown health {other:?}")),
        };
        let flags = HealthFlags {
            // A flag that excludes and leaves the class alone.
            excluded_via_immediate_hc_fail: self.excluded,
            ..HealthFlags::default()
        };
        let weight = Weight::new(self.w).ok_or("a weight of 0")?;
        Ok((Health { status, flags }, weight.get()))
    }
}

/// A run of residues modulo 100 that lead to the same level and class.
struct Range {
    from: u64,
    to: u64,
    level: usize,
    class: HostClass,
}

fn ranges(healthy: &[u32], degraded: &[u32]) -> Vec<Range> {
    let mut ranges: Vec<Range> = Vec::new();
    for residue in 0..100 {
        let (level, class) = choose_priority(residue, healthy, degraded);
        match ranges.last_mut() {
            Some(last) if last.level == level && last.class == class => last.to = residue,
            _ => ranges.push(Range {
                from: residue,
                to: residue,
                level,
                class,
            }),
        }
    }
    ranges
}

pub(super) const fn class_name(class: HostClass) -> &'static str {
    match class {
        HostClass::Healthy => "healthy",
        HostClass::Degraded => "degraded",
    }
}
