//! A small HTTP/1.1 client for checks: one request a connection, with deadlines.
//!
//! It has no TLS, no redirects and no connection reuse: the checks want to see exactly one answer
//! of exactly one request.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use anyhow::{Context as _, Result, bail};

/// The longest wait for a connection and for each read.
const PATIENCE: Duration = Duration::from_secs(10);

/// What came back.
pub struct Response {
    pub status: u16,
    /// Names in lower case, in the order received.
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Response {
    /// The first header of this (lower case) name.
    pub fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(key, _)| key == name);
        found.map(|(_, value)| value.as_str())
    }

    /// The body as text.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }
}

/// GET without headers of our own.
pub fn get(to: SocketAddr, path: &str) -> Result<Response> {
    request(to, "GET", path, &[])
}

/// Sends one request and reads the whole answer.
pub fn request(
    to: SocketAddr,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
) -> Result<Response> {
    let mut text = format!("{method} {path} HTTP/1.1\r\nhost: {to}\r\nconnection: close\r\n");
    for (name, value) in headers {
        text.push_str(&format!("{name}: {value}\r\n"));
    }
    text.push_str("\r\n");
    exchange(to, text.as_bytes()).with_context(|| format!("{method} http://{to}{path}"))
}

/// Sends, and reads until the answer is whole: Envoy keeps a connection open for a second after it
/// has refused a request.
fn exchange(to: SocketAddr, request: &[u8]) -> Result<Response> {
    let mut stream = TcpStream::connect_timeout(&to, PATIENCE)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    stream.write_all(request)?;
    let mut bytes = Vec::new();
    let mut buffer = [0; 16 * 1024];
    loop {
        let count = stream.read(&mut buffer)?;
        bytes.extend_from_slice(buffer.get(..count).unwrap_or_default());
        match parse(&bytes) {
            Ok(response) => return Ok(response),
            Err(error) if count == 0 => return Err(error),
            Err(_) => {}
        }
    }
}

/// A whole answer; an error as long as a part is missing.
fn parse(bytes: &[u8]) -> Result<Response> {
    let end = bytes
        .windows(4)
        .position(|window| window == b"\r\n\r\n")
        .context("the answer ends before its headers do")?;
    let (head, rest) = bytes.split_at(end);
    let body = rest.get(4..).unwrap_or_default();
    let head = String::from_utf8_lossy(head);
    let mut lines = head.split("\r\n");
    let status = lines
        .next()
        .and_then(|line| line.split(' ').nth(1))
        .and_then(|code| code.parse().ok())
        .context("the answer has no status line")?;
    let headers: Vec<(String, String)> = lines
        .filter_map(|line| line.split_once(':'))
        .map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned()))
        .collect();
    let chunked = headers
        .iter()
        .any(|(name, value)| name == "transfer-encoding" && value == "chunked");
    let length = headers.iter().find(|(name, _)| name == "content-length");
    let body = match length {
        _ if chunked => unchunk(body)?,
        Some((_, length)) => {
            let whole = body.get(..length.parse()?);
            whole
                .context("the body is shorter than its length")?
                .to_vec()
        }
        None => body.to_vec(),
    };
    Ok(Response {
        status,
        headers,
        body,
    })
}

fn unchunk(mut rest: &[u8]) -> Result<Vec<u8>> {
    let mut body = Vec::new();
    loop {
        let end = rest
            .windows(2)
            .position(|window| window == b"\r\n")
            .context("a chunk has no size")?;
        let (line, after) = rest.split_at(end);
        let line = std::str::from_utf8(line)?;
        let size = usize::from_str_radix(line.split(';').next().unwrap_or(line).trim(), 16)?;
        if size == 0 {
            return Ok(body);
        }
        let Some(chunk) = after.get(2..2 + size) else {
            bail!("a chunk is shorter than its size");
        };
        body.extend_from_slice(chunk);
        rest = after.get(2 + size + 2..).context("a chunk does not end")?;
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn chunks_are_joined() {
        let bytes = b"HTTP/1.1 200 OK\r\nX-A: b\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n";
        let response = parse(bytes).unwrap();
        assert_eq!(response.status, 200);
        assert_eq!(response.header("x-a"), Some("b"));
        assert_eq!(response.text(), "abcde");
    }

    #[test]
    fn a_body_is_as_long_as_it_says() {
        let head = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n";
        assert!(parse(format!("{head}a").as_bytes()).is_err());
        assert_eq!(parse(format!("{head}ab").as_bytes()).unwrap().text(), "ab");
    }

    #[test]
    fn a_cut_answer_is_an_error() {
        assert!(parse(b"HTTP/1.1 200 OK\r\nx: y").is_err());
        assert!(parse(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n9\r\nabc").is_err());
    }
}
