//! The head of a request.

use std::io::{self, Read};

/// The maximum size of a head, in bytes.
const MAXIMUM_BYTES: u64 = 16 * 1024;

/// The maximum number of headers.
const MAXIMUM_HEADERS: usize = 64;

/// What the server reads of a request.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct RequestHead {
    /// The method.
    pub(crate) method: String,
    /// The path with its query.
    pub(crate) target: String,
    /// The values of `host`.
    pub(crate) hosts: Vec<String>,
    /// Whether the client accepts Brotli.
    pub(crate) brotli: bool,
}

impl RequestHead {
    /// Reads a head; `None` if the connection ends before it, or if it is not HTTP or too large.
    pub(crate) fn read(stream: impl Read) -> io::Result<Option<Self>> {
        let mut stream = stream.take(MAXIMUM_BYTES);
        let mut bytes = Vec::new();
        let mut part = [0; 1024];
        loop {
            let read = stream.read(&mut part)?;
            bytes.extend_from_slice(part.get(..read).unwrap_or_default());
            let mut headers = [httparse::EMPTY_HEADER; MAXIMUM_HEADERS];
            let mut request = httparse::Request::new(&mut headers);
            match request.parse(&bytes) {
                Ok(httparse::Status::Complete(_)) => return Ok(Some(Self::of(&request))),
                Ok(httparse::Status::Partial) if read > 0 => {}
                Ok(httparse::Status::Partial) | Err(_) => return Ok(None),
            }
        }
    }

    /// Whether it names a server of this machine at that port.
    pub(crate) fn is_local(&self, port: u16) -> bool {
        let names = ["127.0.0.1", "localhost", "[::1]"];
        let local = |host: &String| names.iter().any(|name| *host == format!("{name}:{port}"));
        matches!(self.hosts.as_slice(), [host] if local(host))
    }

    /// The path without its query.
    pub(crate) fn path(&self) -> &str {
        self.target.split(['?', '#']).next().unwrap_or_default()
    }

    fn of(request: &httparse::Request<'_, '_>) -> Self {
        let values = |name: &'static str| {
            let headers = request.headers.iter();
            let named = headers.filter(move |header| header.name.eq_ignore_ascii_case(name));
            named.map(|header| String::from_utf8_lossy(header.value).into_owned())
        };
        Self {
            method: request.method.unwrap_or_default().to_owned(),
            target: request.path.unwrap_or_default().to_owned(),
            hosts: values("host").collect(),
            brotli: values("accept-encoding").any(|value| {
                let mut codings = value.split(',');
                codings.any(|coding| coding.split(';').next().map(str::trim) == Some("br"))
            }),
        }
    }
}
