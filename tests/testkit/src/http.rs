//! An HTTP/1.1 client: blocking, one active request on a kept connection.
//!
//! Envoy delays pipelined requests behind its own answers, so there is no pipelining. Headers are
//! sent as given, in order and in their case, so that a test can send what a client should not.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use anyhow::{Context as _, Result, bail, ensure};

/// The longest wait for a connection and for each read.
const PATIENCE: Duration = Duration::from_secs(10);

/// A client of one address.
#[derive(Debug)]
pub struct Client {
    to: SocketAddr,
    open: Option<BufReader<TcpStream>>,
}

/// A response.
#[derive(Debug, Clone)]
pub struct HttpResponse {
    /// The status code.
    pub status: u16,
    /// Names in lower case, in the order received.
    pub headers: Vec<(String, String)>,
    /// The body, unchunked.
    pub body: Vec<u8>,
}

impl HttpResponse {
    /// The first header of this lower-case name.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(key, _)| key == name);
        found.map(|(_, value)| value.as_str())
    }

    /// The body as text.
    #[must_use]
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }
}

impl Client {
    /// Connects with the first request.
    #[must_use]
    pub const fn new(to: SocketAddr) -> Self {
        Self { to, open: None }
    }

    /// GET with headers.
    ///
    /// # Errors
    /// When the connection fails or the response is incomplete.
    pub fn get(&mut self, path: &str, headers: &[(&str, &str)]) -> Result<HttpResponse> {
        self.send("GET", path, headers, b"")
    }

    /// Any request.
    ///
    /// # Errors
    /// When the connection fails or the response is incomplete.
    pub fn send(
        &mut self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &[u8],
    ) -> Result<HttpResponse> {
        let bytes = request(self.to, method, path, headers, body);
        let reused = self.open.is_some();
        let mut answer = self.exchange(&bytes);
        if reused && answer.is_err() {
            // The server may close a connection that is idle: nothing was answered on it.
            answer = self.exchange(&bytes);
        }
        answer.with_context(|| format!("{method} http://{}{path}", self.to))
    }

    /// Like [`Client::send`] without a body, but never a second time, so that a lost request is noticed.
    ///
    /// # Errors
    /// When the connection fails or the response is incomplete.
    pub fn once(
        &mut self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
    ) -> Result<HttpResponse> {
        self.raw(&request(self.to, method, path, headers, b""))
            .with_context(|| format!("{method} http://{}{path}", self.to))
    }

    /// Sends the very bytes of a request, once.
    ///
    /// # Errors
    /// When the connection fails or the response is incomplete.
    pub fn raw(&mut self, bytes: &[u8]) -> Result<HttpResponse> {
        self.exchange(bytes)
    }

    fn exchange(&mut self, bytes: &[u8]) -> Result<HttpResponse> {
        let mut stream = match self.open.take() {
            Some(stream) => stream,
            None => BufReader::new(connect(self.to)?),
        };
        stream.get_mut().write_all(bytes)?;
        let response = read(&mut stream)?;
        if response.header("connection") != Some("close") {
            self.open = Some(stream);
        }
        Ok(response)
    }
}

/// The bytes of a request.
fn request(
    to: SocketAddr,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
    body: &[u8],
) -> Vec<u8> {
    let mut text = format!("{method} {path} HTTP/1.1\r\nhost: {to}\r\n");
    for (name, value) in headers {
        text.push_str(&format!("{name}: {value}\r\n"));
    }
    if !body.is_empty() {
        text.push_str(&format!("content-length: {}\r\n", body.len()));
    }
    text.push_str("\r\n");
    let mut bytes = text.into_bytes();
    bytes.extend_from_slice(body);
    bytes
}

/// A connection with timeouts and without Nagle delays.
///
/// # Errors
/// When it cannot be opened in time.
pub fn connect(to: SocketAddr) -> Result<TcpStream> {
    let stream = TcpStream::connect_timeout(&to, PATIENCE)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    stream.set_nodelay(true)?;
    Ok(stream)
}

/// Reads one whole response.
///
/// # Errors
/// When it is incomplete or not HTTP/1.1.
pub fn read(stream: &mut BufReader<TcpStream>) -> Result<HttpResponse> {
    let first = line(stream)?;
    let status = first
        .split(' ')
        .nth(1)
        .and_then(|code| code.parse().ok())
        .with_context(|| format!("not a status line: `{first}`"))?;
    let mut headers = Vec::new();
    loop {
        let line = line(stream)?;
        if line.is_empty() {
            break;
        }
        let (name, value) = line
            .split_once(':')
            .with_context(|| format!("not a header: `{line}`"))?;
        headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
    }
    let mut response = HttpResponse {
        status,
        headers,
        body: Vec::new(),
    };
    response.body = match response.header("transfer-encoding") {
        Some("chunked") => chunks(stream)?,
        Some(other) => bail!("transfer-encoding {other} is not supported"),
        None => {
            let length = response.header("content-length").unwrap_or("0").parse()?;
            exactly(stream, length)?
        }
    };
    Ok(response)
}

fn line(stream: &mut BufReader<TcpStream>) -> Result<String> {
    let mut line = Vec::new();
    stream.read_until(b'\n', &mut line)?;
    ensure!(line.ends_with(b"\r\n"), "incomplete response");
    line.truncate(line.len() - 2);
    Ok(String::from_utf8_lossy(&line).into_owned())
}

fn exactly(stream: &mut BufReader<TcpStream>, length: usize) -> Result<Vec<u8>> {
    let mut bytes = vec![0; length];
    stream.read_exact(&mut bytes)?;
    Ok(bytes)
}

fn chunks(stream: &mut BufReader<TcpStream>) -> Result<Vec<u8>> {
    let mut body = Vec::new();
    loop {
        let size = line(stream)?;
        let size = usize::from_str_radix(size.split(';').next().unwrap_or("").trim(), 16)?;
        if size > 0 {
            body.extend(exactly(stream, size)?);
        }
        // After the last chunk come trailers, which no server here sends, and an empty line.
        ensure!(line(stream)?.is_empty(), "incomplete chunk");
        if size == 0 {
            return Ok(body);
        }
    }
}
