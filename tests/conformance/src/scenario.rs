//! Scenario folders: a configuration, requests, and the hosts that Envoy chose.
//!
//! A deterministic choice must be the recorded host. A random choice must allow the recorded host,
//! and all random choices together must fit the expected shares.

mod observed;
mod shares;

use std::path::Path;

use serde_json::Value;
use spillgate_core::snapshot::Snapshot;

use crate::recorded::read_recorded;
pub(super) use observed::{Observation, Observations, read_observations};
pub(super) use shares::Shares;
use spillgate_answers::{
    input::{Faults, read_text},
    pick::{Answerer, CountField, PickOutput, RequestRow, read_requests, routes_of},
};

/// The default `host` of recorded requests.
const HOST: &str = "oracle.test";

/// Whether a folder is a scenario.
pub(super) fn is_scenario(folder: &Path) -> bool {
    folder.join("requests.jsonl").is_file() || folder.join("observed.jsonl").is_file()
}

/// The family of a scenario: the one in `meta.json`, else the first word of its name.
pub(super) fn family(folder: &Path, name: &str) -> String {
    let meta = read_text(&folder.join("meta.json")).ok();
    let meta = meta.and_then(|meta| serde_json::from_str::<Value>(&meta.text).ok());
    match meta.as_ref().and_then(|meta| meta.get("family")?.as_str()) {
        Some(family) => family.into(),
        None => name.split('-').next().unwrap_or(name).into(),
    }
}

/// Compares a scenario; one line for each difference. `now` is in seconds since the Unix epoch.
pub(super) fn check(folder: &Path, now: u64) -> Vec<String> {
    match compare(folder, now) {
        Ok(faults) => faults,
        Err(faults) => faults.lines().to_vec(),
    }
}

/// Reads the files of a scenario and compares all rows.
fn compare(folder: &Path, now: u64) -> Result<Vec<String>, Faults> {
    let config = read_recorded(&folder.join("envoy.yaml"))?;
    let requests = read_text(&folder.join("requests.jsonl"))?;
    let list = read_requests(&requests.text, HOST, CountField::Accepted)
        .map_err(|faults| Faults::all("requests.jsonl", &faults))?;
    let observed = read_text(&folder.join("observed.jsonl"))?;
    let mut observed = match read_observations(&observed.text) {
        Ok(observed) => observed,
        Err(faults) => return Ok(faults),
    };
    let (routes, _) =
        routes_of(&config, None).map_err(|fault| Faults::one("envoy.yaml", &fault))?;

    let snapshot = Snapshot::build(&config.model);
    let mut answerer = Answerer::new(&snapshot, routes).at(now);
    let mut faults = Vec::new();
    let mut shares = Shares::default();
    if list.rows.is_empty() {
        faults.push("requests.jsonl: no requests".into());
    }
    for row in &list.rows {
        // A session continues on the recorded host.
        let seen = observed
            .get(&row.i.to_string())
            .and_then(|seen| seen.first());
        let answer = match seen {
            Some(seen) => answerer.answer_seen(row, seen.endpoint.as_deref()),
            None => answerer.answer_row(row),
        };
        compare_row(row, &answer, &mut observed, &mut shares, &mut faults);
    }
    let left_over = observed.keys();
    faults.extend(left_over.map(|i| format!("row {i}: observed, but not in requests.jsonl")));
    faults.extend(shares.misfits());
    // A setting that is not modeled can only agree by chance, so it fails like an unknown field.
    let ignored = config
        .warnings
        .iter()
        .filter(|warning| warning.code.ends_with("not-modeled"))
        .map(|warning| warning.render("envoy.yaml"));
    faults.splice(..0, ignored);
    Ok(faults)
}

/// Compares one row and adds its counts to the shares.
fn compare_row(
    row: &RequestRow,
    answer: &PickOutput,
    observed: &mut Observations,
    shares: &mut Shares,
    faults: &mut Vec<String>,
) {
    let i = row.i.to_string();
    let seen = observed.remove(&i).unwrap_or_default();
    let count: u64 = seen.iter().map(|observation| observation.count).sum();
    if count != row.count {
        faults.push(format!(
            "row {i}: {} requested, {count} observed",
            row.count
        ));
        return;
    }
    if let PickOutput::Random {
        distribution,
        no_host,
        ..
    } = answer
    {
        shares.expect(distribution, *no_host, count);
    }
    for observation in seen {
        if !agrees(answer, &observation) {
            let expected = expected(answer);
            faults.push(format!("row {i}: expected {observation}, found {expected}"));
        }
        if let PickOutput::Random { distribution, .. } = answer {
            shares.observe(&observation, distribution);
        }
    }
}

/// Whether an answer allows an observation.
pub(super) fn agrees(answer: &PickOutput, observed: &Observation) -> bool {
    let endpoint = observed.endpoint.as_deref();
    match answer {
        PickOutput::Determined { .. } if observed.unstable => endpoint.is_some(),
        PickOutput::Determined { outcome, .. } => {
            observed.status == 200 && endpoint == Some(&outcome.endpoint)
        }
        PickOutput::Unknown { .. } => false,
        PickOutput::NoHost { .. } if observed.unstable => endpoint.is_none(),
        PickOutput::NoHost { status, .. } => observed.status == *status && endpoint.is_none(),
        PickOutput::Random {
            distribution,
            replies,
            ..
        } => match endpoint {
            None => replies.iter().any(|reply| reply.status == observed.status),
            Some(_) if observed.unstable => !distribution.is_empty(),
            Some(endpoint) => {
                observed.status == 200
                    && distribution.iter().any(|outcome| {
                        outcome.endpoint == endpoint
                            && outcome.share > 0.0
                            && observed.owner.as_ref().is_none_or(|o| *o == outcome.owner)
                            && observed.priority.is_none_or(|p| p == outcome.priority)
                    })
            }
        },
    }
}

/// An answer in short.
fn expected(answer: &PickOutput) -> String {
    match answer {
        PickOutput::Determined { outcome, .. } => format!("200 {}", outcome.endpoint),
        PickOutput::Unknown {
            why, cluster: None, ..
        } => {
            format!("unknown result: {why} is not modeled")
        }
        PickOutput::Unknown { why, .. } => format!("unknown result: {why}"),
        PickOutput::NoHost { status, .. } => format!("{status} without a host"),
        PickOutput::Random {
            distribution,
            no_host,
            ..
        } => {
            let (count, no_host) = (distribution.len(), *no_host);
            format!("one of {count} other hosts, or no host ({no_host} %)")
        }
    }
}
