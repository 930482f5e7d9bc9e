//! Clients with sessions that send requests all the time, and among them new ones.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use anyhow::{Result, anyhow};

use super::Visitor;
use crate::{Client, eventually};

/// The most failures that are described; all are counted.
const DESCRIBED: usize = 5;
/// The number of requests with a session before one without.
const A_NEW_ONE_AFTER: usize = 4;
/// Far more than a round of all clients takes.
const LIMIT: Duration = Duration::from_secs(60);

/// A load that goes on until [`Rush::stop`].
#[derive(Debug)]
pub struct Rush {
    shared: Arc<Shared>,
    connections: Vec<JoinHandle<Vec<Visitor>>>,
}

#[derive(Debug)]
struct Shared {
    over: AtomicBool,
    /// The number of rounds of each connection over its clients.
    rounds: Vec<AtomicU64>,
    visits: Mutex<Visits>,
}

/// The results of the requests.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Visits {
    /// How many were sent.
    pub requests: u64,
    /// How many of them got no answer, or not status 200 from a host.
    pub failed: u64,
    /// The first of those.
    pub failures: Vec<String>,
    /// Requests of clients with a session by the host that served.
    pub served: BTreeMap<String, u64>,
    /// Requests of new clients, likewise.
    pub begun: BTreeMap<String, u64>,
    /// Sessions that were served by another host than before: from where to where, and how many.
    pub moves: BTreeMap<(String, String), u64>,
}

impl Rush {
    /// Sends requests of clients with sessions, and their hosts, over that many connections.
    #[must_use]
    pub fn start(
        to: SocketAddr,
        (visitors, hosts): (Vec<Visitor>, Vec<String>),
        connections: usize,
    ) -> Self {
        let mut shares: Vec<Vec<(Visitor, String)>> = vec![Vec::new(); connections];
        for (number, one) in visitors.into_iter().zip(hosts).enumerate() {
            shares[number % connections].push(one);
        }
        let shared = Arc::new(Shared {
            over: AtomicBool::new(false),
            rounds: shares.iter().map(|_| AtomicU64::new(0)).collect(),
            visits: Mutex::default(),
        });
        let run = |(number, share): (usize, Vec<_>)| {
            let shared = Arc::clone(&shared);
            thread::spawn(move || run(to, &shared, number, share))
        };
        let connections = shares.into_iter().enumerate().map(run).collect();
        Self {
            shared,
            connections,
        }
    }

    /// Waits until every client has sent a request that began after now.
    ///
    /// # Errors
    /// When that takes too long.
    pub fn a_round(&self) -> Result<()> {
        let rounds = || self.shared.rounds.iter();
        let until: Vec<u64> = rounds()
            .map(|round| round.load(Ordering::SeqCst) + 2)
            .collect();
        eventually("a round of all clients", LIMIT, || {
            let mut both = rounds().zip(&until);
            let all = both.all(|(round, until)| round.load(Ordering::SeqCst) >= *until);
            Ok(all.then_some(()))
        })
    }

    /// The results since the last call.
    #[must_use]
    pub fn take(&self) -> Visits {
        std::mem::take(&mut *self.shared.visits())
    }

    /// Lets every connection end its request: the clients with their cookies, and the
    /// results since [`Rush::take`].
    ///
    /// # Errors
    /// When a connection panicked.
    pub fn stop(mut self) -> Result<(Vec<Visitor>, Visits)> {
        let mut visitors = Vec::new();
        for share in self.end() {
            visitors.extend(share.map_err(|_| anyhow!("a connection panicked"))?);
        }
        Ok((visitors, self.take()))
    }

    fn end(&mut self) -> Vec<thread::Result<Vec<Visitor>>> {
        self.shared.over.store(true, Ordering::SeqCst);
        self.connections.drain(..).map(JoinHandle::join).collect()
    }
}

impl Drop for Rush {
    fn drop(&mut self) {
        self.end();
    }
}

impl Shared {
    fn visits(&self) -> MutexGuard<'_, Visits> {
        self.visits.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Visits {
    /// Adds later results.
    pub fn absorb(&mut self, later: Self) {
        self.requests += later.requests;
        self.failed += later.failed;
        self.failures.extend(later.failures);
        for (host, count) in later.served {
            *self.served.entry(host).or_default() += count;
        }
        for (host, count) in later.begun {
            *self.begun.entry(host).or_default() += count;
        }
        for (way, count) in later.moves {
            *self.moves.entry(way).or_default() += count;
        }
    }

    fn add(&mut self, was: Option<&mut String>, answer: Result<String>) {
        self.requests += 1;
        let host = match answer {
            Ok(host) => host,
            Err(error) => {
                self.failed += 1;
                if self.failures.len() < DESCRIBED {
                    self.failures.push(format!("{error:#}"));
                }
                return;
            }
        };
        let Some(was) = was else {
            *self.begun.entry(host).or_default() += 1;
            return;
        };
        *self.served.entry(host.clone()).or_default() += 1;
        if *was != host {
            let from = std::mem::replace(was, host.clone());
            *self.moves.entry((from, host)).or_default() += 1;
        }
    }
}

fn run(
    to: SocketAddr,
    shared: &Shared,
    number: usize,
    mut share: Vec<(Visitor, String)>,
) -> Vec<Visitor> {
    let mut client = Client::new(to);
    let mut sent = 0;
    while !shared.over.load(Ordering::SeqCst) {
        for (visitor, host) in &mut share {
            if shared.over.load(Ordering::SeqCst) {
                break;
            }
            let answer = visitor.visit(&mut client);
            shared.visits().add(Some(host), answer);
            sent += 1;
            if sent % A_NEW_ONE_AFTER == 0 {
                let answer = Visitor::default().visit(&mut client);
                shared.visits().add(None, answer);
            }
        }
        shared.rounds[number].fetch_add(1, Ordering::SeqCst);
    }
    share.into_iter().map(|(visitor, _)| visitor).collect()
}
