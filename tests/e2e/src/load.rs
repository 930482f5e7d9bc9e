//! Load: kept connections, each with one active request, until it is stopped.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use crate::config::{KEY_HEADER, SERVED_HEADER};
use crate::{Client, HttpResponse};

/// The most failures that are described; all are counted.
const DESCRIBED: usize = 5;
/// The keys of a load repeat, so that a key's host can be looked at again.
const KEYS: u64 = 1_000;

/// A load that goes on until [`Load::stop`].
#[derive(Debug)]
pub struct Load {
    shared: Arc<Shared>,
    connections: Vec<JoinHandle<()>>,
}

#[derive(Debug, Default)]
struct Shared {
    over: AtomicBool,
    requests: AtomicU64,
    tally: Mutex<Tally>,
}

/// The results of requests.
#[derive(Debug, Default, Clone)]
pub struct Tally {
    /// How many were sent.
    pub requests: u64,
    /// How many of them got no answer, or a status other than 200.
    pub failed: u64,
    /// The first of those.
    pub failures: Vec<String>,
    /// Requests by the host that served and the key that was sent.
    pub served: BTreeMap<(String, u64), u64>,
}

impl Load {
    /// Sends requests with the keys `user-0` to `user-999` over that many connections.
    #[must_use]
    pub fn start(to: SocketAddr, connections: u64) -> Self {
        let shared = Arc::new(Shared::default());
        let connect = |number| {
            let shared = shared.clone();
            thread::spawn(move || run(to, &shared, number * KEYS / connections))
        };
        Self {
            connections: (0..connections).map(connect).collect(),
            shared,
        }
    }

    /// How many requests were answered so far, or failed.
    #[must_use]
    pub fn requests(&self) -> u64 {
        self.shared.requests.load(Ordering::Relaxed)
    }

    /// What came since the last call.
    #[must_use]
    pub fn take(&self) -> Tally {
        std::mem::take(&mut *self.shared.tally())
    }

    /// Lets every connection end its request; returns what came since [`Load::take`].
    #[must_use]
    pub fn stop(mut self) -> Tally {
        self.end();
        self.take()
    }

    fn end(&mut self) {
        self.shared.over.store(true, Ordering::Relaxed);
        for connection in self.connections.drain(..) {
            connection.join().ok();
        }
    }
}

impl Drop for Load {
    fn drop(&mut self) {
        self.end();
    }
}

impl Shared {
    fn tally(&self) -> std::sync::MutexGuard<'_, Tally> {
        self.tally.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Tally {
    /// Requests by the host that served.
    #[must_use]
    pub fn hosts(&self) -> BTreeMap<&str, u64> {
        let mut hosts = BTreeMap::new();
        for ((host, _), count) in &self.served {
            *hosts.entry(host.as_str()).or_default() += count;
        }
        hosts
    }

    fn add(&mut self, key: u64, answer: anyhow::Result<HttpResponse>) {
        self.requests += 1;
        let fault = match answer {
            Ok(response) => match response.header(SERVED_HEADER) {
                Some(host) if response.status == 200 => {
                    *self.served.entry((host.to_owned(), key)).or_default() += 1;
                    return;
                }
                _ => format!("{} {}", response.status, response.text()),
            },
            Err(error) => format!("{error:#}"),
        };
        self.failed += 1;
        if self.failures.len() < DESCRIBED {
            self.failures.push(format!("user-{key}: {fault}"));
        }
    }
}

fn run(to: SocketAddr, shared: &Shared, first: u64) {
    let mut client = Client::new(to);
    for number in first.. {
        if shared.over.load(Ordering::Relaxed) {
            return;
        }
        let key = number % KEYS;
        let answer = client.once("GET", "/", &[(KEY_HEADER, &format!("user-{key}"))]);
        shared.tally().add(key, answer);
        shared.requests.fetch_add(1, Ordering::Relaxed);
    }
}
