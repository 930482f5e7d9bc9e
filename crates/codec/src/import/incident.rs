//! Health over time: what the playground asks, and what it draws.

use alloc::{string::String, vec::Vec};

use spillgate_core::model::{Cluster, Health};

use super::{
    TextPosition,
    fields::{bytes, fields, variants},
};

/// An incident of a cluster, in addition to the configuration that has its settings.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct IncidentQuestion {
    /// The cluster and its members.
    pub clusters: Vec<Cluster>,
    /// The name of the cluster.
    pub root: String,
    /// The kind and the text of each event: `fail` and `zone=a@10s..70s`.
    pub events: Vec<(String, String)>,
    /// Changed settings: `health_checks.interval=2s`.
    pub changes: Vec<String>,
    /// Requests per second.
    pub rps: f64,
    /// The time of answers; 0 if it is not stated.
    pub service_time_millis: u64,
    /// The clients with a session each; 0 for requests without sessions.
    pub sessions: u32,
    /// The end of the simulated time; 0 for two minutes after the last event.
    pub until_millis: u64,
}

/// The result of a question.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct IncidentReply {
    /// What is wrong with the question or the configuration; there is no record then.
    pub faults: Vec<IncidentFault>,
    /// The simulated incident.
    pub record: Option<IncidentRecord>,
}

/// What is wrong with a question.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct IncidentFault {
    /// The index of the event.
    pub event: Option<usize>,
    /// The index of the changed setting.
    pub change: Option<usize>,
    /// The fault, the faulty text, and which texts are valid.
    pub message: String,
}

/// A simulated incident. Times are in microseconds.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct IncidentRecord {
    /// The answer in one line.
    pub verdict: String,
    /// Whether requests fail or a priority is in panic mode.
    pub is_alarming: bool,
    /// The answers.
    pub sentences: Vec<String>,
    /// What is not modeled or not known.
    pub doubts: Vec<String>,
    /// The settings that decide times, with their formulas.
    pub times: Vec<DecidingTime>,
    /// The settings in effect.
    pub settings: Vec<IncidentSetting>,
    /// The number of runs that the answers are about.
    pub runs: usize,
    /// The end of the simulated time.
    pub end: u64,
    /// The hosts, in configuration order.
    pub hosts: Vec<IncidentHost>,
    /// The names of the priorities.
    pub priorities: Vec<String>,
    /// The first run, from one change of the requests to the next.
    pub rows: Vec<IncidentRow>,
    /// How the workers see the hosts in it: all at the start, then each change by time.
    pub seen: Vec<HostMoment>,
}

/// A formula of a time.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DecidingTime {
    /// The formula in a sentence.
    pub text: String,
    /// The path of the setting in its cluster.
    pub path: String,
    /// Where the configuration states it.
    pub position: Option<TextPosition>,
}

/// A setting in effect.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct IncidentSetting {
    /// Its name in changes: `health_checks.interval`.
    pub name: String,
    /// Its value; `off` for a message that the clusters do not have.
    pub value: String,
    /// Who states it.
    pub by: SettingSource,
}

/// Who states a setting.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum SettingSource {
    /// The configuration, or Envoy's default for it.
    #[default]
    Config,
    /// Members have different values; this is that of the first one.
    Several,
    /// An example: the input has only hosts.
    Example,
    /// The user changed it.
    Changed,
}

/// A host.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct IncidentHost {
    /// The index of its cluster in the question.
    pub cluster: usize,
    /// Its priority.
    pub priority: usize,
    /// Its index in the priority.
    pub index: usize,
    /// The name of its zone; empty without one.
    pub zone: String,
}

/// The time from one change of the requests to the next.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct IncidentRow {
    /// Its start.
    pub from: u64,
    /// What changed, with the time of each change.
    pub changes: Vec<(u64, String)>,
    /// Whether nothing else changed than where sessions are.
    pub only_moves_sessions: bool,
    /// The load of each priority in percent, and whether it is in panic mode.
    pub priorities: Vec<(u32, bool)>,
    /// Hosts that workers can choose without panic mode, and all hosts.
    pub usable: (usize, usize),
    /// Requests per second that fail.
    pub failed: f64,
    /// Retries per second.
    pub retried: f64,
    /// The sessions on hosts of the script, in percent; 0 without sessions.
    pub sessions: f64,
}

/// A host as the workers see it from a time on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HostMoment {
    /// The start of a row.
    pub from: u64,
    /// Its index in [`IncidentRecord::hosts`].
    pub host: usize,
    /// Its health; `None` while it is absent.
    pub health: Option<Health>,
}

bytes!(IncidentQuestion, IncidentReply);

fields!(IncidentQuestion {
    clusters,
    root,
    events,
    changes,
    rps,
    service_time_millis,
    sessions,
    until_millis
});
fields!(IncidentReply { faults, record });
fields!(IncidentFault {
    event,
    change,
    message
});
fields!(IncidentRecord {
    verdict,
    is_alarming,
    sentences,
    doubts,
    times,
    settings,
    runs,
    end,
    hosts,
    priorities,
    rows,
    seen
});
fields!(DecidingTime {
    text,
    path,
    position
});
fields!(IncidentSetting { name, value, by });
variants!(SettingSource {
    Config,
    Several,
    Example,
    Changed
});
fields!(IncidentHost {
    cluster,
    priority,
    index,
    zone
});
fields!(IncidentRow {
    from,
    changes,
    only_moves_sessions,
    priorities,
    usable,
    failed,
    retried,
    sessions
});
fields!(HostMoment { from, host, health });

#[cfg(test)]
mod tests {
    use alloc::vec;

    use super::*;

    #[test]
    fn questions_and_replies_survive_their_bytes() {
        let question = IncidentQuestion {
            root: "shop".into(),
            events: vec![("fail".into(), "zone=a@10s..70s".into())],
            changes: vec!["health_checks.interval=2s".into()],
            rps: 0.5,
            service_time_millis: 20,
            ..IncidentQuestion::default()
        };
        let bytes = question.to_bytes();
        assert_eq!(IncidentQuestion::from_bytes(&bytes), Some(question));
        let record = IncidentRecord {
            settings: vec![IncidentSetting {
                by: SettingSource::Changed,
                ..IncidentSetting::default()
            }],
            rows: vec![IncidentRow {
                changes: vec![(7, "fails".into())],
                priorities: vec![(70, true)],
                failed: 1.5,
                ..IncidentRow::default()
            }],
            seen: vec![HostMoment {
                from: 7,
                host: 1,
                health: Some(Health::default()),
            }],
            ..IncidentRecord::default()
        };
        let reply = IncidentReply {
            faults: vec![IncidentFault {
                event: Some(1),
                ..IncidentFault::default()
            }],
            record: Some(record),
        };
        let bytes = reply.to_bytes();
        assert_eq!(IncidentReply::from_bytes(&bytes), Some(reply));
        for end in 0..bytes.len() {
            assert_eq!(IncidentReply::from_bytes(&bytes[..end]), None, "{end}");
        }
    }
}
