//! Kinds `priority_load`, `choose_priority` and `aggregate`.

use serde::Deserialize;
use serde_json::{Value, json};
use spillgate_core::{
    load::{HostClass, PriorityHealth, choose_priority, linearized},
    model::{Health, HealthFlags, HealthStatus, OverprovisioningFactor, PanicThreshold, Weight},
};

use super::{Figures, figures, read};

/// The input of `priority_load`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Priorities {
    panic_threshold: f64,
    priorities: Vec<PriorityInput>,
}

/// A priority as counts, or as a host list if weights matter.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PriorityInput {
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

/// A host with its health and weight.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct HostInput {
    w: u32,
    health: String,
    #[serde(default)]
    excluded: bool,
}

/// The input of `choose_priority`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Choose {
    healthy_load: Vec<u32>,
    degraded_load: Vec<u32>,
}

/// The input of `aggregate`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Aggregate {
    panic_threshold: f64,
    clusters: Vec<Member>,
}

/// A member of an aggregate.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Member {
    name: String,
    #[serde(default)]
    priorities: Vec<PriorityInput>,
    #[serde(default)]
    missing: bool,
}

/// Availability, load and panic mode of each priority.
pub(super) fn priority_load(input: &Value, _: &Figures) -> Result<Figures, String> {
    let input: Priorities = read(input)?;
    let priorities = priority_health(&input.priorities)?;
    let threshold = PanicThreshold::from_percent(input.panic_threshold);
    let load = spillgate_core::load::priority_load(&priorities, threshold);
    Ok(figures([
        ("healthy_load", json!(load.healthy)),
        ("degraded_load", json!(load.degraded)),
        ("panic", json!(load.panic)),
    ]))
}

/// The priority for each hash modulo 100.
pub(super) fn choose(input: &Value, _: &Figures) -> Result<Figures, String> {
    let input: Choose = read(input)?;
    let ranges = ranges(&input.healthy_load, &input.degraded_load)
        .into_iter()
        .map(|range| {
            json!({"from": range.from, "to": range.to, "priority": range.priority,
                   "availability": class_name(range.class)})
        })
        .collect();
    Ok(figures([("ranges", ranges)]))
}

/// The linearized priorities of an aggregate and their loads.
pub(super) fn aggregate(input: &Value, asked: &Figures) -> Result<Figures, String> {
    let input: Aggregate = read(input)?;
    let mut members = Vec::new();
    for member in input.clusters.iter().filter(|member| !member.missing) {
        members.push((member.name.as_str(), priority_health(&member.priorities)?));
    }
    let line = linearized(
        &members,
        PanicThreshold::from_percent(input.panic_threshold),
    );
    let load_of = |name: &str| -> u32 {
        line.priorities
            .iter()
            .enumerate()
            .filter(|(_, priority)| priority.cluster == name)
            .map(|(at, _)| line.load.of_priority(at))
            .sum()
    };
    // The expectation can omit clusters without load.
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
            let priority = line.priorities.get(range.priority)?;
            Some(
                json!({"from": range.from, "to": range.to, "cluster": priority.cluster,
                        "priority": priority.number, "availability": class_name(range.class)}),
            )
        })
        .collect();
    let linear: Vec<Value> = line
        .priorities
        .iter()
        .map(|priority| json!([priority.cluster, priority.number]))
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

/// The health of all priorities.
fn priority_health(priorities: &[PriorityInput]) -> Result<Vec<PriorityHealth>, String> {
    priorities.iter().map(PriorityInput::health).collect()
}

impl PriorityInput {
    /// The health of one priority.
    fn health(&self) -> Result<PriorityHealth, String> {
        let factor = self
            .overprovisioning_factor
            .map_or(OverprovisioningFactor::DEFAULT, OverprovisioningFactor);
        match (&self.host_list, self.hosts, self.healthy) {
            (Some(list), _, _) => {
                let hosts: Vec<(Health, u32)> =
                    list.iter().map(HostInput::read).collect::<Result<_, _>>()?;
                let health = PriorityHealth::count(hosts, self.weighted_priority_health, factor);
                let stated = self.hosts.unwrap_or(health.hosts);
                let healthy = self.healthy.unwrap_or(health.healthy);
                if (stated, healthy) != (health.hosts, health.healthy) {
                    return Err("input: host_list does not match the counts".into());
                }
                Ok(health)
            }
            (None, Some(hosts), Some(healthy)) if !self.weighted_priority_health => {
                Ok(PriorityHealth {
                    hosts,
                    healthy,
                    degraded: self.degraded,
                    excluded: self.excluded,
                    weights: None,
                    factor,
                })
            }
            _ => Err("input: a priority needs hosts and healthy, or a host_list".into()),
        }
    }
}

impl HostInput {
    /// The health and the weight of a host.
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

/// Consecutive residues modulo 100 with the same priority and class.
struct Range {
    from: u64,
    to: u64,
    priority: usize,
    class: HostClass,
}

/// The ranges of residues for given loads.
fn ranges(healthy: &[u32], degraded: &[u32]) -> Vec<Range> {
    let mut ranges: Vec<Range> = Vec::new();
    for residue in 0..100 {
        let (priority, class) = choose_priority(residue, healthy, degraded);
        match ranges.last_mut() {
            Some(last) if last.priority == priority && last.class == class => last.to = residue,
            _ => ranges.push(Range {
                from: residue,
                to: residue,
                priority,
                class,
            }),
        }
    }
    ranges
}

/// The name of a host class.
pub(super) const fn class_name(class: HostClass) -> &'static str {
    match class {
        HostClass::Healthy => "healthy",
        HostClass::Degraded => "degraded",
    }
}
