//! The figures of a lesson, as the engine computes them.

use spillgate_core::{
    decide::{OverrideRequest, OverrideResolution, Request},
    model::{CoarseHealth, Metadata},
    route::SessionReading,
    snapshot::ClusterId,
};
use spillgate_explain::report::Shares;
use spillgate_scenario::{
    EditedScenario, HostAt, PanicMode, PriorityAt, PriorityReport, ScenarioOutcome,
    with_healthy_count,
};

use super::LessonSetup;

/// The result of a request, or of many.
#[derive(Debug)]
pub struct LessonResult {
    /// The clusters and the request.
    pub setup: LessonSetup,
    /// The clusters.
    pub scenario: EditedScenario,
    /// Loads and shares without regard to criteria and session.
    pub outcome: ScenarioOutcome,
    /// The hosts of the first cluster, or of its members.
    pub hosts: Vec<LessonHost>,
    /// The share of the requests without a host.
    pub no_host: f64,
    /// What happens to the session; `None` without one.
    pub fate: Option<SessionFate>,
}

/// The hosts of a priority that serve.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ServingHosts {
    /// Its available hosts.
    Available,
    /// All its hosts, and some of them are not available.
    All,
    /// No host.
    NoHosts,
}

/// A host and its share of the requests.
#[derive(Debug, Clone, PartialEq)]
pub struct LessonHost {
    /// Its place.
    pub at: HostAt,
    /// Its address.
    pub address: String,
    /// Its health.
    pub health: CoarseHealth,
    /// Its metadata.
    pub metadata: Metadata,
    /// Its share, in percent.
    pub share: f64,
}

/// What happens to a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SessionFate {
    /// Its host serves.
    Kept,
    /// The load-balancing policy chooses a host.
    Moved,
    /// The request gets this status.
    Refused(u16),
}

/// A result is only equal to itself.
impl PartialEq for LessonResult {
    fn eq(&self, other: &Self) -> bool {
        core::ptr::eq(self, other)
    }
}

/// A share as a whole percentage.
pub(super) fn rounded(share: f64) -> u32 {
    share.round() as u32
}

impl SessionFate {
    /// The fate in words.
    #[must_use]
    pub fn text(self) -> &'static str {
        match self {
            Self::Kept => "The host of the session serves it",
            Self::Moved => "Another host serves it, and the session moves there",
            Self::Refused(_) => "It gets a 503",
        }
    }
}

impl LessonResult {
    /// Computes a result.
    #[must_use]
    pub fn new(setup: LessonSetup) -> Self {
        let scenario = setup.scenario();
        let outcome = ScenarioOutcome::of(&scenario);
        let snapshot = &outcome.snapshot;
        let cluster = snapshot.clusters().next().map(|(id, _)| id);
        let fate = cluster.and_then(|cluster| fate(&setup, &outcome, cluster));
        let mut distribution = cluster.map_or_else(Default::default, |cluster| {
            snapshot.distribution_for(cluster, &setup.criteria, None)
        });
        if fate.is_some_and(|fate| fate != SessionFate::Moved) {
            distribution.shares.clear();
            distribution.no_host = 100.0;
        }
        let shares = Shares::of(&distribution);
        let mut no_host = distribution.no_host;
        let mut hosts = Vec::new();
        for row in outcome.priorities() {
            let at = spillgate_scenario::priority_at(row.row.at);
            let endpoints = scenario.priority(at).map(|priority| &priority.endpoints);
            for (host, endpoint) in endpoints.into_iter().flatten().enumerate() {
                let session = setup.session.as_ref();
                let keeps = fate == Some(SessionFate::Kept)
                    && session.is_some_and(|session| session.address == endpoint.address);
                if keeps {
                    no_host = 0.0;
                }
                hosts.push(LessonHost {
                    at: HostAt { priority: at, host },
                    address: endpoint.address.clone(),
                    health: endpoint.health.coarse(),
                    metadata: endpoint.metadata.clone(),
                    share: if keeps {
                        100.0
                    } else {
                        shares.get(row.host(host))
                    },
                });
            }
        }
        Self {
            setup,
            scenario,
            outcome,
            hosts,
            no_host,
            fate,
        }
    }

    /// A priority, by its place.
    #[must_use]
    pub fn priority(&self, place: usize) -> Option<&PriorityReport> {
        self.outcome.priorities().get(place)
    }

    /// The number of healthy hosts of a priority.
    #[must_use]
    pub fn healthy(&self, place: usize) -> u32 {
        self.priority(place).map_or(0, |row| row.row.health.healthy)
    }

    /// The load of a priority.
    #[must_use]
    pub fn load(&self, place: usize) -> u32 {
        self.priority(place).map_or(0, |row| row.row.load())
    }

    /// The availability of the healthy hosts of a priority.
    #[must_use]
    pub fn availability(&self, place: usize) -> u32 {
        self.priority(place)
            .map_or(0, |row| row.row.availability.healthy)
    }

    /// Whether a priority is in panic mode.
    #[must_use]
    pub fn panics(&self, place: usize) -> bool {
        self.priority(place)
            .is_some_and(|row| row.panic != PanicMode::Off)
    }

    /// The overprovisioning factor of the first priority.
    #[must_use]
    pub fn factor(&self) -> f64 {
        let first = self.priority(0);
        first.map_or(0.0, |row| f64::from(row.row.health.factor.0) / 100.0)
    }

    /// The shares of the healthy, degraded and unhealthy hosts.
    #[must_use]
    pub fn by_health(&self) -> [f64; 3] {
        [
            CoarseHealth::Healthy,
            CoarseHealth::Degraded,
            CoarseHealth::Unhealthy,
        ]
        .map(|health| {
            let hosts = self.hosts.iter().filter(|host| host.health == health);
            hosts.fold(0.0, |sum, host| sum + host.share)
        })
    }

    /// The zones of the first priority with their shares.
    pub fn zones(&self) -> impl Iterator<Item = (String, f64)> {
        let zones = self
            .priority(0)
            .map(|row| &row.localities)
            .into_iter()
            .flatten();
        zones.map(|zone| (format!("zone {}", zone.locality.zone), zone.share))
    }

    /// The members of an aggregate with their shares.
    pub fn members(&self) -> impl Iterator<Item = (String, f64)> {
        let members = self.outcome.clusters.iter();
        members.map(|member| (member.name.clone(), member.served))
    }

    /// The indices of the hosts that serve.
    pub fn serving_hosts(&self) -> impl Iterator<Item = usize> {
        let hosts = self.hosts.iter().enumerate();
        hosts.filter_map(|(at, host)| (host.share > 0.0).then_some(at))
    }

    /// The hosts of each priority that serve.
    #[must_use]
    pub fn serving(&self) -> Vec<ServingHosts> {
        let rows = self.outcome.priorities().iter();
        rows.map(|row| {
            let hosts = self.outcome.hosts(row);
            let (mut serve, mut others) = (false, false);
            for host in hosts.filter(|host| host.share > 0.0) {
                serve = true;
                others |= host.endpoint.health.coarse() == CoarseHealth::Unhealthy;
            }
            match (serve, others) {
                (false, _) => ServingHosts::NoHosts,
                (true, false) => ServingHosts::Available,
                (true, true) => ServingHosts::All,
            }
        })
        .collect()
    }

    /// The largest number of healthy hosts in P0 at which it has less than all the load; found by failing
    /// one host after the other.
    #[must_use]
    pub fn spillover_at(&self) -> Option<u32> {
        let at = PriorityAt {
            cluster: 0,
            priority: 0,
        };
        let hosts = self.priority(0)?.hosts.len() as u32;
        (0..=hosts).rev().find(|healthy| {
            let failing = with_healthy_count(&self.scenario, at, *healthy as usize);
            let outcome = failing.map(|scenario| ScenarioOutcome::of(&scenario));
            let outcome = outcome.as_ref().unwrap_or(&self.outcome);
            let first = outcome.priorities().first();
            first.is_some_and(|row| row.row.load() < 100)
        })
    }
}

fn fate(setup: &LessonSetup, outcome: &ScenarioOutcome, cluster: ClusterId) -> Option<SessionFate> {
    let session = setup.session.as_ref()?;
    let reading = SessionReading::Host(session.filter.names(session.address.clone()));
    let overrides = OverrideRequest {
        sessions: vec![(&session.filter, reading)],
        ..OverrideRequest::default()
    };
    let request = Request::new(cluster, &());
    Some(match overrides.resolve(&outcome.snapshot, &request) {
        OverrideResolution::Host(_) => SessionFate::Kept,
        OverrideResolution::Refused(status) => SessionFate::Refused(status),
        OverrideResolution::Balancer { .. } => SessionFate::Moved,
    })
}
