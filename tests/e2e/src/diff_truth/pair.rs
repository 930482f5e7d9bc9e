//! Two sides of a change, what the comparison says about them, and the requests that test it.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Result;
use serde_json::Value;
use spillgate_answers::pick::PickOutput;
use spillgate_config::envoy::{EnvoyConfig, Format};
use spillgate_core::model::Metadata;
use spillgate_diff::{
    ClusterDiff, ClusterVerdict, DiffReport, DiffSide, RequestsDiff, RouteDiff, RoutesStatus, diff,
};
use spillgate_testkit::models::Dice;

use super::change::PairChange;
use super::probe::{self, Probe};
use crate::differential::{Asked, DifferentialScenario, Predictor, read};

/// Keys for all changed clusters of a pair together, and for each other cluster.
const KEYS: usize = 1_000;
const FEWEST_KEYS: usize = 200;
const KEYS_OF_OTHERS: usize = 40;
/// Requests with each example of a route that changes, and the most examples.
const EXAMPLE: usize = 120;
const EXAMPLES: usize = 6;

/// Two sides of a change.
#[derive(Debug, Clone)]
pub(super) struct ConfigPair {
    pub(super) number: u64,
    pub(super) change: PairChange,
    /// Both with the same requests.
    pub(super) old: DifferentialScenario,
    pub(super) new: DifferentialScenario,
    /// What the comparison says.
    pub(super) report: DiffReport,
    /// The purpose of each request.
    pub(super) rows: Vec<RowUse>,
    probes: Vec<ReadProbe>,
    traffic: Vec<Asked>,
}

/// The purpose of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RowUse {
    /// It was made for the scenario.
    Traffic,
    /// It asks a cluster: the number of its probe.
    Probe(usize),
    /// It is the example of a difference: the number of that.
    Example(usize),
}

/// What the engine answers to a request.
#[derive(Debug, Clone)]
pub(super) struct PairAnswer {
    pub(super) old: PickOutput,
    pub(super) new: PickOutput,
}

impl PairAnswer {
    /// Whether the host is deterministic on both sides.
    pub(super) const fn is_certain(&self) -> bool {
        self.old.is_certain() && self.new.is_certain()
    }
}

/// A probe with the criteria of its route.
#[derive(Debug, Clone)]
struct ReadProbe {
    probe: Probe,
    criteria: Metadata,
}

impl ConfigPair {
    /// Compares both sides.
    ///
    /// # Errors
    /// When one of them is refused or contains something that is not modeled.
    pub(super) fn new(
        number: u64,
        change: PairChange,
        mut old: DifferentialScenario,
        mut new: DifferentialScenario,
    ) -> Result<Self> {
        let traffic = std::mem::take(&mut old.requests);
        let probes = probe::add(&mut old, &mut new);
        let before = read(&old.alone().to_string(), Format::Json)?;
        let after = match change {
            // Envoy reads a decimal number in YAML as a text, so that it would be another configuration.
            PairChange::TextOrder if !has_decimal(&new.alone()) => {
                read(&commented(&new)?, Format::Yaml)?
            }
            _ => read(&new.alone().to_string(), Format::Json)?,
        };
        let probes = probes.into_iter().filter_map(|probe| {
            let criteria = probe.criteria(&before.listeners)?.clone();
            Some(ReadProbe { probe, criteria })
        });
        Ok(Self {
            number,
            change,
            report: report(&before, &after),
            rows: Vec::new(),
            probes: probes.collect(),
            traffic,
            old,
            new,
        })
    }

    /// Gives both sides requests; with `factor` times as many keys, which depend on the dice.
    pub(super) fn ask(&mut self, factor: usize, dice: &mut Dice) {
        let mut requests = self.traffic.clone();
        let mut rows = vec![RowUse::Traffic; requests.len()];
        for asked in &mut requests {
            asked.count *= factor;
        }
        let changed = (0..self.probes.len()).filter(|at| self.predicted(*at).is_some());
        let keys = (KEYS / changed.count().max(1)).max(FEWEST_KEYS);
        for (at, probe) in self.probes.iter().enumerate() {
            let keys = if self.predicted(at).is_some() {
                keys
            } else {
                KEYS_OF_OTHERS
            };
            let asked = probe.probe.requests(keys * factor, dice);
            rows.extend(std::iter::repeat_n(RowUse::Probe(at), asked.len()));
            requests.extend(asked);
        }
        for (at, route) in self.report.routes.iter().enumerate().take(EXAMPLES) {
            let asked = example(route);
            rows.extend(asked.iter().map(|_| RowUse::Example(at)));
            requests.extend(asked.into_iter().map(|asked| Asked {
                count: EXAMPLE * factor,
                ..asked
            }));
        }
        self.rows = rows;
        self.old.requests.clone_from(&requests);
        self.new.requests = requests;
    }

    /// What the engine answers on both sides, for the requests whose check needs it.
    ///
    /// # Errors
    /// When it refuses the configuration or a request.
    pub(super) fn answers(&self) -> Result<Vec<Option<PairAnswer>>> {
        let needed: Vec<usize> = (0..self.rows.len())
            .filter(|row| self.needs(*row))
            .collect();
        let asked = |side: &DifferentialScenario| {
            let requests = needed.iter().map(|row| side.requests[*row].clone());
            let few = DifferentialScenario {
                requests: requests.collect(),
                ..side.clone()
            };
            Predictor::default().answers(&few)
        };
        let both = asked(&self.old)?.into_iter().zip(asked(&self.new)?);
        let mut answers = vec![None; self.rows.len()];
        for (row, (old, new)) in needed.iter().zip(both) {
            answers[*row] = Some(PairAnswer { old, new });
        }
        Ok(answers)
    }

    /// Whether the check of a request needs the answers to it. What tables say about keys is checked without.
    fn needs(&self, row: usize) -> bool {
        let RowUse::Probe(probe) = self.rows[row] else {
            return true;
        };
        let keys = self.predicted(probe).map(|(_, requests)| requests.keys);
        keys.is_none_or(|keys| keys.is_some_and(|keys| !keys.exact))
    }

    /// The clusters of which some requests can differ.
    pub(super) fn changed_clusters(&self) -> BTreeSet<&str> {
        let clusters = self.report.clusters.iter();
        let equal = [ClusterVerdict::EqualNow, ClusterVerdict::Renamed];
        let changed = clusters.filter(|cluster| !equal.contains(&cluster.status));
        changed.map(|cluster| cluster.name.as_str()).collect()
    }

    /// What is predicted for the requests of a probe; nothing for a cluster that does not change.
    pub(super) fn predicted(&self, probe: usize) -> Option<(&ClusterDiff, &RequestsDiff)> {
        let probe = self.probes.get(probe)?;
        let clusters = &self.report.clusters;
        let cluster = clusters.iter().find(|of| of.name == probe.probe.cluster)?;
        let requests = cluster
            .requests
            .iter()
            .find(|of| of.criteria == probe.criteria)?;
        Some((cluster, requests))
    }

    /// The number of probes.
    pub(super) fn probes(&self) -> usize {
        self.probes.len()
    }

    /// Whether nothing differs, at least with the present health of hosts.
    pub(super) fn is_equal(&self) -> bool {
        self.changed_clusters().is_empty() && self.report.routes.is_empty()
    }
}

fn report(before: &EnvoyConfig, after: &EnvoyConfig) -> DiffReport {
    let unknown = BTreeMap::new();
    let [old, new] = [before, after].map(|config| DiffSide {
        model: &config.model,
        listeners: &config.listeners,
        unknown: &unknown,
        resolved: None,
    });
    diff(&old, &new)
}

/// The example of a route difference as a request; nothing for a method that is not sent.
fn example(route: &RouteDiff) -> Option<Asked> {
    if route.status != RoutesStatus::Changed {
        return None;
    }
    let of = |name: &str| {
        let found = route.example.iter().find(|(header, _)| header == name);
        found.map(|(_, value)| value.clone())
    };
    if of(":method")? != "GET" {
        return None;
    }
    let headers = route
        .example
        .iter()
        .filter(|(name, _)| !name.starts_with(':'));
    let host = of(":authority")?;
    let ends = [":8080", "."];
    Some(Asked {
        path: of(":path")?,
        host_end: ends
            .into_iter()
            .find(|end| host.ends_with(end))
            .unwrap_or_default(),
        headers: headers.cloned().collect(),
        count: 1,
        tried: Vec::new(),
    })
}

fn has_decimal(value: &Value) -> bool {
    match value {
        Value::Number(number) => number.is_f64(),
        Value::Array(items) => items.iter().any(has_decimal),
        Value::Object(fields) => fields.values().any(has_decimal),
        _ => false,
    }
}

/// The configuration as YAML with comments.
fn commented(scenario: &DifferentialScenario) -> Result<String> {
    let text = serde_json::to_string_pretty(&scenario.alone())?;
    let mut commented = String::from("# JSON is YAML.\n");
    for (number, line) in text.lines().enumerate() {
        if number % 7 == 3 {
            commented.push_str("# Reviewed.\n");
        }
        commented.push_str(line);
        commented.push('\n');
    }
    Ok(commented)
}
