//! Hosts of our own, in this process, that can be killed and brought back.
//!
//! Each answers every request with its own address, and refuses one that carries what was meant
//! for Envoy alone, unless it is given something else to answer.

use std::io::Write as _;
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};

use anyhow::{Context as _, Result};
use spillgate_testkit::Requests;

use crate::config::{NOT_FOR_HOSTS, SAW_TOO_MUCH, SERVED_HEADER};

/// One host. It serves from the beginning, until it is killed or this value ends.
#[derive(Debug)]
pub struct Upstream {
    address: SocketAddr,
    answers: Arc<dyn Responder>,
    shared: Arc<Shared>,
    acceptor: Option<JoinHandle<()>>,
}

/// What a server answers.
pub trait Responder: std::fmt::Debug + Send + Sync {
    /// The bytes of the answer to a request for that path.
    fn answer(&self, path: &str, saw_too_much: bool) -> Vec<u8>;

    /// Whether the connection ends after the present answer.
    fn closes(&self) -> bool {
        false
    }
}

/// A host that names itself.
#[derive(Debug)]
struct Host(SocketAddr);

impl Responder for Host {
    fn answer(&self, _path: &str, saw_too_much: bool) -> Vec<u8> {
        let status = if saw_too_much { SAW_TOO_MUCH } else { 200 };
        let address = self.0;
        format!("HTTP/1.1 {status} x\r\n{SERVED_HEADER}: {address}\r\ncontent-length: 2\r\n\r\nok")
            .into_bytes()
    }
}

#[derive(Debug, Default)]
struct Shared {
    stopped: AtomicBool,
    requests: AtomicU64,
    connections: Mutex<Vec<TcpStream>>,
}

impl Shared {
    fn connections(&self) -> MutexGuard<'_, Vec<TcpStream>> {
        self.connections
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

impl Upstream {
    /// A host at that `ip:port`.
    ///
    /// # Errors
    /// When the address is invalid or in use.
    pub fn open(address: &str) -> Result<Self> {
        let address: SocketAddr = address
            .parse()
            .with_context(|| format!("not an address: {address}"))?;
        Self::answering(address, Arc::new(Host(address)))
    }

    /// A server at that address with answers of its own.
    ///
    /// # Errors
    /// When the address is taken.
    pub fn answering(address: SocketAddr, answers: Arc<dyn Responder>) -> Result<Self> {
        let mut upstream = Self {
            address,
            answers,
            shared: Arc::default(),
            acceptor: None,
        };
        upstream.revive()?;
        Ok(upstream)
    }

    /// Its `ip:port`.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Requests since it was opened or brought back, those of health checks among them.
    #[must_use]
    pub fn requests(&self) -> u64 {
        self.shared.requests.load(Ordering::Relaxed)
    }

    /// Ends it as the end of a process does: it stops listening and closes all connections. Returns their
    /// number: each may have had one active request.
    pub fn kill(&mut self) -> usize {
        let Some(acceptor) = self.acceptor.take() else {
            return 0;
        };
        self.shared.stopped.store(true, Ordering::SeqCst);
        // The acceptor waits for a connection. If this one is refused, it has ended.
        TcpStream::connect(self.address).ok();
        acceptor.join().ok();
        let cut = std::mem::take(&mut *self.shared.connections());
        for connection in &cut {
            connection.shutdown(Shutdown::Both).ok();
        }
        cut.len()
    }

    /// Lets it serve again.
    ///
    /// # Errors
    /// When its address is in use.
    pub fn revive(&mut self) -> Result<()> {
        if self.acceptor.is_some() {
            return Ok(());
        }
        let listener = TcpListener::bind(self.address)
            .with_context(|| format!("cannot listen on {}", self.address))?;
        self.shared = Arc::default();
        let (shared, answers) = (self.shared.clone(), self.answers.clone());
        self.acceptor = Some(thread::spawn(move || accept(&listener, &shared, &answers)));
        Ok(())
    }
}

impl Drop for Upstream {
    fn drop(&mut self) {
        self.kill();
    }
}

fn accept(listener: &TcpListener, shared: &Arc<Shared>, answers: &Arc<dyn Responder>) {
    for connection in listener.incoming() {
        if shared.stopped.load(Ordering::SeqCst) {
            return;
        }
        let Ok(connection) = connection else { continue };
        let Ok(handle) = connection.try_clone() else {
            continue;
        };
        connection.set_nodelay(true).ok();
        shared.connections().push(handle);
        let (shared, answers) = (shared.clone(), answers.clone());
        thread::spawn(move || {
            // The end of a connection is not an error.
            let end = connection.peer_addr();
            serve(connection, &shared, &*answers).ok();
            if let Ok(end) = end {
                let other = |open: &TcpStream| open.peer_addr().ok() != Some(end);
                shared.connections().retain(other);
            }
        });
    }
}

/// Answers one request after the other.
fn serve(connection: TcpStream, shared: &Shared, answers: &dyn Responder) -> std::io::Result<()> {
    let mut requests = Requests::new(connection.try_clone()?);
    let mut writer = connection;
    while let Some(head) = requests.next_head() {
        let saw_too_much = NOT_FOR_HOSTS.iter().any(|name| head.has(name));
        shared.requests.fetch_add(1, Ordering::Relaxed);
        writer.write_all(&answers.answer(head.target(), saw_too_much))?;
        if answers.closes() {
            return writer.shutdown(Shutdown::Both);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Client, Port};
    use anyhow::ensure;

    #[test]
    fn a_killed_host_refuses_until_it_is_brought_back() -> Result<()> {
        let port = Port::lease()?;
        let address = format!("127.0.0.1:{}", port.number());
        let mut host = Upstream::open(&address)?;
        let mut client = Client::new(port.local());
        let answer = client.get("/", &[])?;
        ensure!(answer.header(SERVED_HEADER) == Some(address.as_str()));
        ensure!(client.get("/", &[("X-Spillgate-Host", "a")])?.status == SAW_TOO_MUCH);
        ensure!(host.kill() == 1);
        ensure!(client.get("/", &[]).is_err());
        host.revive()?;
        ensure!(client.get("/", &[])?.status == 200);
        Ok(())
    }
}
