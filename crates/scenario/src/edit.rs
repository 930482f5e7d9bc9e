//! The edits of a user, as pure steps from one scenario to the next.

use spillgate_core::model::{
    ClusterKind, CoarseHealth, Endpoint, Health, HealthStatus, LeastRequestConfig, Locality,
    MaglevConfig, OverprovisioningFactor, PanicThreshold, PlainCluster, Policy, Priority,
    PriorityLocality, RingHashConfig, Weight,
};

use super::{EditedScenario, PriorityAt, history::EditControl, link::address, presets::zone};

/// One change.
#[derive(Debug, Clone, PartialEq)]
pub enum ScenarioEdit {
    /// Sets the health of hosts of a priority.
    Health {
        /// The priority.
        priority: PriorityAt,
        /// Their indices.
        hosts: Vec<usize>,
        /// The new health.
        health: HealthChoice,
    },
    /// Fails hosts from the last one on, or restores them from the first one on, until this many
    /// are healthy.
    HealthyCount(PriorityAt, usize),
    /// Adds hosts at the end or removes them from there.
    HostCount(PriorityAt, usize),
    /// Adds a priority of a few healthy hosts.
    AddPriority(usize),
    /// Removes the last priority.
    RemovePriority(usize),
    /// Sets the overprovisioning factor of a cluster, in percent.
    Factor(usize, u32),
    /// Sets the panic threshold of a cluster or aggregate, in percent.
    Threshold(usize, u32),
    /// Sets the policy of a cluster.
    Policy(usize, PolicyKind),
    /// Shows another cluster.
    Show(usize),
}

/// The health that a click or key gives a host.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HealthChoice {
    /// Envoy uses it.
    Healthy,
    /// Envoy uses it if the healthy hosts are not enough.
    Degraded,
    /// Envoy uses it in panic mode only.
    Unhealthy,
}

impl HealthChoice {
    /// The health after the next click: healthy, then unhealthy, then degraded.
    #[must_use]
    pub const fn after(health: CoarseHealth) -> Self {
        match health {
            CoarseHealth::Healthy => Self::Unhealthy,
            CoarseHealth::Unhealthy => Self::Degraded,
            CoarseHealth::Degraded => Self::Healthy,
        }
    }

    const fn status(self) -> HealthStatus {
        match self {
            Self::Healthy => HealthStatus::Healthy,
            Self::Degraded => HealthStatus::Degraded,
            Self::Unhealthy => HealthStatus::Unhealthy,
        }
    }
}

/// The policies to choose from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PolicyKind {
    /// `ROUND_ROBIN`.
    RoundRobin,
    /// `LEAST_REQUEST`.
    LeastRequest,
    /// `RANDOM`.
    Random,
    /// `RING_HASH`.
    RingHash,
    /// `MAGLEV`.
    Maglev,
}

impl PolicyKind {
    /// All of them, in the order of the proto enum.
    pub const ALL: [Self; 5] = [
        Self::RoundRobin,
        Self::LeastRequest,
        Self::RingHash,
        Self::Random,
        Self::Maglev,
    ];

    /// The name in `Cluster.lb_policy`.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.policy().name()
    }

    /// The kind of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    fn policy(self) -> Policy {
        match self {
            Self::RoundRobin => Policy::RoundRobin,
            Self::LeastRequest => Policy::LeastRequest(LeastRequestConfig::default()),
            Self::Random => Policy::Random,
            Self::RingHash => Policy::RingHash(RingHashConfig::default()),
            Self::Maglev => Policy::Maglev(MaglevConfig::default()),
        }
    }
}

impl ScenarioEdit {
    /// The control that made it; quick changes of the same control are one step.
    #[must_use]
    pub const fn control(&self) -> Option<EditControl> {
        match self {
            Self::HealthyCount(at, _) => Some((1, at.cluster, at.priority)),
            Self::HostCount(at, _) => Some((2, at.cluster, at.priority)),
            Self::Factor(cluster, _) => Some((3, *cluster, 0)),
            Self::Threshold(cluster, _) => Some((4, *cluster, 0)),
            Self::Health { .. }
            | Self::AddPriority(_)
            | Self::RemovePriority(_)
            | Self::Policy(..)
            | Self::Show(_) => None,
        }
    }
}

/// The scenario after an edit; `None` if the edit changes nothing or does not apply.
#[must_use]
pub fn apply(scenario: &EditedScenario, edit: &ScenarioEdit) -> Option<EditedScenario> {
    let plain = |cluster: usize, change: &dyn Fn(&mut PlainCluster)| {
        scenario.with_cluster(cluster, |kind| {
            if let ClusterKind::Plain(plain) = kind {
                change(plain);
            }
        })
    };
    match edit {
        ScenarioEdit::Health {
            priority: at,
            hosts,
            health,
        } => with_health(scenario, *at, hosts, *health),
        ScenarioEdit::HealthyCount(at, count) => with_healthy_count(scenario, *at, *count),
        ScenarioEdit::HostCount(at, count) => with_priority(scenario, *at, &|priority| {
            set_hosts(priority, *at, *count);
        }),
        ScenarioEdit::AddPriority(cluster) => plain(*cluster, &|plain| {
            let at = PriorityAt {
                cluster: *cluster,
                priority: plain.priorities.len(),
            };
            if plain.priorities.len() < MAXIMUM_PRIORITIES {
                let mut priority = Priority::default();
                priority.localities.push(unweighted(new_zone(scenario)));
                set_hosts(&mut priority, at, 5);
                plain.priorities.push(priority);
            }
        }),
        ScenarioEdit::RemovePriority(cluster) => plain(*cluster, &|plain| {
            if plain.priorities.len() > 1 {
                plain.priorities.pop();
            }
        }),
        ScenarioEdit::Factor(cluster, percent) => plain(*cluster, &|plain| {
            plain.overprovisioning_factor = OverprovisioningFactor((*percent).max(1));
        }),
        ScenarioEdit::Threshold(cluster, percent) => scenario.with_cluster(*cluster, |kind| {
            let threshold = PanicThreshold::from_percent(f64::from(*percent));
            match kind {
                ClusterKind::Plain(plain) => plain.panic_threshold = threshold,
                ClusterKind::Aggregate(aggregate) => aggregate.panic_threshold = threshold,
                ClusterKind::Composite(_) | ClusterKind::OriginalDst(_) => {}
            }
        }),
        ScenarioEdit::Policy(cluster, kind) => plain(*cluster, &|plain| {
            // Choosing the current policy again keeps the settings of its ring or table.
            if plain.policy.name() != kind.name() {
                plain.policy = kind.policy();
            }
        }),
        ScenarioEdit::Show(root) if *root != scenario.root() => scenario.with_root(*root),
        ScenarioEdit::Show(_) => None,
    }
}

/// The scenario with another health of these hosts, as [`ScenarioEdit::Health`]. The widget for
/// documentation has only this edit and [`with_healthy_count`].
#[must_use]
pub fn with_health(
    scenario: &EditedScenario,
    at: PriorityAt,
    hosts: &[usize],
    health: HealthChoice,
) -> Option<EditedScenario> {
    with_priority(scenario, at, &|priority| {
        for &host in hosts {
            if let Some(endpoint) = priority.endpoints.get_mut(host) {
                endpoint.health = Health::from_status(health.status());
            }
        }
    })
}

/// The scenario with another number of healthy hosts, as [`ScenarioEdit::HealthyCount`].
#[must_use]
pub fn with_healthy_count(
    scenario: &EditedScenario,
    at: PriorityAt,
    count: usize,
) -> Option<EditedScenario> {
    with_priority(scenario, at, &|priority| set_healthy(priority, count))
}

fn with_priority(
    scenario: &EditedScenario,
    at: PriorityAt,
    change: &dyn Fn(&mut Priority),
) -> Option<EditedScenario> {
    scenario.with_cluster(at.cluster, |kind| {
        if let ClusterKind::Plain(plain) = kind
            && let Some(priority) = plain.priorities.get_mut(at.priority)
        {
            change(priority);
        }
    })
}

/// Envoy's limit on priorities (`LocalityLbEndpoints.priority`, 0 to 128).
const MAXIMUM_PRIORITIES: usize = 129;

fn set_healthy(priority: &mut Priority, count: usize) {
    let is_healthy = |endpoint: &Endpoint| endpoint.health.coarse() == CoarseHealth::Healthy;
    let healthy = priority.endpoints.iter().filter(|e| is_healthy(e)).count();
    let (hosts, health): (Vec<&mut Endpoint>, _) = if count < healthy {
        let hosts = priority.endpoints.iter_mut().rev();
        let healthy_ones = hosts.filter(|e| is_healthy(e)).take(healthy - count);
        (healthy_ones.collect(), HealthStatus::Unhealthy)
    } else {
        let hosts = priority.endpoints.iter_mut();
        let others = hosts.filter(|e| !is_healthy(e)).take(count - healthy);
        (others.collect(), HealthStatus::Healthy)
    };
    for endpoint in hosts {
        endpoint.health = Health::from_status(health);
    }
}

fn unweighted(zone: String) -> PriorityLocality {
    PriorityLocality {
        locality: Locality {
            zone,
            ..Locality::default()
        },
        weight: None,
    }
}

/// The first zone name that no host of the scenario has: the loss of an existing zone should not take a
/// new priority with it.
fn new_zone(scenario: &EditedScenario) -> String {
    let is_taken = |name: &String| {
        let plain = (0..scenario.clusters().len()).filter_map(|at| scenario.plain(at));
        let priorities = plain.flat_map(|plain| &plain.priorities);
        let mut localities = priorities.flat_map(|priority| &priority.localities);
        localities.any(|at| at.locality.zone == *name)
    };
    let mut names = (0..).map(zone);
    names.find(|name| !is_taken(name)).unwrap_or_default()
}

fn set_hosts(priority: &mut Priority, at: PriorityAt, count: usize) {
    let count = count.min(super::MAXIMUM_HOSTS);
    priority.endpoints.truncate(count);
    if priority.localities.is_empty() {
        priority.localities.push(unweighted(zone(at.priority)));
    }
    let locality = priority.localities.len() - 1;
    let mut number = priority.endpoints.len();
    while priority.endpoints.len() < count {
        let address = address(at, number);
        number += 1;
        // Imported hosts may have such an address already.
        if priority.endpoints.iter().all(|e| e.address != address) {
            priority.endpoints.push(Endpoint {
                address,
                weight: Weight::ONE,
                health: Health::from_status(HealthStatus::Healthy),
                locality,
                hash_key: None,
                ..Endpoint::default()
            });
        }
    }
}

#[cfg(test)]
mod tests;
