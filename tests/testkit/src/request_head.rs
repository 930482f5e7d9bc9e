//! The requests that a server of a test receives on one connection, one after the other, without bodies.

use std::io::{BufRead as _, BufReader, Read};

/// Reads the requests of a connection. Its buffers are used again.
#[derive(Debug)]
pub struct Requests<R> {
    reader: BufReader<R>,
    head: Vec<u8>,
}

/// The line and the headers of a request.
#[derive(Debug, Clone, Copy)]
pub struct RequestHead<'a>(&'a [u8]);

impl<R: Read> Requests<R> {
    /// The requests that arrive from `connection`.
    pub fn new(connection: R) -> Self {
        Self {
            reader: BufReader::with_capacity(64 * 1024, connection),
            head: Vec::new(),
        }
    }

    /// Waits for the next request; none when the client leaves.
    pub fn next_head(&mut self) -> Option<RequestHead<'_>> {
        self.head.clear();
        loop {
            let start = self.head.len();
            match self.reader.read_until(b'\n', &mut self.head) {
                Ok(0) | Err(_) => return None,
                Ok(_) if self.head.get(start..) == Some(b"\r\n") => break,
                Ok(_) => {}
            }
        }
        Some(RequestHead(&self.head))
    }
}

impl<'a> RequestHead<'a> {
    /// Method and target, such as `GET /clusters`.
    #[must_use]
    pub fn request(self) -> &'a str {
        let line = self.0.split(|byte| *byte == b'\r').next();
        let line = line.and_then(|line| str::from_utf8(line).ok());
        let request = line.and_then(|line| line.rsplit_once(' '));
        request.map_or("", |(request, _)| request)
    }

    /// The target, such as `/clusters?format=json`.
    #[must_use]
    pub fn target(self) -> &'a str {
        self.request()
            .split_once(' ')
            .map_or("", |(_, target)| target)
    }

    /// The value of the first header with that name, in any case of its letters; none if it is no text.
    #[must_use]
    pub fn header(self, name: &str) -> Option<&'a str> {
        str::from_utf8(self.value(name)?).ok().map(str::trim)
    }

    /// Whether a header with that name is there.
    #[must_use]
    pub fn has(self, name: &str) -> bool {
        self.value(name).is_some()
    }

    fn value(self, name: &str) -> Option<&'a [u8]> {
        self.0.split(|byte| *byte == b'\n').find_map(|line| {
            let (start, rest) = line.split_at_checked(name.len())?;
            let named = start.eq_ignore_ascii_case(name.as_bytes());
            rest.strip_prefix(b":").filter(|_| named)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_of_a_connection_are_read_in_turn() {
        let text = "GET /a?b=c HTTP/1.1\r\nHost: x\r\nAccept-Encoding: gzip, br\r\n\r\n\
                    POST / HTTP/1.1\r\n\r\nGET /cut HT";
        let mut requests = Requests::new(text.as_bytes());
        let first = requests.next_head().unwrap();
        assert_eq!(first.request(), "GET /a?b=c");
        assert_eq!(first.target(), "/a?b=c");
        assert_eq!(first.header("accept-encoding"), Some("gzip, br"));
        assert!(first.has("host") && !first.has("hos"));
        assert_eq!(requests.next_head().unwrap().request(), "POST /");
        assert!(requests.next_head().is_none());
    }
}
