//! A run of sessions over time: what the playground asks, and the recording that it draws.

use alloc::{string::String, vec::Vec};

use spillgate_core::model::Cluster;

use super::{
    ImportFault,
    fields::{bytes, fields, variants},
};

/// What to run, in addition to the text of the scenario file.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TimelineQuestion {
    /// The seed; `None` for the seed of the file.
    pub seed: Option<u64>,
    /// The clusters of the playground, which the file names as `config: page`.
    pub clusters: Vec<Cluster>,
    /// The same clusters with the names and addresses of a link, for the run: policies and sessions hash
    /// addresses, so a link and a command repeat it. Empty if they are the same.
    pub disclosed: Vec<Cluster>,
    /// The text to run instead if the first one has errors.
    pub otherwise: Option<String>,
}

/// The result of a question.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TimelineAnswer {
    /// The errors and warnings of the scenario file.
    pub faults: Vec<ImportFault>,
    /// The recording; `None` after errors.
    pub recording: Option<TimelineRecording>,
    /// Whether the recording is of the text to run instead.
    pub is_other: bool,
}

/// A run, in intervals of equal length.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TimelineRecording {
    /// The seed.
    pub seed: u64,
    /// The simulated time, in milliseconds.
    pub took: u64,
    /// The number of events, including requests.
    pub events: u64,
    /// The number of clients.
    pub clients: usize,
    /// The number of gateways.
    pub gateways: usize,
    /// Whether the file can have events: a random world has its own.
    pub has_script: bool,
    /// The length of an interval, in milliseconds.
    pub width: u64,
    /// The hosts that requests can reach, by cluster and in configuration order.
    pub hosts: Vec<TimelineHost>,
    /// The names of the priorities that hosts have during the run, in order.
    pub priorities: Vec<String>,
    /// The state of the hosts at the start.
    pub start: Vec<TimelineState>,
    /// The intervals from the start to the end of the run.
    pub intervals: Vec<TimelineInterval>,
    /// The requests before the first scripted event, then after each, as `spillgate simulate` counts
    /// them.
    pub phases: Vec<TimelinePhase>,
    /// The rule that the last request broke.
    pub broken: Option<BrokenRule>,
}

/// A host.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TimelineHost {
    /// The name of its cluster.
    pub cluster: String,
    /// Its address.
    pub address: String,
    /// The selector of this host alone; empty if no selector selects it alone.
    pub selector: String,
}

/// The state of a host at the end of an interval.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimelineState {
    /// Its health.
    pub health: TimelineHealth,
    /// Its priority, an index of [`TimelineRecording::priorities`].
    pub priority: usize,
}

/// The health of a host, or its absence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimelineHealth {
    /// It serves.
    Healthy,
    /// It serves if the healthy hosts cannot take all requests.
    Degraded,
    /// It serves only in panic mode.
    Unhealthy,
    /// It will be removed, and gets no new sessions.
    Draining,
    /// It does not exist.
    Absent,
}

/// The requests of an interval.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TimelineInterval {
    /// Requests whose session stayed on its host.
    pub kept: u32,
    /// Requests whose session moved.
    pub moved: u32,
    /// Requests that started a session.
    pub new: u32,
    /// Requests without a host.
    pub failed: u32,
    /// Requests with another token than the client's own. They also count for hosts and priorities.
    pub hostile: u32,
    /// Requests by priority.
    pub priorities: Vec<u32>,
    /// Requests by host.
    pub hosts: Vec<u32>,
    /// The state of the hosts at the end.
    pub states: Vec<TimelineState>,
}

/// The requests between two scripted events.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TimelinePhase {
    /// The name of the event that starts it; empty for the first one.
    pub name: String,
    /// When it starts, in milliseconds.
    pub from: u64,
    /// Requests with the client's own token, or without a token.
    pub requests: u64,
    /// Requests whose session stayed on its host.
    pub kept: u64,
    /// Requests whose session moved, by reason.
    pub moved: Vec<ReasonCount>,
    /// Requests that started a session.
    pub new: u64,
    /// Requests without a host, by reason.
    pub failed: Vec<ReasonCount>,
    /// Refused tokens of the client itself, by reason.
    pub refused: Vec<ReasonCount>,
    /// Requests with another token than the client's own, by its source.
    pub hostile: Vec<ReasonCount>,
}

/// A number of requests with the same reason.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReasonCount {
    /// The reason.
    pub reason: String,
    /// The number.
    pub count: u64,
}

/// A broken rule, as `spillgate simulate` describes it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BrokenRule {
    /// Its id.
    pub check: String,
    /// The rule.
    pub rule: String,
    /// The time, in milliseconds.
    pub at: u64,
    /// The outcome.
    pub found: String,
    /// The expected outcome.
    pub expected: String,
}

bytes!(TimelineQuestion, TimelineAnswer);

fields!(TimelineQuestion {
    seed,
    clusters,
    disclosed,
    otherwise
});
fields!(TimelineAnswer {
    faults,
    recording,
    is_other
});
fields!(TimelineRecording {
    seed,
    took,
    events,
    clients,
    gateways,
    has_script,
    width,
    hosts,
    priorities,
    start,
    intervals,
    phases,
    broken
});
fields!(TimelineHost {
    cluster,
    address,
    selector
});
fields!(TimelineState { health, priority });
variants!(TimelineHealth {
    Healthy,
    Degraded,
    Unhealthy,
    Draining,
    Absent
});
fields!(TimelineInterval {
    kept,
    moved,
    new,
    failed,
    hostile,
    priorities,
    hosts,
    states
});
fields!(TimelinePhase {
    name,
    from,
    requests,
    kept,
    moved,
    new,
    failed,
    refused,
    hostile
});
fields!(ReasonCount { reason, count });
fields!(BrokenRule {
    check,
    rule,
    at,
    found,
    expected
});

#[cfg(test)]
mod tests {
    use alloc::vec;

    use super::*;

    #[test]
    fn questions_and_answers_survive_their_bytes() {
        let question = TimelineQuestion {
            seed: Some(7),
            otherwise: Some("drawn: true".into()),
            clusters: Vec::new(),
            disclosed: Vec::new(),
        };
        assert_eq!(
            TimelineQuestion::from_bytes(&question.to_bytes()),
            Some(question)
        );
        let state = TimelineState {
            health: TimelineHealth::Absent,
            priority: 1,
        };
        let answer = TimelineAnswer {
            recording: Some(TimelineRecording {
                seed: u64::MAX,
                width: 2_000,
                hosts: vec![TimelineHost {
                    address: "10.0.0.1:80".into(),
                    ..TimelineHost::default()
                }],
                start: vec![state],
                intervals: vec![TimelineInterval {
                    moved: 3,
                    hosts: vec![3],
                    states: vec![state],
                    ..TimelineInterval::default()
                }],
                phases: vec![TimelinePhase {
                    moved: vec![ReasonCount {
                        reason: "gone".into(),
                        count: 3,
                    }],
                    ..TimelinePhase::default()
                }],
                broken: Some(BrokenRule::default()),
                ..TimelineRecording::default()
            }),
            ..TimelineAnswer::default()
        };
        let bytes = answer.to_bytes();
        assert_eq!(TimelineAnswer::from_bytes(&bytes), Some(answer));
        for end in 0..bytes.len() {
            assert_eq!(TimelineAnswer::from_bytes(&bytes[..end]), None, "{end}");
        }
    }
}
