//! Clients with sessions while hosts fail: which moves and failures have an explanation.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use anyhow::{Result, anyhow};

use super::Visitor;
use crate::Client;

/// The most findings that are described; all are counted.
const DESCRIBED: usize = 5;

/// When each host failed last, and when it was known to serve again.
#[derive(Debug, Default)]
pub struct Failures(Mutex<BTreeMap<String, (Instant, Option<Instant>)>>);

impl Failures {
    fn all(&self) -> MutexGuard<'_, BTreeMap<String, (Instant, Option<Instant>)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A host fails from now on.
    pub fn fail(&self, host: &str) {
        self.all().insert(host.to_owned(), (Instant::now(), None));
    }

    /// Every gateway knows from now on that a host serves again.
    pub fn restored(&self, host: &str) {
        if let Some((_, end)) = self.all().get_mut(host) {
            *end = Some(Instant::now());
        }
    }

    /// Whether a host failed, or was thought to, at some time since then.
    fn explains(&self, host: &str, since: Instant) -> bool {
        let all = self.all();
        all.get(host)
            .is_some_and(|(_, end)| end.is_none_or(|end| end >= since))
    }
}

/// The observations of all clients.
#[derive(Debug, Default, Clone)]
pub struct CrowdReport {
    /// Requests.
    pub requests: u64,
    /// Sessions that left a failed host.
    pub moved: u64,
    /// Sessions that left a host without a reason.
    pub lost: u64,
    /// Requests without a 200 from a host.
    pub failed: u64,
    /// The first of the last two.
    pub findings: Vec<String>,
}

/// Clients that visit until they are stopped.
#[derive(Debug)]
pub struct Crowd {
    over: Arc<AtomicBool>,
    observed: Arc<Mutex<CrowdReport>>,
    threads: Vec<JoinHandle<()>>,
}

impl Crowd {
    /// Lets the clients of each share visit in turn, over one connection a share, with a pause
    /// between two requests.
    #[must_use]
    pub fn start(
        to: SocketAddr,
        shares: Vec<Vec<(Visitor, String)>>,
        pause: Duration,
        failures: &Arc<Failures>,
    ) -> Self {
        let (over, observed) = (Arc::new(AtomicBool::new(false)), Arc::default());
        let threads = shares.into_iter().map(|mut share| {
            let (over, failures) = (Arc::clone(&over), Arc::clone(failures));
            let observed = Arc::clone(&observed);
            thread::spawn(move || {
                let mut client = Client::new(to);
                let mut seen = vec![Instant::now(); share.len()];
                while !over.load(Ordering::SeqCst) {
                    for ((visitor, host), seen) in share.iter_mut().zip(&mut seen) {
                        if over.load(Ordering::SeqCst) {
                            return;
                        }
                        let began = Instant::now();
                        let answer = visitor.visit(&mut client);
                        note(&observed, &failures, (host, *seen), answer);
                        *seen = began;
                        thread::sleep(pause);
                    }
                }
            })
        });
        Self {
            threads: threads.collect(),
            over,
            observed,
        }
    }

    /// Ends the visits: the observations of all clients.
    ///
    /// # Errors
    /// When a client panicked.
    pub fn stop(mut self) -> Result<CrowdReport> {
        self.over.store(true, Ordering::SeqCst);
        for thread in self.threads.drain(..) {
            thread.join().map_err(|_| anyhow!("a client panicked"))?;
        }
        Ok(lock(&self.observed).clone())
    }
}

impl Drop for Crowd {
    fn drop(&mut self) {
        self.over.store(true, Ordering::SeqCst);
    }
}

fn lock(observed: &Mutex<CrowdReport>) -> MutexGuard<'_, CrowdReport> {
    observed.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Counts an answer to a client whose session was at that host when it was last seen.
fn note(
    observed: &Mutex<CrowdReport>,
    failures: &Failures,
    (host, seen): (&mut String, Instant),
    answer: Result<String>,
) {
    let mut observed = lock(observed);
    observed.requests += 1;
    let finding = match answer {
        Ok(now) if now == *host => None,
        Ok(now) => {
            let from = std::mem::replace(host, now);
            if failures.explains(&from, seen) {
                observed.moved += 1;
                None
            } else {
                observed.lost += 1;
                Some(format!("moved from {from} to {host} without a reason"))
            }
        }
        Err(error) => {
            observed.failed += 1;
            Some(format!("session at {host}: {error:#}"))
        }
    };
    if let Some(finding) = finding.filter(|_| observed.findings.len() < DESCRIBED) {
        observed.findings.push(finding);
    }
}
