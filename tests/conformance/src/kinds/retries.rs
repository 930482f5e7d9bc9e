//! Kinds `retry_priority` and `host_source`.

use serde::Deserialize;
use serde_json::{Value, json};
use spillgate_core::{
    decide::{BalancerState, ChosenPriority, Request, decide},
    draw::{Draw, SplitMix64},
    load::{Availability, HostClass, load_without},
    model::{
        Cluster, ClusterKind, Endpoint, Health, HealthStatus, LocalInfo, Locality, LocalityLb,
        Model, PanicThreshold, PlainCluster, Policy, Priority, PriorityLocality, RingHashConfig,
        ZoneAware,
    },
    route::HeaderList,
    snapshot::{HostsSource, Snapshot},
    trace::NoTrace,
};

use super::{Figures, figures, read};

/// The input of `retry_priority`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Retry {
    health: Vec<u32>,
    degraded_availability: Vec<u32>,
    excluded: Vec<bool>,
}

/// The loads without the priorities of earlier attempts.
pub(super) fn retry_priority(input: &Value, _: &Figures) -> Result<Figures, String> {
    let input: Retry = read(input)?;
    let priorities = input.health.iter().zip(&input.degraded_availability);
    let availability: Vec<Availability> = priorities
        .map(|(&healthy, &degraded)| Availability { healthy, degraded })
        .collect();
    let Some(load) = load_without(&availability, &input.excluded) else {
        return Ok(figures([("use_original", true.into())]));
    };
    Ok(figures([
        ("healthy_load", json!(load.healthy)),
        ("degraded_load", json!(load.degraded)),
        ("exclusions_reset", load.exclusions_reset.into()),
        ("use_original", false.into()),
    ]))
}

/// The input of `host_source`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SourceInput {
    panic: bool,
    availability: String,
    #[serde(default)]
    locality_weighted: bool,
    locality_pick: Option<usize>,
    zone_state: Option<String>,
    #[serde(default)]
    fail_traffic_on_panic: bool,
    routing_enabled_draw: Option<bool>,
    #[serde(default)]
    local_cluster_in_panic: bool,
    lb: Option<String>,
    healthy_hosts: Option<usize>,
    degraded_hosts: Option<usize>,
}

/// The host list for a situation: builds a cluster in this situation, and the engine decides.
pub(super) fn host_source(input: &Value, _: &Figures) -> Result<Figures, String> {
    let input: SourceInput = read(input)?;
    let snapshot = Snapshot::build(&input.model()?);
    let cluster = snapshot.cluster_id(NAME).ok_or("no cluster")?;
    let mut state = BalancerState::new(&snapshot, &mut SplitMix64::new(1));
    // The first draw chooses the priority, the next one whether zone-aware routing applies.
    let enabled = match input.routing_enabled_draw {
        Some(false) => 99,
        _ => 0,
    };
    let mut draw = Draws([0, enabled].into_iter());
    let headers: [(&str, &str); 0] = [];
    let headers = HeaderList(&headers);
    let request = Request::new(cluster, &headers);
    let decision = decide(&snapshot, &mut state, &request, &mut draw, &mut NoTrace);
    let priority = decision.priority.ok_or("no priority")?;
    let source = match input.lb {
        Some(_) => table_source(&priority),
        None => list_source(&priority),
    };
    let mut found = figures([("source", source)]);
    if let Some(HostsSource::Locality(_, place)) = priority.source {
        found.insert("locality".into(), place.into());
    }
    if decision.host.is_none() {
        found.insert("result".into(), "no host".into());
    }
    Ok(found)
}

/// Draws these numbers, then 0.
struct Draws<I>(I);

impl<I: Iterator<Item = u64>> Draw for Draws<I> {
    fn draw(&mut self) -> u64 {
        self.0.next().unwrap_or(0)
    }
}

/// The hosts of a hash table: the healthy ones, even if the priority was chosen for degraded hosts.
fn table_source(priority: &ChosenPriority) -> Value {
    if priority.panic { "all" } else { "healthy" }.into()
}

/// The host list of the other policies.
fn list_source(priority: &ChosenPriority) -> Value {
    match priority.source {
        None => Value::Null,
        Some(HostsSource::All) => "all".into(),
        Some(HostsSource::Class(HostClass::Healthy)) => "healthy".into(),
        Some(HostsSource::Class(HostClass::Degraded)) => "degraded".into(),
        Some(HostsSource::Locality(HostClass::Healthy, _)) => "locality_healthy".into(),
        Some(HostsSource::Locality(HostClass::Degraded, _)) => "locality_degraded".into(),
    }
}

/// The name of the generated cluster.
const NAME: &str = "made-up";
/// The name of the local cluster, for zone-aware routing.
const LOCAL: &str = "local";

impl SourceInput {
    /// The cluster in the situation of the input.
    fn model(&self) -> Result<Model, String> {
        let zones = match self.zone_state.as_deref() {
            None | Some("none") => false,
            Some("direct" | "residual") => true,
            Some(other) => {
                return Err(format!("unknown zone state {other:?}"));
            }
        };
        let policy = match self.lb.as_deref() {
            None => Policy::RoundRobin,
            Some("ring_hash") => Policy::RingHash(RingHashConfig::default()),
            Some("maglev") => Policy::Maglev(spillgate_core::model::MaglevConfig::default()),
            Some(other) => return Err(format!("unknown policy {other:?}")),
        };
        let degraded = match self.availability.as_str() {
            "healthy" => false,
            "degraded" => true,
            other => return Err(format!("unknown availability {other:?}")),
        };
        let (healthy_hosts, degraded_hosts) = match (degraded, zones) {
            (false, true) => (6, 0),
            (false, false) => (4, 0),
            (true, _) => (0, 4),
        };
        let states = [
            (
                HealthStatus::Healthy,
                self.healthy_hosts.unwrap_or(healthy_hosts),
            ),
            (
                HealthStatus::Degraded,
                self.degraded_hosts.unwrap_or(degraded_hosts),
            ),
            // Unhealthy hosts enough for panic, where there is to be panic.
            (HealthStatus::Unhealthy, if self.panic { 20 } else { 0 }),
        ];
        let zone_aware = ZoneAware {
            fail_traffic_on_panic: self.fail_traffic_on_panic,
            // A draw decides only between 0 and 100 percent.
            routing_enabled: self.routing_enabled_draw.map_or(100, |_| 50),
            ..ZoneAware::default()
        };
        let locality_lb = if self.locality_weighted {
            LocalityLb::Weighted
        } else {
            LocalityLb::ZoneAware(zone_aware)
        };
        let cluster = |name: &str, policy, priority| Cluster {
            name: name.into(),
            kind: ClusterKind::Plain(PlainCluster {
                policy,
                locality_lb,
                panic_threshold: PanicThreshold::DEFAULT,
                priorities: vec![priority],
                ..PlainCluster::default()
            }),
        };
        let local_states = if self.local_cluster_in_panic {
            [(HealthStatus::Healthy, 2), (HealthStatus::Unhealthy, 20)]
        } else {
            [(HealthStatus::Healthy, 4), (HealthStatus::Unhealthy, 0)]
        };
        let clusters = vec![
            cluster(NAME, policy, self.priority(&states)),
            cluster(
                LOCAL,
                Policy::RoundRobin,
                priority(&local_states, |host| host % 2),
            ),
        ];
        let model = Model::new(clusters).map_err(|_| "no model")?;
        Ok(model.with_local(LocalInfo {
            locality: zones.then(|| zone("a")),
            cluster: zones.then(|| LOCAL.into()),
        }))
    }

    /// The hosts of the cluster, alternately in two zones. If a part of the requests leaves the local
    /// zone, that zone has too few hosts. Only the chosen locality has a weight.
    fn priority(&self, states: &[(HealthStatus, usize)]) -> Priority {
        let residual = self.zone_state.as_deref() == Some("residual");
        let mut priority = priority(states, |host| {
            if residual {
                usize::from(host > 0)
            } else {
                host % 2
            }
        });
        if let Some(picked) = self
            .locality_pick
            .and_then(|at| priority.localities.get_mut(at))
        {
            picked.weight = Some(1);
        }
        priority
    }
}

/// Hosts of these states in two zones.
fn priority(states: &[(HealthStatus, usize)], zone_of: impl Fn(usize) -> usize) -> Priority {
    let states = states
        .iter()
        .flat_map(|&(status, count)| std::iter::repeat_n(status, count));
    Priority {
        localities: ["a", "b"]
            .map(|name| PriorityLocality {
                locality: zone(name),
                weight: None,
            })
            .into(),
        endpoints: states
            .enumerate()
            .map(|(host, status)| Endpoint {
                address: format!("10.0.0.1:{host}"),
                health: Health::from_status(status),
                locality: zone_of(host),
                ..Endpoint::default()
            })
            .collect(),
    }
}

/// The locality with this zone.
fn zone(name: &str) -> Locality {
    Locality {
        zone: name.into(),
        ..Locality::default()
    }
}
