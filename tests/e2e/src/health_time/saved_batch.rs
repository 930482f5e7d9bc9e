//! The records of a batch: Envoy's logs, and a file with what the hosts received. A batch can be replayed from them.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context as _, Result};
use serde_json::{Value, json};

use super::attempts;
use super::bootstrap::LogFiles;
use super::control::control;
use super::event_log;
use super::generate::trials;
use super::trial::HealthTrial;
use super::trial_record::TrialRecord;
use crate::scripted::{ReceivedCall, ScriptedAnswer, TrialPorts};

/// What the hosts of a trial received.
type ReceivedCalls = Vec<Vec<ReceivedCall>>;

/// All that Envoy's logs do not have.
const FILE: &str = "batch.json";

/// The records of the batch whose logs are in a folder: those of its trials, and of its control.
///
/// # Errors
/// When a file cannot be read.
pub(super) fn open(folder: &Path, one_check: bool) -> Result<Vec<TrialRecord>> {
    let path = folder.join(FILE);
    let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    let value: Value = serde_json::from_str(&text)?;
    let number = |of: &Value| of.as_u64().context("not a number");
    let seed = number(&value["seed"])?;
    let numbers: Vec<u64> = elements(&value["trials"])
        .map(number)
        .collect::<Result<_>>()?;
    let mut trials = trials(seed, numbers.iter().copied(), one_check);
    trials.push(control(numbers.first().copied().unwrap_or(0)));
    let hosts = |of: &Value| {
        elements(of)
            .map(|calls| elements(calls).map(call).collect())
            .collect()
    };
    let calls = elements(&value["calls"])
        .map(hosts)
        .collect::<Result<_>>()?;
    read(folder, &trials, number(&value["port"])? as u16, calls)
}

/// Adds what is missing to the logs of a batch, whose last record is the control.
///
/// # Errors
/// When the file cannot be written.
pub(super) fn complete(folder: &Path, seed: u64, records: &[TrialRecord]) -> Result<()> {
    let (_, trials) = records.split_last().context("no control")?;
    let numbers: Vec<u64> = trials.iter().map(|record| record.trial.number).collect();
    let mut addresses = records.iter().flat_map(|record| &record.addresses);
    let calls = records.iter().map(|record| {
        let hosts = record.calls.iter();
        let hosts = hosts.map(|calls| calls.iter().map(written).collect::<Vec<_>>());
        hosts.collect::<Vec<_>>()
    });
    let value = json!({
        "seed": seed,
        "trials": numbers,
        "port": addresses.next().map(|address| address.port()),
        "calls": calls.collect::<Vec<_>>(),
    });
    let path = folder.join(FILE);
    fs::write(&path, value.to_string()).with_context(|| path.display().to_string())
}

/// The records of trials whose hosts have this port.
///
/// # Errors
/// When a log cannot be read.
pub(super) fn read(
    folder: &Path,
    trials: &[HealthTrial],
    port: u16,
    calls: Vec<ReceivedCalls>,
) -> Result<Vec<TrialRecord>> {
    let ports = TrialPorts {
        service: 0,
        hosts: port,
    };
    let files = LogFiles::below(folder);
    // Envoy opens the log of a detector only if there is one.
    let text = fs::read_to_string(files.outliers()).unwrap_or_default();
    let mut outliers = by_cluster(event_log::outliers(&text)?, |entry| &entry.cluster);
    let text = fs::read_to_string(files.attempts())?;
    let mut attempts = by_cluster(attempts::read(&text)?, |attempt| &attempt.cluster);
    let mut records = Vec::new();
    for (place, (trial, calls)) in trials.iter().zip(calls).enumerate() {
        let log_of = |checker| {
            let path = files.checks(trial, checker);
            let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
            event_log::checks(&text)
        };
        let checks = (0..trial.checks.len()).map(log_of).collect::<Result<_>>()?;
        let beacon = outliers.remove(&trial.beacon()).unwrap_or_default();
        records.push(TrialRecord {
            has_statuses: true,
            addresses: (0..calls.len())
                .map(|host| ports.host(place, host))
                .collect(),
            checks,
            outliers: outliers.remove(&trial.name()).unwrap_or_default(),
            sweeps: beacon.into_iter().map(|entry| entry.at).collect(),
            attempts: attempts.remove(&trial.name()).unwrap_or_default(),
            calls,
            logs: folder.to_owned(),
            trial: trial.clone(),
        });
    }
    Ok(records)
}

fn by_cluster<T>(entries: Vec<T>, cluster: impl Fn(&T) -> &String) -> BTreeMap<String, Vec<T>> {
    let mut found: BTreeMap<String, Vec<T>> = BTreeMap::new();
    for entry in entries {
        found
            .entry(cluster(&entry).clone())
            .or_default()
            .push(entry);
    }
    found
}

fn elements(of: &Value) -> impl Iterator<Item = &Value> {
    of.as_array().into_iter().flatten()
}

fn written(call: &ReceivedCall) -> Value {
    let (answer, number) = match call.answer {
        ScriptedAnswer::Status(status) => ("status", u64::from(status)),
        ScriptedAnswer::Sometimes { status, .. } => ("sometimes", u64::from(status)),
        ScriptedAnswer::Degraded => ("degraded", 0),
        ScriptedAnswer::ImmediateFailure(status) => ("immediate failure", u64::from(status)),
        ScriptedAnswer::Late(delay) => ("late", delay.as_millis() as u64),
    };
    json!([call.at.as_nanos() as u64, call.checker, answer, number])
}

fn call(value: &Value) -> Result<ReceivedCall> {
    let number = value[3].as_u64().context("no number")?;
    let at = value[0].as_u64().context("no time")?;
    Ok(ReceivedCall {
        at: Duration::from_nanos(at),
        checker: value[1].as_u64().map(|checker| checker as usize),
        answer: match value[2].as_str().context("no answer")? {
            "status" => ScriptedAnswer::Status(number as u16),
            "degraded" => ScriptedAnswer::Degraded,
            "immediate failure" => ScriptedAnswer::ImmediateFailure(number as u16),
            "late" => ScriptedAnswer::Late(Duration::from_millis(number)),
            // A host decides before it records its answer.
            other => anyhow::bail!("{other} is no recorded answer"),
        },
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn calls_are_read_as_they_were_written() {
        let late = ScriptedAnswer::Late(Duration::from_secs(1));
        for (checker, answer) in [
            (None, ScriptedAnswer::FINE),
            (Some(1), ScriptedAnswer::Degraded),
            (Some(0), ScriptedAnswer::ImmediateFailure(503)),
            (None, late),
        ] {
            let at = Duration::from_nanos(1_796_000_000_123_456_789);
            let received = ReceivedCall {
                at,
                checker,
                answer,
            };
            assert_eq!(call(&written(&received)).unwrap(), received);
        }
    }
}
