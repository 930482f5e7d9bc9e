//! `spillgate conformance --envoy`: replays scenario folders on another Envoy and reports each
//! difference from the recording.
//!
//! Envoy serves the configuration of the scenario on free ports of 127.0.0.1. The same process
//! responds at the addresses of the endpoints, so they must be in 127.0.0.0/8. A header in every
//! response has the chosen host.
//!
//! A deterministic choice must be the recorded host. All random choices together must fit the
//! expected shares. A session can start on any host and must stay there. The report lists scenarios
//! that cannot be replayed, with the reason.

mod compare;
mod instrument;
mod row;
mod session;

use std::path::Path;

use spillgate_admin::local::{EnvoyLaunch, LocalEnvoy, PlainClient, PlainResponse};
use spillgate_config::node::{Scalars, read_yaml};
use spillgate_core::snapshot::Snapshot;

use super::scenario::{Observation, Observations, read_observations};
use crate::recorded::read_recorded;
use compare::{Answers, Expectation, differences};
use instrument::{Instrumented, SEEN, instrument};
use row::{HOST, Meta, Row, read_meta, read_rows};
use session::Sessions;
use spillgate_answers::{
    input::{Faults, read_text},
    pick::{Answerer, CountField, RequestRow, read_requests, routes_of},
};

/// The result of one scenario.
#[derive(Debug)]
pub(super) enum Replayed {
    /// Compared; one line for each difference.
    Compared(Vec<String>),
    /// Not replayed, with the reason.
    Skipped(String),
}

/// Replays a scenario folder on an Envoy.
pub(super) fn replay(folder: &Path, program: &Path, now: u64) -> Replayed {
    match prepare(folder, now) {
        Ok(scenario) => scenario.replay(program),
        Err(reason) => Replayed::Skipped(reason),
    }
}

/// A scenario that can be replayed.
struct Scenario {
    /// The configuration for the replay.
    served: Instrumented,
    /// The requests, in order.
    rows: Vec<Row>,
    /// The settings of the scenario.
    meta: Meta,
    /// The recorded responses.
    recorded: Observations,
    /// The answers of the engine; `None` if a setting is not modeled.
    answers: Option<Answers>,
}

/// Reads a scenario folder; an error is the reason why it cannot be replayed.
fn prepare(folder: &Path, now: u64) -> Result<Scenario, String> {
    let text = |file: &str| read_text(&folder.join(file)).map_err(|faults| listed(&faults));
    let config = text("envoy.yaml")?;
    // The recorder converted YAML to JSON, so scalars follow the rules of JSON.
    let document = read_yaml(&config.text, Scalars::Json).map_err(|fault| fault.to_string())?;
    let root = document.roots.first().ok_or("envoy.yaml: file is empty")?;
    let recorded = read_observations(&text("observed.jsonl")?.text);
    Ok(Scenario {
        served: instrument(root)?,
        rows: read_rows(&text("requests.jsonl")?.text)?,
        meta: read_meta(folder),
        recorded: recorded.map_err(|faults| faults.join("; "))?,
        answers: answers(folder, now).ok(),
    })
}

/// The answers of the engine by row id; an error if a setting is not modeled.
fn answers(folder: &Path, now: u64) -> Result<Answers, Faults> {
    let config = read_recorded(&folder.join("envoy.yaml"))?;
    let lacks = |code: &str| code.ends_with("not-modeled");
    if config.warnings.iter().any(|w| lacks(w.code)) {
        return Err(Faults::default());
    }
    let requests = read_text(&folder.join("requests.jsonl"))?;
    let list = read_requests(&requests.text, HOST, CountField::Accepted)
        .map_err(|faults| Faults::all(&requests.name, &faults))?;
    let (routes, _) =
        routes_of(&config, None).map_err(|fault| Faults::one(&config.sources, &fault))?;
    let snapshot = Snapshot::build(&config.model);
    let mut answerer = Answerer::new(&snapshot, routes).at(now);
    let answer = |row: &RequestRow| (row.i.to_string(), answerer.answer_row(row));
    Ok(list.rows.iter().map(answer).collect())
}

impl Scenario {
    /// Replays the requests and compares the responses.
    fn replay(self, program: &Path) -> Replayed {
        let expectation = match (&self.answers, self.meta.is_certain) {
            (Some(answers), _) => Expectation::Answers(answers),
            (None, true) => Expectation::Recording,
            (None, false) => {
                let reason = "choices are random, and the engine does not model the configuration";
                return Replayed::Skipped(reason.into());
            }
        };
        let observed = match self.observe(program) {
            Ok(observed) => observed,
            Err(fault) => return Replayed::Compared(vec![fault]),
        };
        let (rows, recorded) = (&self.rows, &self.recorded);
        Replayed::Compared(differences(rows, recorded, observed, &expectation))
    }

    /// Starts Envoy, sends the requests one at a time, and stops it.
    fn observe(&self, program: &Path) -> Result<Observations, String> {
        let envoy = LocalEnvoy::start(&EnvoyLaunch {
            program,
            config: &self.served.config,
            variables: &[],
        })?;
        let mut client = PlainClient::new(envoy.listener(&self.served.listener)?);
        let mut sessions = Sessions::new(&self.meta.keep_response_headers);
        let mut observed = Observations::new();
        for row in &self.rows {
            for _ in 0..row.count {
                let headers = sessions.headers_of(row);
                let seen = client
                    .ask(&row.method, &row.path, &row.host, &headers)
                    .map_err(|error| {
                        let log = envoy.last_log_lines();
                        format!("row {}: {error}{log}", row.i)
                    })?;
                sessions.learn(row, &seen.headers);
                let rows = observed.entry(row.i.to_string()).or_default();
                rows.push(observation(&seen, row));
            }
        }
        Ok(observed)
    }
}

/// The chosen host. A response without the header matched no route.
fn observation(seen: &PlainResponse, row: &Row) -> Observation {
    let host = seen
        .header(SEEN)
        .filter(|host| !host.is_empty() && *host != "-");
    Observation::new(row.i.clone(), seen.status, host.map(str::to_owned))
}

/// All errors in one line.
fn listed(faults: &Faults) -> String {
    faults.lines().join("; ")
}
