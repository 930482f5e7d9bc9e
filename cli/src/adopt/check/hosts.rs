//! Test hosts in this process: HTTP/1.1 servers that can be ended and brought back.

use std::{
    collections::BTreeSet,
    io::{self, BufRead as _, BufReader, Read as _, Write as _},
    net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread::{self, JoinHandle},
    time::Duration,
};

/// The request header with the number of the kind of request.
pub(super) const KIND_HEADER: &str = "x-check-kind";
/// The response header with the number of the host.
pub(super) const HOST_HEADER: &str = "x-check-host";
/// Headers with this prefix are for Envoy only.
const INTERNAL: &str = "x-spillgate-";
/// The most hosts: each has a thread.
const MOST_HOSTS: usize = 500;
/// The longest head of a request, in bytes.
const LONGEST_HEAD: u64 = 1 << 18;

/// What all hosts have seen.
#[derive(Debug, Default, Clone)]
pub(super) struct SeenByHosts {
    /// Host and kind of request.
    pub(super) pairs: BTreeSet<(usize, usize)>,
    /// The first internal header that reached a host.
    pub(super) internal: Option<String>,
}

/// The hosts. They end with this value.
#[derive(Debug)]
pub(super) struct TestHosts {
    hosts: Vec<TestHost>,
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct TestHost {
    address: SocketAddr,
    running: Option<Running>,
}

#[derive(Debug)]
struct Running {
    ends: Arc<AtomicBool>,
    open: Arc<Mutex<Vec<TcpStream>>>,
    acceptor: JoinHandle<()>,
}

#[derive(Debug, Default)]
struct Shared {
    seen: Mutex<SeenByHosts>,
    /// The session header that the hosts create, as MCP servers do.
    session_header: Option<String>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl TestHosts {
    /// No hosts yet. They create this session header.
    pub(super) fn new(session_header: Option<String>) -> Self {
        Self {
            hosts: Vec::new(),
            shared: Arc::new(Shared {
                session_header,
                ..Shared::default()
            }),
        }
    }

    /// Adds a host on a free port of 127.0.0.1, and returns its number and port.
    pub(super) fn add(&mut self) -> Result<(usize, u16), String> {
        let number = self.hosts.len();
        if number == MOST_HOSTS {
            return Err(format!("more than {MOST_HOSTS} hosts"));
        }
        let listen = || -> io::Result<(SocketAddr, Running)> {
            let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
            Ok((listener.local_addr()?, run(listener, number, &self.shared)?))
        };
        let (address, running) = listen().map_err(|error| format!("test host: {error}"))?;
        self.hosts.push(TestHost {
            address,
            running: Some(running),
        });
        Ok((number, address.port()))
    }

    /// How many hosts there are.
    pub(super) fn len(&self) -> usize {
        self.hosts.len()
    }

    /// The address of a host.
    pub(super) fn address(&self, number: usize) -> String {
        let host = self.hosts.get(number);
        host.map_or_else(String::new, |host| host.address.to_string())
    }

    /// What the hosts have seen since the last call.
    pub(super) fn take_seen(&self) -> SeenByHosts {
        std::mem::take(&mut *lock(&self.shared.seen))
    }

    /// Ends a host as the end of a process does: its port refuses connections.
    pub(super) fn end(&mut self, number: usize) {
        if let Some(host) = self.hosts.get_mut(number) {
            host.end();
        }
    }

    /// Brings a host back at its address.
    pub(super) fn revive(&mut self, number: usize) -> Result<(), String> {
        let Some(host) = self.hosts.get_mut(number) else {
            return Ok(());
        };
        let listen = || run(TcpListener::bind(host.address)?, number, &self.shared);
        let running = listen().map_err(|error| format!("test host {}: {error}", host.address))?;
        host.running = Some(running);
        Ok(())
    }
}

impl TestHost {
    fn end(&mut self) {
        let Some(running) = self.running.take() else {
            return;
        };
        running.ends.store(true, Ordering::SeqCst);
        // The acceptor waits for a connection. If this one is refused, it has ended.
        drop(TcpStream::connect(self.address));
        drop(running.acceptor.join());
        for connection in lock(&running.open).drain(..) {
            // The client may have closed it.
            drop(connection.shutdown(Shutdown::Both));
        }
    }
}

impl Drop for TestHost {
    fn drop(&mut self) {
        self.end();
    }
}

fn run(listener: TcpListener, number: usize, shared: &Arc<Shared>) -> io::Result<Running> {
    let (ends, open) = (
        Arc::<AtomicBool>::default(),
        Arc::<Mutex<Vec<_>>>::default(),
    );
    let (ended, connections, shared) = (ends.clone(), open.clone(), shared.clone());
    let accept = move || {
        for connection in listener.incoming() {
            if ended.load(Ordering::SeqCst) {
                return;
            }
            let Ok(connection) = connection else {
                // Such as too many open files: others may be closed soon.
                thread::sleep(Duration::from_millis(10));
                continue;
            };
            let Ok(handle) = connection.try_clone() else {
                continue;
            };
            lock(&connections).push(handle);
            let shared = shared.clone();
            // The end of a connection is not an error.
            thread::spawn(move || drop(serve(connection, number, &shared)));
        }
    };
    let acceptor = thread::Builder::new().spawn(accept)?;
    Ok(Running {
        ends,
        open,
        acceptor,
    })
}

/// Answers one request after the other. Requests have no bodies.
fn serve(connection: TcpStream, number: usize, shared: &Shared) -> io::Result<()> {
    connection.set_nodelay(true)?;
    let mut reader = BufReader::new(connection.try_clone()?);
    let mut writer = connection;
    loop {
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            let left = LONGEST_HEAD.saturating_sub(head.len() as u64);
            if (&mut reader).take(left).read_until(b'\n', &mut head)? == 0 {
                return Ok(());
            }
        }
        let text = String::from_utf8_lossy(&head);
        let headers = || {
            let lines = text.lines().skip(1);
            lines.filter_map(|line| line.split_once(':'))
        };
        let of = |wanted: &str| headers().find(|(name, _)| name.eq_ignore_ascii_case(wanted));
        let is_internal = |name: &str| name.to_ascii_lowercase().starts_with(INTERNAL);
        {
            let mut seen = lock(&shared.seen);
            let kind = of(KIND_HEADER).and_then(|(_, kind)| kind.trim().parse().ok());
            seen.pairs.extend(kind.map(|kind| (number, kind)));
            if let (None, Some((name, _))) = (
                &seen.internal,
                headers().find(|(name, _)| is_internal(name)),
            ) {
                seen.internal = Some(name.to_owned());
            }
        }
        let mut answer = format!("HTTP/1.1 200 OK\r\n{HOST_HEADER}: {number}\r\n");
        if let Some(name) = shared
            .session_header
            .as_ref()
            .filter(|name| of(name).is_none())
        {
            answer.push_str(&format!("{name}: session-of-{number}\r\n"));
        }
        answer.push_str("content-length: 0\r\n\r\n");
        writer.write_all(answer.as_bytes())?;
    }
}
