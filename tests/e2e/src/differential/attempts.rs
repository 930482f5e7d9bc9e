//! The hosts of each attempt: what Envoy's router writes about retried requests, as rows that name
//! the hosts of earlier attempts.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail, ensure};
use spillgate_answers::pick::PickOutput;

use super::compare::{Compared, compare};
use super::observations::{Observations, Observed, RequestId};
use super::predict::Predictor;
use super::scenario::{Asked, DifferentialScenario};

/// The header of requests that only move the positions of load balancers and are not compared.
pub(super) const TURN: &str = "x-turn";

/// Lets Envoy write its logs soon after the requests.
pub(super) const FLUSH: [&str; 2] = ["--file-flush-interval-msec", "50"];
/// Far longer than that takes.
const PATIENCE: Duration = Duration::from_secs(20);

/// The file with a line for each attempt.
#[derive(Debug)]
pub(super) struct AttemptLog(PathBuf);

impl AttemptLog {
    /// An empty log.
    pub(super) fn new(folder: &Path, port: u16) -> Result<Self> {
        let path = fs::canonicalize(folder)?.join(format!("attempts-{port}.log"));
        fs::write(&path, "")?;
        Ok(Self(path))
    }

    /// Its file.
    pub(super) fn path(&self) -> &Path {
        &self.0
    }

    /// The hosts of these requests, each with that number of attempts, once they are all written.
    pub(super) fn read(
        &self,
        expected: &BTreeMap<RequestId, usize>,
    ) -> Result<BTreeMap<RequestId, Vec<String>>> {
        let lines: usize = expected.values().sum();
        let started = Instant::now();
        loop {
            let text = fs::read_to_string(&self.0)?;
            let whole = text.rfind('\n').map_or("", |end| &text[..end]);
            let found = whole.lines().filter(|line| !is_other(line)).count();
            if found >= lines {
                let hosts = hosts(whole)?;
                for (request, attempts) in expected {
                    let logged = hosts.get(request).map_or(0, Vec::len);
                    ensure!(
                        logged == *attempts,
                        "{request:?} has {attempts} attempts, {logged} of them in the log"
                    );
                }
                return Ok(hosts);
            }
            if started.elapsed() > PATIENCE {
                bail!("{found} of {lines} attempts are in {}", self.0.display());
            }
            thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for AttemptLog {
    fn drop(&mut self) {
        // A file that stays is only in the way.
        let _ = fs::remove_file(&self.0);
    }
}

/// Whether a line is about a request of a scenario without retries.
fn is_other(line: &str) -> bool {
    line.starts_with("- ")
}

fn hosts(text: &str) -> Result<BTreeMap<RequestId, Vec<String>>> {
    let mut hosts: BTreeMap<RequestId, Vec<String>> = BTreeMap::new();
    for line in text.lines().filter(|line| !is_other(line)) {
        let request = line.split_once(' ').and_then(|(id, host)| {
            let mut numbers = id.split('.').map(str::parse::<usize>);
            let mut next = || numbers.next()?.ok();
            Some(((next()?, next()?, next()?), host))
        });
        let (id, host) = request.with_context(|| format!("unknown line {line:?}"))?;
        hosts.entry(id).or_default().push(host.to_owned());
    }
    Ok(hosts)
}

/// Compares a scenario with its answers; those of retries need the hosts that were tried before, so
/// the engine is asked again. Rows are those of the scenario.
///
/// # Errors
/// As [`compare`], and when the engine refuses the rows.
pub(super) fn compare_attempts(
    predictor: &Predictor,
    scenario: &DifferentialScenario,
    answers: &[PickOutput],
    seen: &Observations,
) -> Result<Compared> {
    if !scenario.retries() {
        return compare(answers, seen);
    }
    let by_attempt = ByAttempt::new(scenario, seen);
    let answers = predictor.answers(&by_attempt.scenario)?;
    let mut compared = compare(&answers, &by_attempt.observations)?;
    for (row, _) in &mut compared.differences {
        *row = by_attempt.rows[*row];
    }
    Ok(compared)
}

/// A scenario with a row for each sequence of hosts that requests tried.
#[derive(Debug)]
pub(super) struct ByAttempt {
    pub(super) scenario: DifferentialScenario,
    pub(super) observations: Observations,
    /// The rows of the scenario from which its rows come.
    pub(super) rows: Vec<usize>,
}

impl ByAttempt {
    /// Equal requests with equal hosts before are one row.
    pub(super) fn new(scenario: &DifferentialScenario, seen: &Observations) -> Self {
        let mut found: BTreeMap<Asked, (usize, Vec<Observed>)> = BTreeMap::new();
        for (row, (asked, seen)) in scenario.requests.iter().zip(seen).enumerate() {
            if asked.headers.iter().any(|(name, _)| name == TURN) {
                continue;
            }
            for observed in seen {
                for (tried, outcome) in attempts(observed) {
                    let asked = Asked {
                        tried: tried.to_vec(),
                        count: 1,
                        ..asked.clone()
                    };
                    let (_, all) = found.entry(asked).or_insert_with(|| (row, Vec::new()));
                    all.push(outcome);
                }
            }
        }
        let mut by_attempt = Self {
            scenario: scenario.clone(),
            observations: Vec::new(),
            rows: Vec::new(),
        };
        by_attempt.scenario.requests.clear();
        let mut found: Vec<_> = found.into_iter().collect();
        found.sort_by_key(|(asked, (row, _))| (*row, asked.tried.len()));
        for (mut asked, (row, observed)) in found {
            asked.count = observed.len();
            by_attempt.scenario.requests.push(asked);
            by_attempt.observations.push(observed);
            by_attempt.rows.push(row);
        }
        by_attempt
    }
}

/// Each attempt of a request: the hosts before, and its outcome.
fn attempts(observed: &Observed) -> Vec<(&[String], Observed)> {
    let hosts = &observed.attempts;
    let mut all: Vec<(&[String], Observed)> = Vec::new();
    for (at, host) in hosts.iter().enumerate() {
        let outcome = Observed {
            endpoint: Some(host.clone()),
            status: 200,
            flags: "UF".into(),
            details: String::new(),
            attempts: Vec::new(),
        };
        all.push((&hosts[..at], outcome));
    }
    if observed.endpoint.is_none() {
        let outcome = Observed {
            attempts: Vec::new(),
            ..observed.clone()
        };
        all.push((hosts, outcome));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn retried(hosts: &[&str], endpoint: Option<&str>) -> Observed {
        Observed {
            endpoint: endpoint.map(Into::into),
            status: if endpoint.is_some() { 200 } else { 503 },
            flags: String::new(),
            details: String::new(),
            attempts: hosts.iter().map(|&host| host.into()).collect(),
        }
    }

    #[test]
    fn each_attempt_is_a_row_with_the_hosts_before() {
        let asked = Asked {
            path: "/".into(),
            host_end: "",
            headers: Vec::new(),
            count: 2,
            tried: Vec::new(),
        };
        let scenario = DifferentialScenario {
            requests: vec![asked],
            ..DifferentialScenario::default()
        };
        let seen = vec![vec![retried(&["a", "b"], Some("b")), retried(&["a"], None)]];
        let rows = ByAttempt::new(&scenario, &seen);
        let of: Vec<(&[String], usize)> = rows
            .scenario
            .requests
            .iter()
            .map(|asked| (asked.tried.as_slice(), asked.count))
            .collect();
        assert_eq!(of, [(&[][..], 2), (&["a".to_owned()][..], 2)]);
        let ends = |row: usize| -> Vec<Option<&str>> {
            let all = rows.observations[row].iter();
            all.map(|seen| seen.endpoint.as_deref()).collect()
        };
        assert_eq!(ends(0), [Some("a"), Some("a")]);
        assert_eq!(ends(1), [Some("b"), None]);
        assert_eq!(rows.rows, [0, 0]);
    }

    #[test]
    fn lines_of_a_request_are_its_attempts_in_order() -> Result<()> {
        let hosts = hosts("0.1.2 a\n- d\n0.1.3 b\n0.1.2 c\n")?;
        assert_eq!(hosts[&(0, 1, 2)], ["a", "c"]);
        assert_eq!(hosts[&(0, 1, 3)], ["b"]);
        assert!(super::hosts("nonsense\n").is_err());
        Ok(())
    }
}
