//! One Envoy process with many scenarios, and its answers to their requests.
//!
//! Nothing listens at the hosts' addresses: Envoy chooses a host, its connection is refused at
//! once, and Envoy's own answer in its place names the host. So hosts cost
//! nothing, and their health, which comes from the configuration, does not change.

use std::io::{BufReader, Write as _};
use std::net::{SocketAddr, TcpStream};

use anyhow::{Context as _, Result, bail, ensure};

use super::scenario::{DifferentialScenario, OBSERVED, domain, named, together};
use crate::{Envoy, HttpResponse, Port, Workdir};
use spillgate_testkit::{connect, read};

/// Connections on which scenarios take turns. Each scenario's requests go one after another on
/// one of them, so that no host has an active request when the next one is chosen.
const CONNECTIONS: usize = 24;

/// What became of one request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Observed {
    /// The host that was chosen.
    pub endpoint: Option<String>,
    /// The status; 200 where a host was chosen, whatever became of its connection.
    pub status: u16,
    /// Envoy's response flags.
    pub flags: String,
    /// Envoy's response code details.
    pub details: String,
}

/// By row, then by repetition.
pub type Observations = Vec<Vec<Observed>>;

/// An Envoy that serves scenarios.
#[derive(Debug)]
pub struct Batch<'s> {
    scenarios: Vec<&'s DifferentialScenario>,
    _envoy: Envoy,
    port: Port,
}

impl<'s> Batch<'s> {
    /// Starts Envoy with these scenarios, which must have the same surroundings.
    ///
    /// # Errors
    /// When Envoy refuses one of them or does not start.
    pub fn start(workdir: &Workdir, scenarios: Vec<&'s DifferentialScenario>) -> Result<Self> {
        let port = Port::lease()?;
        let envoy = Envoy::start_with(workdir, |node, admin| {
            Ok(together(&scenarios, node, admin, port.number()).to_string())
        })?;
        Ok(Self {
            scenarios,
            _envoy: envoy,
            port,
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
        for _ in 0..CONNECTIONS.min(self.scenarios.len()) {
            lanes.push(Lane::open(self.port.local())?);
        }
        while !lanes.is_empty() {
            for lane in &mut lanes {
                lane.send(&mut waiting)?;
            }
            lanes.retain(|lane| lane.asked.is_some());
            for lane in &mut lanes {
                let (slot, row, observed) = lane.receive()?;
                observations[slot][row].push(observed);
            }
        }
        Ok(observations)
    }
}

/// A connection and the scenario that it is at.
struct Lane<'s> {
    stream: BufReader<TcpStream>,
    at: Option<(usize, &'s DifferentialScenario)>,
    row: usize,
    sent: usize,
    text: Vec<u8>,
    /// The slot and row of the active request.
    asked: Option<(usize, usize)>,
}

impl<'s> Lane<'s> {
    fn open(to: SocketAddr) -> Result<Self> {
        Ok(Self {
            stream: BufReader::new(connect(to)?),
            at: None,
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
            if self.sent == 0 {
                self.text.clear();
                write!(
                    self.text,
                    "GET {} HTTP/1.1\r\nhost: {}\r\n",
                    asked.path,
                    domain(slot)
                )?;
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

    fn receive(&mut self) -> Result<(usize, usize, Observed)> {
        let (slot, row) = self.asked.context("no request is outstanding")?;
        let asked = || String::from_utf8_lossy(&self.text).replace("\r\n", ", ");
        let response = read(&mut self.stream).with_context(asked)?;
        ensure!(
            response.header("connection") != Some("close"),
            "Envoy closed the connection after {}: {response:?}",
            asked()
        );
        let observed = observed(&response).with_context(asked)?;
        Ok((slot, row, observed))
    }
}

fn observed(response: &HttpResponse) -> Result<Observed> {
    let Some(text) = response.header(OBSERVED) else {
        // Without a route there is nothing that would add the header.
        ensure!(
            response.status == 404,
            "the answer names no host: {response:?}"
        );
        return Ok(Observed {
            endpoint: None,
            status: 404,
            flags: "NR".into(),
            details: "route_not_found".into(),
        });
    };
    let mut parts = text.splitn(3, '|');
    let mut part = || parts.next().unwrap_or_default();
    let (host, flags, details) = (part(), part(), part());
    let host = Some(host).filter(|host| !host.is_empty() && *host != "-");
    match (host, flags) {
        (Some(_), "UF") | (None, "UH" | "NR" | "NC" | "DO" | "" | "-") => {}
        _ => bail!("neither a host nor a known reason: {text}"),
    }
    Ok(Observed {
        endpoint: host.map(str::to_owned),
        status: if host.is_some() { 200 } else { response.status },
        flags: flags.into(),
        details: details.into(),
    })
}
