//! The server: its address, and its connections.

use std::{
    fmt,
    io::{self, Write as _},
    net::{SocketAddr, TcpListener, TcpStream},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::Duration,
};

use crate::{answer::Answer, files::PageFiles, live::LiveSource, request::RequestHead};

/// The time for a request, and for a part of its response.
const TIME: Duration = Duration::from_secs(10);

/// A running server of the playground. It serves until the program ends.
#[derive(Debug)]
pub struct PageServer {
    address: SocketAddr,
    is_gone: Arc<AtomicBool>,
}

/// What all connections share.
struct Shared {
    files: PageFiles,
    live: Option<Box<dyn LiveSource>>,
    port: u16,
    is_gone: Arc<AtomicBool>,
}

impl PageServer {
    /// Starts to serve at an address of this machine; port 0 is a free one. With `live`, the playground reads
    /// that Envoy.
    ///
    /// # Errors
    /// If the address is not one of this machine's loopback addresses, or is in use.
    pub fn start(
        address: SocketAddr,
        files: PageFiles,
        live: Option<Box<dyn LiveSource>>,
    ) -> io::Result<Self> {
        if !address.ip().is_loopback() {
            let what = "not an address of this machine alone";
            return Err(io::Error::new(io::ErrorKind::InvalidInput, what));
        }
        let listener = TcpListener::bind(address)?;
        let address = listener.local_addr()?;
        let is_gone = Arc::new(AtomicBool::new(false));
        let shared = Arc::new(Shared {
            files,
            live,
            port: address.port(),
            is_gone: Arc::clone(&is_gone),
        });
        thread::spawn(move || {
            for stream in listener.incoming().filter_map(Result::ok) {
                let shared = Arc::clone(&shared);
                // A client that leaves in the middle is no fault of the server.
                thread::spawn(move || shared.serve(&stream).ok());
            }
        });
        Ok(Self { address, is_gone })
    }

    /// The URL of the playground.
    #[must_use]
    pub fn origin(&self) -> String {
        format!("http://{}/", self.address)
    }

    /// Closes every connection from now on without a response, as if there was no network.
    pub fn go_away(&self) {
        self.is_gone.store(true, Ordering::Relaxed);
    }
}

impl Shared {
    fn serve(&self, mut stream: &TcpStream) -> io::Result<()> {
        if self.is_gone.load(Ordering::Relaxed) {
            return Ok(());
        }
        stream.set_read_timeout(Some(TIME))?;
        stream.set_write_timeout(Some(TIME))?;
        let Some(request) = RequestHead::read(stream)? else {
            return Ok(());
        };
        let answer = Answer::to(&request, self.port, &self.files, self.live.as_deref());
        stream.write_all(answer.head(self.live.is_some()).as_bytes())?;
        if request.method != "HEAD" {
            stream.write_all(answer.body())?;
        }
        Ok(())
    }
}

impl fmt::Debug for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shared")
            .field("files", &self.files)
            .finish_non_exhaustive()
    }
}
