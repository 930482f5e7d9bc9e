//! Envoy's log of attempts: one line for each try of a request at a host.

use std::net::SocketAddr;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use serde_json::Value;
use spillgate_health::outlier::RequestResult;

/// An attempt with its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoggedAttempt {
    /// The cluster.
    pub cluster: String,
    /// The host.
    pub host: SocketAddr,
    /// When it was sent, once its connection was open; of one that failed before that, when it began.
    pub sent: Duration,
    /// When the response headers were there, or it failed.
    pub end: Duration,
    /// Its result.
    pub result: RequestResult,
}

/// All attempts that outlier detection hears of, in the order of their ends.
pub(super) fn read(log: &str) -> Result<Vec<LoggedAttempt>> {
    let mut found = Vec::new();
    for line in log.lines() {
        let entry: Value = serde_json::from_str(line)?;
        found.extend(attempt(&entry).with_context(|| line.to_owned())?);
    }
    Ok(found)
}

fn attempt(entry: &Value) -> Result<Option<LoggedAttempt>> {
    let text = |name: &str| entry[name].as_str().unwrap_or_default();
    // A request in a cluster without healthy hosts has none.
    let Ok(host) = text("host").parse() else {
        return Ok(None);
    };
    let (seconds, micros) = text("start").split_once('.').context("no start")?;
    let start = Duration::from_secs(seconds.parse()?) + Duration::from_micros(micros.parse()?);
    let micros = |name: &str| entry[name].as_u64().map(Duration::from_micros);
    let lasted =
        micros("us").unwrap_or_else(|| Duration::from_millis(entry["ms"].as_u64().unwrap_or(0)));
    let result = result(entry, text("flags"))?;
    let sent = micros("sent");
    // A timeout before the connection is open is not reported: the router knows no host yet.
    if result == RequestResult::Timeout && sent.is_none() {
        return Ok(None);
    }
    Ok(Some(LoggedAttempt {
        cluster: text("cluster").to_owned(),
        host,
        sent: start + sent.unwrap_or_default(),
        end: start + lasted,
        result,
    }))
}

fn result(entry: &Value, flags: &str) -> Result<RequestResult> {
    let status = entry["status"].as_u64().unwrap_or(0);
    if status > 0 {
        return Ok(RequestResult::Response {
            status: u16::try_from(status)?,
            degraded: entry["degraded"].is_string(),
        });
    }
    Ok(match flags {
        "UF" => RequestResult::ConnectFailure,
        "UC" | "UR" => RequestResult::Reset,
        // The end of the route's timeout has no flag here.
        "-" | "UT" => RequestResult::Timeout,
        _ => bail!("an unexpected end"),
    })
}
