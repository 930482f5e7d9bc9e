//! An HTTP server: its address, and its connections, each with one request.

use std::{
    fmt,
    io::{self, Write as _},
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener, TcpStream},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread::{self, JoinHandle},
    time::Duration,
};

use crate::{
    answer::Answer,
    connections::{Connections, OpenConnection},
    request::RequestHead,
};

/// The time for a request, and for a part of its response.
const TIME: Duration = Duration::from_secs(10);

/// What a server responds.
pub(crate) trait Respond: Send + Sync + 'static {
    /// The response to a request for a server at this address; `None` closes the connection without one.
    fn respond(&self, request: &RequestHead, address: SocketAddr) -> Option<Answer>;
}

/// A running server.
pub(crate) struct HttpListener {
    address: SocketAddr,
    connections: Arc<Connections>,
    is_stopped: Arc<AtomicBool>,
    accepting: JoinHandle<()>,
}

impl HttpListener {
    /// Starts to serve; port 0 is a free one.
    ///
    /// # Errors
    /// If the address is not one of this machine, or is in use, or if the system has no room for a thread.
    pub(crate) fn start(address: SocketAddr, respond: impl Respond) -> io::Result<Self> {
        let listener = TcpListener::bind(address)?;
        let address = listener.local_addr()?;
        let connections = Arc::new(Connections::default());
        let is_stopped = Arc::new(AtomicBool::new(false));
        let shared = (Arc::clone(&connections), Arc::clone(&is_stopped));
        let accept = move || {
            let (connections, is_stopped) = shared;
            let respond = Arc::new(respond);
            for stream in listener.incoming().filter_map(Result::ok) {
                if is_stopped.load(Ordering::Relaxed) {
                    break;
                }
                // Without room, the connection closes here.
                if let Some(open) = connections.open() {
                    serve_apart(stream, address, &respond, open);
                }
            }
        };
        let accepting = thread::Builder::new().spawn(accept)?;
        Ok(Self {
            address,
            connections,
            is_stopped,
            accepting,
        })
    }

    /// The address.
    pub(crate) const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Accepts no further connection, and waits for the responses to those that are open.
    pub(crate) fn stop(self) {
        self.is_stopped.store(true, Ordering::Relaxed);
        // A last connection wakes the thread that accepts them.
        if TcpStream::connect_timeout(&reachable(self.address), TIME).is_ok() {
            // Its result is that of a thread that ends.
            let _ = self.accepting.join();
        }
        self.connections.wait(TIME);
    }
}

impl fmt::Debug for HttpListener {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpListener")
            .field("address", &self.address)
            .finish_non_exhaustive()
    }
}

/// Serves a connection in a thread of its own.
fn serve_apart<R: Respond>(
    stream: TcpStream,
    address: SocketAddr,
    respond: &Arc<R>,
    open: OpenConnection,
) {
    let respond = Arc::clone(respond);
    let thread = thread::Builder::new().spawn(move || {
        // A client that leaves in the middle is no fault of the server.
        let _ = serve(&stream, address, &*respond);
        drop(open);
    });
    // Without a thread, the connection closes without a response.
    drop(thread);
}

fn serve(mut stream: &TcpStream, address: SocketAddr, respond: &impl Respond) -> io::Result<()> {
    stream.set_read_timeout(Some(TIME))?;
    stream.set_write_timeout(Some(TIME))?;
    let Some(request) = RequestHead::read(stream)? else {
        return Ok(());
    };
    let Some(answer) = respond.respond(&request, address) else {
        return Ok(());
    };
    stream.write_all(answer.head().as_bytes())?;
    if request.method != "HEAD" {
        stream.write_all(answer.body())?;
    }
    Ok(())
}

/// An address for connections from this machine: a server at all addresses is at that of the machine itself.
fn reachable(address: SocketAddr) -> SocketAddr {
    let ip = match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    SocketAddr::new(ip, address.port())
}
