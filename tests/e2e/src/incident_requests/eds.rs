//! Service discovery of trials that remove hosts: files that Envoy watches.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Result;
use serde_json::{Value, json};
use spillgate_incident::HostBehavior;
use spillgate_testkit::write_atomically;

use super::trial::RequestTrial;
use crate::scripted::{ScriptClock, TrialPorts, address};

/// The file with the hosts of a trial.
pub(super) fn file(trial: &RequestTrial, logs: &Path) -> PathBuf {
    logs.join(format!("{}.eds.json", trial.name()))
}

/// The hosts of a trial at a time, as a `ClusterLoadAssignment`.
pub(super) fn assignment(
    trial: &RequestTrial,
    place: usize,
    ports: TrialPorts,
    time: Duration,
) -> Value {
    let mut host = 0;
    let mut endpoints = Vec::new();
    for (priority, weights) in trial.priorities.iter().enumerate() {
        let mut hosts = Vec::new();
        for weight in weights {
            let at: SocketAddr = ports.host(place, host);
            if trial.lists(host, time) {
                hosts.push(json!({
                    "endpoint": {"address": address(at)},
                    "load_balancing_weight": weight,
                }));
            }
            host += 1;
        }
        endpoints.push(json!({"priority": priority, "lb_endpoints": hosts}));
    }
    json!({"cluster_name": trial.name(), "endpoints": endpoints})
}

/// Writes the hosts of all trials at the start.
///
/// # Errors
/// When a file cannot be written.
pub(super) fn write_all(trials: &[RequestTrial], ports: TrialPorts, logs: &Path) -> Result<()> {
    for (place, trial) in trials.iter().enumerate() {
        write(trial, (place, ports), logs, Duration::ZERO)?;
    }
    Ok(())
}

/// Removes and adds hosts at their times.
///
/// # Errors
/// When a file cannot be written.
pub(super) fn run(
    trials: &[RequestTrial],
    ports: TrialPorts,
    logs: &Path,
    clock: &ScriptClock,
) -> Result<()> {
    let mut changes = Vec::new();
    for (place, trial) in trials.iter().enumerate() {
        let events = trial.events.iter();
        let removals = events.filter(|event| event.behavior == HostBehavior::Remove);
        changes.extend(removals.flat_map(|event| [(event.from, place), (event.to, place)]));
    }
    changes.sort_unstable();
    for (at, place) in changes {
        clock.wait_until(at);
        if let Some(trial) = trials.get(place) {
            write(trial, (place, ports), logs, at)?;
        }
    }
    Ok(())
}

fn write(
    trial: &RequestTrial,
    (place, ports): (usize, TrialPorts),
    logs: &Path,
    time: Duration,
) -> Result<()> {
    if !trial.removes_hosts() {
        return Ok(());
    }
    let mut resource = assignment(trial, place, ports, time);
    resource["@type"] = json!("type.googleapis.com/envoy.config.endpoint.v3.ClusterLoadAssignment");
    let response = json!({"version_info": time.as_millis().to_string(), "resources": [resource]});
    write_atomically(&file(trial, logs), response.to_string())
}
