//! Kind `random_lb`: builds a cluster whose health gives the loads of the input; the engine decides
//! for each draw.

use serde::Deserialize;
use serde_json::{Value, json};
use spillgate_core::{
    decide::{BalancerState, Request, decide},
    draw::Draw,
    load::HostClass,
    model::{
        Cluster, ClusterKind, Endpoint, Health, HealthStatus, Model, OverprovisioningFactor,
        PanicThreshold, PlainCluster, Policy, Priority, PriorityLocality, Weight,
    },
    route::HeaderList,
    snapshot::Snapshot,
    trace::NoTrace,
};

use super::{Figures, Wide, figures, priorities::class_name, read};

/// The loads, the host lists and the draws.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Input {
    healthy_load: Vec<u32>,
    degraded_load: Vec<u32>,
    list_sizes: Vec<Sizes>,
    random: Vec<Wide>,
}

/// The number of hosts by priority and class.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Sizes {
    healthy: u32,
    degraded: u32,
}

/// Draws from a list, and counts the draws after its end.
struct Listed<'a> {
    draws: std::slice::Iter<'a, u64>,
    missing: usize,
}

impl Draw for Listed<'_> {
    fn draw(&mut self) -> u64 {
        self.draws.next().copied().unwrap_or_else(|| {
            self.missing += 1;
            0
        })
    }
}

/// The priority, the class and the host for each draw.
pub(super) fn random_lb(input: &Value, _: &Figures) -> Result<Figures, String> {
    let input: Input = read(input)?;
    let snapshot = Snapshot::build(&input.model()?);
    let cluster = snapshot.cluster_id(NAME).ok_or("no cluster")?;
    let load = snapshot.plain(cluster).map(|plain| &plain.whole.load);
    if load.map(|load| (&load.healthy, &load.degraded))
        != Some((&input.healthy_load, &input.degraded_load))
    {
        return Err("input: loads are impossible for these hosts".into());
    }
    let draws: Vec<u64> = input
        .random
        .iter()
        .map(Wide::get)
        .collect::<Result<_, _>>()?;
    let mut draw = Listed {
        draws: draws.iter(),
        missing: 0,
    };
    // Random keeps no state between requests; making it must not use up draws either.
    let mut state = BalancerState::default();
    let headers: [(&str, &str); 0] = [];
    let headers = HeaderList(&headers);
    let request = Request::new(cluster, &headers);
    let mut picks: Vec<Value> = Vec::new();
    for _ in &draws {
        let decision = decide(&snapshot, &mut state, &request, &mut draw, &mut NoTrace);
        let priority = decision.priority.ok_or("no priority")?;
        // Within a priority, the healthy hosts are first, then the degraded ones.
        let before = match priority.class {
            HostClass::Healthy => 0,
            HostClass::Degraded => {
                let sizes = input.list_sizes.get(priority.number);
                sizes.map_or(0, |sizes| sizes.healthy as usize)
            }
        };
        picks.push(
            json!({"priority": priority.number, "availability": class_name(priority.class),
                          "host": decision.host.map(|host| host.saturating_sub(before))}),
        );
    }
    if draw.missing > 0 {
        return Err("a choice took more than one draw".into());
    }
    Ok(figures([("picks", picks.into())]))
}

/// The name of the generated cluster.
const NAME: &str = "made-up";
/// One percent of load in host weights.
const PERCENT: u32 = 10_000;

impl Input {
    /// Availability depends on host weights, which RANDOM ignores. Weights can give any load.
    fn model(&self) -> Result<Model, String> {
        let count = self.list_sizes.len();
        if (self.healthy_load.len(), self.degraded_load.len()) != (count, count) {
            return Err("input: healthy_load, degraded_load, list_sizes differ in length".into());
        }
        let priorities = self
            .list_sizes
            .iter()
            .zip(self.healthy_load.iter().zip(&self.degraded_load))
            .map(|(sizes, (healthy, degraded))| {
                let mut hosts = Vec::new();
                add(&mut hosts, HealthStatus::Healthy, sizes.healthy, *healthy);
                add(
                    &mut hosts,
                    HealthStatus::Degraded,
                    sizes.degraded,
                    *degraded,
                );
                let rest = 100_u32.saturating_sub(healthy.saturating_add(*degraded));
                add(&mut hosts, HealthStatus::Unhealthy, 1, rest);
                Priority {
                    localities: vec![PriorityLocality::default()],
                    endpoints: hosts,
                }
            })
            .collect();
        let cluster = Cluster {
            name: NAME.into(),
            kind: ClusterKind::Plain(PlainCluster {
                policy: Policy::Random,
                panic_threshold: PanicThreshold::DEFAULT,
                overprovisioning_factor: OverprovisioningFactor(100),
                weighted_priority_health: true,
                priorities,
                ..PlainCluster::default()
            }),
        };
        Model::new(vec![cluster]).map_err(|_| "no model".into())
    }
}

/// Hosts whose weights add up to `percent`; each has at least 1, which is negligible.
fn add(hosts: &mut Vec<Endpoint>, status: HealthStatus, count: u32, percent: u32) {
    let sum = percent.saturating_mul(PERCENT);
    for index in 0..count {
        let each = sum.checked_div(count).unwrap_or(0);
        let rest = if index == 0 { sum - each * count } else { 0 };
        hosts.push(Endpoint {
            address: format!("10.0.0.1:{}", hosts.len()),
            weight: Weight::new(each + rest).unwrap_or(Weight::ONE),
            health: Health::from_status(status),
            locality: 0,
            hash_key: None,
            ..Endpoint::default()
        });
    }
}
