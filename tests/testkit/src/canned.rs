//! A server with canned responses, in place of Envoy's admin interface.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use anyhow::Result;

use crate::Requests;

/// The bytes of the response to a path; the connection closes after a response without an end.
type Answer = dyn Fn(&str) -> Vec<u8> + Send + Sync;

/// A server on a local address. It accepts connections until the process ends.
pub struct CannedServer {
    /// Where it listens: `http://ADDRESS` or `unix:PATH`.
    pub url: String,
    requests: Arc<Mutex<Vec<String>>>,
}

impl CannedServer {
    /// A server on a free port of 127.0.0.1.
    ///
    /// # Errors
    /// When it cannot listen.
    pub fn tcp(answer: impl Fn(&str) -> Vec<u8> + Send + Sync + 'static) -> Result<Self> {
        let listener = TcpListener::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, 0)))?;
        let url = format!("http://{}", listener.local_addr()?);
        let accept = move || listener.accept().map(|(stream, _)| stream);
        Ok(Self::serve(url, accept, Arc::new(answer), |stream| {
            stream.try_clone()
        }))
    }

    /// A server on a Unix socket.
    ///
    /// # Errors
    /// When it cannot listen.
    #[cfg(unix)]
    pub fn unix(
        path: &std::path::Path,
        answer: impl Fn(&str) -> Vec<u8> + Send + Sync + 'static,
    ) -> Result<Self> {
        let listener = std::os::unix::net::UnixListener::bind(path)?;
        let url = format!("unix:{}", path.display());
        let accept = move || listener.accept().map(|(stream, _)| stream);
        Ok(Self::serve(url, accept, Arc::new(answer), |stream| {
            stream.try_clone()
        }))
    }

    /// The received request lines without the version, such as `GET /clusters`.
    #[must_use]
    pub fn requests(&self) -> Vec<String> {
        let requests = self.requests.lock().unwrap_or_else(PoisonError::into_inner);
        requests.clone()
    }

    fn serve<S: Read + Write + Send + 'static>(
        url: String,
        accept: impl Fn() -> std::io::Result<S> + Send + 'static,
        answer: Arc<Answer>,
        clone: fn(&S) -> std::io::Result<S>,
    ) -> Self {
        let requests = Arc::<Mutex<Vec<String>>>::default();
        let seen = requests.clone();
        thread::spawn(move || {
            while let Ok(stream) = accept() {
                let (answer, seen) = (answer.clone(), seen.clone());
                thread::spawn(move || {
                    if let Ok(reader) = clone(&stream) {
                        converse(Requests::new(reader), stream, &*answer, &seen);
                    }
                });
            }
        });
        Self { url, requests }
    }
}

/// A complete response.
#[must_use]
pub fn canned_response(status: &str, headers: &str, body: &str) -> Vec<u8> {
    let length = body.len();
    format!("HTTP/1.1 {status}\r\ncontent-length: {length}\r\n{headers}\r\n{body}").into_bytes()
}

/// Answers the requests of a connection. A client that leaves ends it.
fn converse(
    mut requests: Requests<impl Read>,
    mut writer: impl Write,
    answer: &Answer,
    seen: &Mutex<Vec<String>>,
) {
    while let Some(head) = requests.next_head() {
        seen.lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(head.request().to_owned());
        let response = answer(head.target());
        let sent = writer.write_all(&response).and_then(|()| writer.flush());
        if sent.is_err() || !is_complete(&response) {
            return;
        }
    }
}

/// Whether a response has the length that it announces.
fn is_complete(response: &[u8]) -> bool {
    let text = String::from_utf8_lossy(response);
    let Some((head, body)) = text.split_once("\r\n\r\n") else {
        return false;
    };
    let length = head
        .lines()
        .find_map(|line| line.strip_prefix("content-length: "));
    length.and_then(|length| length.parse().ok()) == Some(body.len())
}
