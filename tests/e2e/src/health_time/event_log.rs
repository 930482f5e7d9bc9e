//! Envoy's event logs of health checks and of outlier detection.

use std::net::SocketAddr;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use serde_json::Value;
use spillgate_health::check::{CheckFailureType, CheckLogEvent};

use crate::scripted::parse_time;

/// An entry of the log of a checker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LoggedCheck {
    /// Its time, in whole milliseconds.
    pub at: Duration,
    /// The host.
    pub host: SocketAddr,
    /// What happened.
    pub event: CheckLogEvent,
}

/// An entry of the log of outlier detection.
#[derive(Debug, Clone, PartialEq)]
pub struct LoggedOutlier {
    /// Its time, in whole milliseconds.
    pub at: Duration,
    /// The cluster.
    pub cluster: String,
    /// The host.
    pub host: SocketAddr,
    /// `EJECT`, `UNEJECT` and others.
    pub action: String,
    /// The name of the finding; of an entry that ends something it has no meaning.
    pub kind: String,
    /// Whether the host is ejected.
    pub enforced: bool,
    /// How often it has been ejected.
    pub num_ejections: u64,
    /// The success rate of the host, if the finding is about rates.
    pub host_rate: Option<f64>,
    /// The mean of the cluster and the rate from which on a host is no outlier.
    pub cluster_rates: Option<(f64, f64)>,
}

impl LoggedOutlier {
    /// Whether it is about `detect_degraded_hosts`: Envoy writes that as an ejection of type `DEGRADED`.
    pub(super) fn is_degradation(&self) -> bool {
        self.kind == "DEGRADED"
    }

    /// Whether only a sweep writes such an entry.
    pub(super) fn is_of_sweep(&self) -> bool {
        let rates = ["SUCCESS_RATE", "FAILURE_PERCENTAGE"];
        self.action == "EJECT" && rates.iter().any(|rate| self.kind.starts_with(rate))
    }
}

/// The entries of a checker's log.
pub(super) fn checks(log: &str) -> Result<Vec<LoggedCheck>> {
    lines(log, check)
}

/// The entries of the log of outlier detection.
pub(super) fn outliers(log: &str) -> Result<Vec<LoggedOutlier>> {
    lines(log, outlier)
}

fn lines<T>(log: &str, read: impl Fn(&Value) -> Result<T>) -> Result<Vec<T>> {
    let entry = |line: &str| {
        let value = serde_json::from_str(line)?;
        read(&value)
    };
    let entries = log.lines().map(|line| entry(line).context(line.to_owned()));
    entries.collect()
}

fn time(entry: &Value) -> Result<Duration> {
    let text = entry["timestamp"].as_str().context("no timestamp")?;
    parse_time(text).context("not a time")
}

fn check(entry: &Value) -> Result<LoggedCheck> {
    let host = &entry["host"]["socket_address"];
    let ip = host["address"].as_str().context("no address")?;
    let port = host["port_value"].as_u64().context("no port")?;
    Ok(LoggedCheck {
        at: time(entry)?,
        host: SocketAddr::new(ip.parse()?, u16::try_from(port)?),
        event: check_event(entry)?,
    })
}

fn check_event(entry: &Value) -> Result<CheckLogEvent> {
    let flag = |of: &Value| of["first_check"].as_bool().unwrap_or(false);
    let status = |of: &Value| of["http_status_code"].as_u64().unwrap_or(0) as u16;
    if let Some(of) = entry.get("eject_unhealthy_event") {
        return Ok(CheckLogEvent::EjectUnhealthy {
            failure: failure(of)?,
            status: status(of),
        });
    }
    if let Some(of) = entry.get("health_check_failure_event") {
        return Ok(CheckLogEvent::Failure {
            failure: failure(of)?,
            first_check: flag(of),
            status: status(of),
        });
    }
    if let Some(of) = entry.get("add_healthy_event") {
        return Ok(CheckLogEvent::AddHealthy {
            first_check: flag(of),
        });
    }
    let empty = [
        CheckLogEvent::Success,
        CheckLogEvent::Degraded,
        CheckLogEvent::NoLongerDegraded,
    ];
    let found = empty
        .into_iter()
        .find(|event| entry.get(event.name()).is_some());
    found.context("an unknown event")
}

fn failure(of: &Value) -> Result<CheckFailureType> {
    let all = [
        CheckFailureType::Active,
        CheckFailureType::Passive,
        CheckFailureType::Network,
        CheckFailureType::NetworkTimeout,
    ];
    let name = of["failure_type"].as_str().unwrap_or_default();
    match all.into_iter().find(|kind| kind.name() == name) {
        Some(kind) => Ok(kind),
        None => bail!("an unknown failure type"),
    }
}

fn outlier(entry: &Value) -> Result<LoggedOutlier> {
    let text = |name: &str| entry[name].as_str().unwrap_or_default().to_owned();
    let rate = |of: &str, name: &str| entry[of][name].as_f64();
    let success = "eject_success_rate_event";
    let host_rate = rate(success, "host_success_rate")
        .or(rate("eject_failure_percentage_event", "host_success_rate"));
    let average = rate(success, "cluster_average_success_rate");
    let threshold = rate(success, "cluster_success_rate_ejection_threshold");
    Ok(LoggedOutlier {
        at: time(entry)?,
        cluster: text("cluster_name"),
        host: text("upstream_url").parse()?,
        action: text("action"),
        kind: text("type"),
        enforced: entry["enforced"].as_bool().unwrap_or(false),
        num_ejections: entry["num_ejections"].as_u64().unwrap_or(0),
        host_rate,
        cluster_rates: average.zip(threshold),
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn entries_of_envoy_are_read() {
        let log = r#"{"host":{"socket_address":{"address":"127.10.0.4","port_value":21999}},"timestamp":"2026-11-30T17:26:07.821Z","health_check_failure_event":{"failure_type":"NETWORK","first_check":true,"http_status_code":0}}"#;
        let event = CheckLogEvent::Failure {
            failure: CheckFailureType::Network,
            first_check: true,
            status: 0,
        };
        assert_eq!(checks(log).unwrap()[0].event, event);
        let log = r#"{"type":"FAILURE_PERCENTAGE","timestamp":"2026-11-30T17:26:09.806Z","cluster_name":"c0","upstream_url":"127.10.0.2:21999","action":"EJECT","num_ejections":0,"enforced":false,"eject_failure_percentage_event":{"host_success_rate":50}}"#;
        let read = &outliers(log).unwrap()[0];
        assert_eq!((&*read.action, read.host_rate), ("EJECT", Some(50.0)));
    }
}
