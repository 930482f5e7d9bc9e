//! What Envoy's log says about the requests of each trial.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context as _, Result};
use serde_json::Value;

/// A request of a client.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct LoggedRequest {
    /// When it arrived, since 1970.
    pub(super) start: Duration,
    /// The status of its response; 0 without one.
    pub(super) status: u16,
    /// Attempts at hosts.
    pub(super) attempts: u64,
    /// Whether the response moves the session of the client to another host.
    pub(super) moves_session: bool,
}

/// Counted requests.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct RequestCounts {
    /// Requests of clients.
    pub(super) requests: u64,
    /// Those that failed.
    pub(super) failed: u64,
    /// Retries.
    pub(super) retried: u64,
    /// Sessions that moved to another host.
    pub(super) sessions_moved: u64,
}

/// The requests by path, in the order of their ends.
///
/// # Errors
/// When the log cannot be read.
pub(super) fn read(log: &Path) -> Result<BTreeMap<String, Vec<LoggedRequest>>> {
    let text = fs::read_to_string(log).with_context(|| log.display().to_string())?;
    let mut found: BTreeMap<String, Vec<LoggedRequest>> = BTreeMap::new();
    for line in text.lines() {
        let entry: Value = serde_json::from_str(line)?;
        let path = entry["path"].as_str().context("no path")?.to_owned();
        let request = request(&entry).with_context(|| line.to_owned())?;
        found.entry(path).or_default().push(request);
    }
    Ok(found)
}

fn request(entry: &Value) -> Result<LoggedRequest> {
    let start = entry["start"].as_str().context("no start")?;
    let (seconds, micros) = start.split_once('.').context("no fraction")?;
    Ok(LoggedRequest {
        start: Duration::from_secs(seconds.parse()?) + Duration::from_micros(micros.parse()?),
        status: u16::try_from(entry["status"].as_u64().unwrap_or(0))?,
        attempts: entry["attempts"].as_u64().unwrap_or(0),
        moves_session: entry["session"].is_string(),
    })
}

impl RequestCounts {
    /// The counts of the requests that arrived in a span.
    pub(super) fn of(all: &[LoggedRequest], from: Duration, to: Duration) -> Self {
        let mut counts = Self::default();
        for request in all.iter().filter(|of| (from..to).contains(&of.start)) {
            counts.requests += 1;
            counts.failed += u64::from(!(200..400).contains(&request.status));
            counts.retried += request.attempts.saturating_sub(1);
            counts.sessions_moved += u64::from(request.moves_session);
        }
        counts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_count_from_their_arrival_and_attempts_after_the_first_are_retries() -> Result<()> {
        let line =
            r#"{"start":"100.250000","path":"/t1","status":503,"attempts":3,"session":"a=b"}"#;
        let read = request(&serde_json::from_str(line)?)?;
        let second = Duration::from_secs(1);
        let counts = RequestCounts::of(std::slice::from_ref(&read), 100 * second, 101 * second);
        let expected = RequestCounts {
            requests: 1,
            failed: 1,
            retried: 2,
            sessions_moved: 1,
        };
        assert_eq!(counts, expected);
        let earlier = RequestCounts::of(&[read], 99 * second, 100 * second);
        assert_eq!(earlier, RequestCounts::default());
        Ok(())
    }
}
