//! One Envoy process with many scenarios, and its answers to their requests.
//!
//! Nothing listens at the hosts' addresses: Envoy chooses a host, its connection is refused at
//! once, and Envoy's own answer in its place names the host. So hosts cost
//! nothing, and their health, which comes from the configuration, does not change.

use std::collections::BTreeMap;
use std::io::{BufReader, Write as _};
use std::net::{SocketAddr, TcpStream};

use anyhow::{Context as _, Result, bail, ensure};

use super::attempts::{AttemptLog, FLUSH};
use super::observations::{Observations, Observed, RequestId};
use super::scenario::{ATTEMPTS, DifferentialScenario, OBSERVED, ROW, domain, named, together};
use crate::{Envoy, EnvoyOptions, HttpResponse, Port, Workdir};
use spillgate_testkit::{connect, read};

/// Connections on which scenarios take turns. Each scenario's requests go one after another on
/// one of them, so that no host has an active request when the next one is chosen.
const CONNECTIONS: usize = 24;

/// The statuses of requests that the connection manager answers itself.
const MANAGER_STATUSES: [u16; 2] = [307, 400];

/// An Envoy that serves scenarios.
#[derive(Debug)]
pub struct Batch<'s> {
    scenarios: Vec<&'s DifferentialScenario>,
    _envoy: Envoy,
    port: Port,
    /// The log of attempts, if a scenario has retries.
    log: Option<AttemptLog>,
}

impl<'s> Batch<'s> {
    /// Starts Envoy with these scenarios, which must have the same surroundings.
    ///
    /// # Errors
    /// When Envoy refuses one of them or does not start.
    pub fn start(workdir: &Workdir, scenarios: Vec<&'s DifferentialScenario>) -> Result<Self> {
        let port = Port::lease()?;
        let retries = scenarios.iter().any(|scenario| scenario.retries());
        let log = retries
            .then(|| AttemptLog::new(workdir.path(), port.number()))
            .transpose()?;
        let file = log.as_ref().map(AttemptLog::path);
        let options = EnvoyOptions {
            arguments: &FLUSH,
            ..EnvoyOptions::default()
        };
        let envoy = Envoy::start_as(workdir, options, |node, admin| {
            Ok(together(&scenarios, node, admin, port.number(), file).to_string())
        })?;
        Ok(Self {
            scenarios,
            _envoy: envoy,
            port,
            log,
        })
    }

    /// Sends all requests of all scenarios.
    ///
    /// # Errors
    /// When an answer is missing or names no host.
    pub fn ask(&self) -> Result<Vec<Observations>> {
        let mut observations: Vec<Observations> = self
            .scenarios
            .iter()
            .map(|scenario| vec![Vec::new(); scenario.requests.len()])
            .collect();
        let mut waiting = self.scenarios.iter().copied().enumerate();
        let mut lanes = Vec::new();
        // The number of attempts of each request that is in the log.
        let mut logged: BTreeMap<RequestId, usize> = BTreeMap::new();
        for _ in 0..CONNECTIONS.min(self.scenarios.len()) {
            lanes.push(Lane::open(self.port.local())?);
        }
        while !lanes.is_empty() {
            for lane in &mut lanes {
                lane.send(&mut waiting)?;
            }
            lanes.retain(|lane| lane.asked.is_some());
            for lane in &mut lanes {
                let (slot, row, observed, attempts) = lane.receive()?;
                if attempts > 0 {
                    logged.insert((slot, row, observations[slot][row].len()), attempts);
                }
                observations[slot][row].push(observed);
            }
        }
        if let Some(log) = &self.log {
            for ((slot, row, repetition), hosts) in log.read(&logged)? {
                observations[slot][row][repetition].attempts = hosts;
            }
        }
        Ok(observations)
    }
}

/// A connection and the scenario that it is at.
struct Lane<'s> {
    to: SocketAddr,
    stream: BufReader<TcpStream>,
    at: Option<(usize, &'s DifferentialScenario)>,
    /// Whether its requests are retried.
    retries: bool,
    row: usize,
    sent: usize,
    text: Vec<u8>,
    /// The slot and row of the active request.
    asked: Option<(usize, usize)>,
}

impl<'s> Lane<'s> {
    fn open(to: SocketAddr) -> Result<Self> {
        Ok(Self {
            to,
            stream: BufReader::new(connect(to)?),
            at: None,
            retries: false,
            row: 0,
            sent: 0,
            text: Vec::new(),
            asked: None,
        })
    }

    /// Sends the next request of the scenario, or of the next scenario; none when all are done.
    fn send(
        &mut self,
        waiting: &mut impl Iterator<Item = (usize, &'s DifferentialScenario)>,
    ) -> Result<()> {
        self.asked = None;
        loop {
            let Some((slot, scenario)) = self.at else {
                self.at = waiting.next();
                self.retries = self.at.is_some_and(|(_, scenario)| scenario.retries());
                (self.row, self.sent) = (0, 0);
                if self.at.is_none() {
                    return Ok(());
                }
                continue;
            };
            let Some(asked) = scenario.requests.get(self.row) else {
                self.at = None;
                continue;
            };
            if self.sent == asked.count {
                (self.row, self.sent) = (self.row + 1, 0);
                continue;
            }
            if self.sent == 0 || self.retries {
                self.text.clear();
                write!(
                    self.text,
                    "GET {} HTTP/1.1\r\nhost: {}{}\r\n",
                    asked.path,
                    domain(slot),
                    asked.host_end
                )?;
                if self.retries {
                    write!(self.text, "{ROW}: {slot}.{}.{}\r\n", self.row, self.sent)?;
                }
                for (name, value) in &asked.headers {
                    write!(self.text, "{name}: {}\r\n", named(value, slot))?;
                }
                self.text.extend_from_slice(b"\r\n");
            }
            self.stream.get_mut().write_all(&self.text)?;
            self.sent += 1;
            self.asked = Some((slot, self.row));
            return Ok(());
        }
    }

    /// The observation of a row, and the number of its attempts in the log.
    fn receive(&mut self) -> Result<(usize, usize, Observed, usize)> {
        let (slot, row) = self.asked.context("no request is outstanding")?;
        let asked = || String::from_utf8_lossy(&self.text).replace("\r\n", ", ");
        let response = read(&mut self.stream).with_context(asked)?;
        if response.header("connection") == Some("close") {
            ensure!(
                MANAGER_STATUSES.contains(&response.status),
                "Envoy closed the connection after {}: {response:?}",
                asked()
            );
            self.stream = BufReader::new(connect(self.to)?);
        }
        let observed = observed(&response).with_context(asked)?;
        let attempts = if self.retries {
            attempts(&response, &observed)?
        } else {
            0
        };
        Ok((slot, row, observed, attempts))
    }
}

/// The attempts of a request that reached a host.
fn attempts(response: &HttpResponse, observed: &Observed) -> Result<usize> {
    let Some(text) = response.header(ATTEMPTS) else {
        return Ok(0);
    };
    // A route that responds itself has no attempts.
    let attempts: usize = match text {
        "" | "-" => 0,
        number => number.parse().with_context(|| format!("{number:?}"))?,
    };
    // The last one of a request without a host is not in the log.
    Ok(match observed.endpoint {
        Some(_) => attempts,
        None => attempts.saturating_sub(1),
    })
}

fn observed(response: &HttpResponse) -> Result<Observed> {
    let without_host = |status, flags: &str, details: &str| Observed {
        endpoint: None,
        status,
        flags: flags.into(),
        details: details.into(),
        attempts: Vec::new(),
    };
    let Some(text) = response.header(OBSERVED) else {
        // Without a route there is nothing that would add the header.
        return match response.status {
            404 => Ok(without_host(404, "NR", "route_not_found")),
            status if MANAGER_STATUSES.contains(&status) => Ok(without_host(status, "", "")),
            _ => bail!("the answer names no host: {response:?}"),
        };
    };
    let mut parts = text.splitn(3, '|');
    let mut part = || parts.next().unwrap_or_default();
    let (host, flags, details) = (part(), part(), part());
    let host = Some(host).filter(|host| !host.is_empty() && *host != "-");
    match (host, flags) {
        (Some(_), "UF" | "URX,UF") => {}
        (None, "UH" | "NR" | "NC" | "DO" | "" | "-") => {}
        // The host is that of an earlier attempt.
        (Some(_), "UH" | "NC") => return Ok(without_host(response.status, flags, details)),
        _ => bail!("neither a host nor a known reason: {text}"),
    }
    Ok(match host {
        Some(host) => Observed {
            endpoint: Some(host.to_owned()),
            ..without_host(200, flags, details)
        },
        None => without_host(response.status, flags, details),
    })
}
