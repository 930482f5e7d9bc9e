//! An HTTP client with one keep-alive connection and one request at a time.

use std::{
    io::{self, BufRead as _, BufReader, Read, Write as _},
    net::{SocketAddr, TcpStream},
    time::Duration,
};

use super::jar::PlainHeaders;

/// The timeout of one response; Envoy needs about a millisecond.
const PATIENCE: Duration = Duration::from_secs(10);
/// The maximum size of a head and of a body, in bytes.
const LARGEST: u64 = 1 << 20;

/// The client.
#[derive(Debug)]
pub struct PlainClient {
    to: SocketAddr,
    connection: Option<BufReader<TcpStream>>,
}

/// A response.
#[derive(Debug)]
pub struct PlainResponse {
    /// The HTTP status.
    pub status: u16,
    /// The headers, names in lowercase.
    pub headers: PlainHeaders,
    /// The body, at most 1 MiB.
    pub body: Vec<u8>,
}

impl PlainClient {
    /// A client. It connects with the first request, and again after the connection was closed.
    pub const fn new(to: SocketAddr) -> Self {
        Self {
            to,
            connection: None,
        }
    }

    /// Sends a request with these headers and without a body.
    pub fn ask(
        &mut self,
        method: &str,
        path: &str,
        host: &str,
        headers: &PlainHeaders,
    ) -> io::Result<PlainResponse> {
        let mut text = format!("{method} {path} HTTP/1.1\r\nhost: {host}\r\n");
        for (name, value) in headers {
            text.push_str(&format!("{name}: {value}\r\n"));
        }
        text.push_str("\r\n");
        self.exchange(text.as_bytes())
    }

    /// Sends a GET request for a path.
    pub fn get(&mut self, path: &str) -> io::Result<PlainResponse> {
        self.exchange(format!("GET {path} HTTP/1.1\r\nhost: localhost\r\n\r\n").as_bytes())
    }

    /// Sends a request and reads the response.
    fn exchange(&mut self, request: &[u8]) -> io::Result<PlainResponse> {
        let mut connection = match self.connection.take() {
            Some(connection) => connection,
            None => connect(self.to)?,
        };
        connection.get_mut().write_all(request)?;
        let response = read(&mut connection)?;
        let closes = |(name, value): &(String, String)| {
            name == "connection" && value.eq_ignore_ascii_case("close")
        };
        if !response.headers.iter().any(closes) {
            self.connection = Some(connection);
        }
        Ok(response)
    }
}

/// Opens a connection with timeouts.
fn connect(to: SocketAddr) -> io::Result<BufReader<TcpStream>> {
    let stream = TcpStream::connect_timeout(&to, PATIENCE)?;
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    Ok(BufReader::new(stream))
}

/// Reads one response.
fn read(connection: &mut BufReader<TcpStream>) -> io::Result<PlainResponse> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        let left = LARGEST.saturating_sub(head.len() as u64);
        let mut line = connection.by_ref().take(left);
        if line.read_until(b'\n', &mut head)? == 0 {
            return Err(broken("connection closed within a response"));
        }
    }
    let mut space = [httparse::EMPTY_HEADER; 128];
    let mut parsed = httparse::Response::new(&mut space);
    parsed.parse(&head).map_err(broken)?;
    let headers: PlainHeaders = parsed
        .headers
        .iter()
        .map(|header| {
            let value = String::from_utf8_lossy(header.value);
            (header.name.to_ascii_lowercase(), value.into_owned())
        })
        .collect();
    let of = |name: &str| {
        let found = headers.iter().find(|(have, _)| have == name);
        found.map(|(_, value)| value.as_str())
    };
    let mut body = Vec::new();
    if of("transfer-encoding").is_some() {
        while read_chunk(connection, &mut body)? {}
    } else {
        let length = of("content-length").map_or(Ok(0), str::parse);
        append(connection, length.map_err(broken)?, &mut body)?;
    }
    Ok(PlainResponse {
        status: parsed.code.unwrap_or_default(),
        headers,
        body,
    })
}

/// Appends the next chunk of a body; `false` at its end.
fn read_chunk(connection: &mut BufReader<TcpStream>, body: &mut Vec<u8>) -> io::Result<bool> {
    let mut size = Vec::new();
    connection.by_ref().take(32).read_until(b'\n', &mut size)?;
    match httparse::parse_chunk_size(&size) {
        Ok(httparse::Status::Complete((_, size))) => {
            append(connection, size, body)?;
            // The line break after each chunk, including the last one.
            connection.read_exact(&mut [0; 2])?;
            Ok(size > 0)
        }
        _ => Err(broken("chunk without a size")),
    }
}

/// Appends `length` bytes to a body.
fn append(connection: &mut impl Read, length: u64, body: &mut Vec<u8>) -> io::Result<()> {
    let read = connection.take(length.min(LARGEST)).read_to_end(body)?;
    if read as u64 == length {
        Ok(())
    } else {
        Err(broken("response is truncated or exceeds 1 MiB"))
    }
}

/// The error of an invalid response.
fn broken(why: impl ToString) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, why.to_string())
}

impl PlainResponse {
    /// The first value of a header; the name in lowercase.
    pub fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(have, _)| have == name);
        found.map(|(_, value)| value.as_str())
    }
}
