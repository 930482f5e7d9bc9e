//! Predicted and observed shares of one cluster.

use spillgate_core::model::Health;
use spillgate_observe::{Agreement, DecisionCount, ObservedShare, ObservedWindow, WindowStart};
use spillgate_scenario::{PriorityAt, ScenarioOutcome, priority_at};

use super::LiveStage;

/// The comparison of the requests in a window.
#[derive(Debug)]
pub struct LiveComparison {
    /// The priorities, in the order in which requests fill them.
    pub priorities: Vec<ComparedPriority>,
    /// All counted requests.
    pub total: u64,
    /// The predicted share of requests without a host, which no host counts, in percent.
    pub no_host: f64,
    /// The length of the window in milliseconds.
    pub length_ms: u64,
    /// Why it starts there.
    pub start: WindowStart,
    /// Seconds since Envoy started, if it reports them.
    pub uptime: Option<u64>,
    /// The decisions of the filter in the window, for the shown clusters.
    pub decisions: Vec<DecisionCount>,
}

/// A priority with its hosts.
#[derive(Debug)]
pub struct ComparedPriority {
    /// `P1`; of an aggregate's member `member P1`.
    pub name: String,
    /// `P1`, or `member/P1` under an aggregate, for tests.
    pub id: String,
    /// Its hosts, and the healthy ones.
    pub hosts_healthy: (usize, usize),
    /// The predicted share in percent.
    pub predicted: f64,
    /// The observed share.
    pub observed: ObservedShare,
    /// Its hosts, in Envoy's order.
    pub hosts: Vec<ComparedHost>,
}

/// A host.
#[derive(Debug)]
pub struct ComparedHost {
    /// Its address.
    pub address: String,
    /// Its health.
    pub health: Health,
    /// The predicted share in percent.
    pub predicted: f64,
    /// The observed share.
    pub observed: ObservedShare,
}

impl LiveComparison {
    /// Compares the prediction for a stage with the requests of a window of its clusters.
    #[must_use]
    pub fn new(stage: &LiveStage, outcome: &ScenarioOutcome, window: &ObservedWindow<'_>) -> Self {
        let counts = stage.members.iter().map(|(at, name, live)| {
            let requests = window.requests(name).unwrap_or_default();
            (*at, live.by_priority(&requests))
        });
        let counts: Vec<_> = counts.collect();
        let total = counts.iter().flat_map(|(_, counts)| counts).flatten().sum();
        let count_of = |at: PriorityAt, host: usize| {
            let mut clusters = counts.iter();
            let (_, counts) = clusters.find(|(cluster, _)| *cluster == at.cluster)?;
            counts.get(at.priority)?.get(host).copied()
        };
        // Requests without a host reach none, so that no counter has them.
        let served = 100.0 - outcome.no_host();
        let predicted = |share: f64| {
            if served > 0.0 {
                share * 100.0 / served
            } else {
                0.0
            }
        };
        let rows = outcome.priorities().iter().filter(|row| !row.repeated);
        let priorities = rows.map(|row| {
            let at = priority_at(row.row.at);
            let hosts: Vec<_> = outcome
                .hosts(row)
                .map(|host| ComparedHost {
                    address: host.endpoint.address.clone(),
                    health: host.endpoint.health,
                    predicted: predicted(host.share),
                    observed: ObservedShare {
                        count: count_of(at, host.at.host).unwrap_or(0),
                        total,
                    },
                })
                .collect();
            ComparedPriority {
                name: row.name.clone(),
                id: outcome.id(row),
                hosts_healthy: (row.hosts.len(), row.healthy()),
                predicted: predicted(row.share()),
                observed: ObservedShare {
                    count: hosts.iter().map(|host| host.observed.count).sum(),
                    total,
                },
                hosts,
            }
        });
        let mut decisions = window.decisions();
        let shown = stage.member_names();
        decisions.retain(|one| shown.contains(&one.cluster.as_str()));
        Self {
            priorities: priorities.collect(),
            total,
            no_host: outcome.no_host(),
            length_ms: window.length_ms(),
            start: window.start,
            uptime: window.uptime(),
            decisions,
        }
    }

    /// The first priority whose share differs from its prediction.
    #[must_use]
    pub fn first_outside(&self) -> Option<&ComparedPriority> {
        let mut priorities = self.priorities.iter();
        priorities.find(|one| one.agreement() == Agreement::Outside)
    }

    /// The number of hosts, and of those whose share differs from its prediction.
    #[must_use]
    pub fn hosts_outside(&self) -> (usize, usize) {
        let hosts = || self.priorities.iter().flat_map(|one| &one.hosts);
        let outside = hosts().filter(|host| host.agreement() == Agreement::Outside);
        (hosts().count(), outside.count())
    }
}

impl ComparedPriority {
    /// Whether the prediction fits.
    #[must_use]
    pub fn agreement(&self) -> Agreement {
        self.observed.agreement(self.predicted / 100.0)
    }
}

impl ComparedHost {
    /// Whether the prediction fits.
    #[must_use]
    pub fn agreement(&self) -> Agreement {
        self.observed.agreement(self.predicted / 100.0)
    }
}
