//! The default text formats of Envoy and Istio.
//!
//! Both begin alike; the field after the flags distinguishes them: Istio has the response code details there, and
//! Envoy a number of bytes. Envoy does not escape quotes in values, so a value ends at a quote before a space or at
//! the end of the line.

use spillgate_config::{Diagnostic, Position};

use super::{AccessLogLine, LogFormat, ResponseFlag, fault, shown};

type Read<T> = Result<T, Box<Diagnostic>>;

/// Reads a line.
pub(super) fn read(line: &str) -> Read<AccessLogLine> {
    let mut fields = Fields { line, at: 0 };
    let mut found = AccessLogLine::empty(LogFormat::Envoy);
    fields.start_time()?;
    let at = fields.at;
    let request = fields.quoted("the request line in quotes")?;
    let parts = request.split_once(' ');
    let parts = parts.and_then(|(method, rest)| Some((method, rest.rsplit_once(' ')?.0)));
    let Some((method, path)) = parts else {
        let expected = "METHOD PATH PROTOCOL in quotes";
        return Err(fields.wrong(at, "unreadable request line", expected));
    };
    found.method = present(method);
    found.path = present(path);
    found.status = fields.status()?;
    found.flags = fields.flags()?;
    if fields.next_number().is_none() {
        found.format = LogFormat::Istio;
        fields.token("the response code details")?;
        fields.until_quote("the connection termination details")?;
        fields.quoted("the transport failure reason in quotes")?;
    }
    for what in [
        "the bytes received",
        "the bytes sent",
        "the duration",
        "the service time",
    ] {
        fields.count(what)?;
    }
    found.forwarded_for = present(fields.quoted("x-forwarded-for in quotes")?);
    found.user_agent = present(fields.quoted("the user agent in quotes")?);
    found.request_id = present(fields.quoted("the request id in quotes")?);
    found.authority = present(fields.quoted("the authority in quotes")?);
    found.host = present(fields.quoted("the upstream host in quotes")?);
    if found.format == LogFormat::Istio {
        found.cluster = present(fields.token("the upstream cluster")?);
        fields.token("the upstream local address")?;
        found.local = fields.token("the downstream local address")?.parse().ok();
        found.source = fields.token("the downstream remote address")?.parse().ok();
        found.server_name = present(fields.token("the requested server name")?);
        found.route = present(fields.token("the route name")?);
    }
    if fields.rest().trim_end().is_empty() {
        return Ok(found);
    }
    Err(fields.wrong(
        fields.at,
        "text after the last field",
        "the end of the line",
    ))
}

/// The value of a field; `-` is an absent one.
pub(super) fn present(text: &str) -> Option<String> {
    (!text.is_empty() && text != "-").then(|| text.to_owned())
}

/// The fields of a line, separated by spaces.
struct Fields<'l> {
    line: &'l str,
    at: usize,
}

impl<'l> Fields<'l> {
    fn rest(&self) -> &'l str {
        self.line.get(self.at..).unwrap_or_default()
    }

    /// `[%START_TIME%]`.
    fn start_time(&mut self) -> Read<()> {
        let expected = "the start time as [TIME]";
        let inside = self.rest().strip_prefix('[');
        let Some((time, _)) = inside.and_then(|rest| rest.split_once(']')) else {
            return Err(self.wrong(self.at, "no start time", expected));
        };
        self.pass(time.len() + 2);
        Ok(())
    }

    /// The next field, which has no spaces.
    fn token(&mut self, expected: &str) -> Read<&'l str> {
        let token = self.rest().split(' ').next().unwrap_or_default();
        if token.is_empty() || token.starts_with('"') {
            return Err(self.wrong(self.at, "missing field", expected));
        }
        self.pass(token.len());
        Ok(token)
    }

    /// The next field, which is in quotes.
    fn quoted(&mut self, expected: &str) -> Read<&'l str> {
        let Some(inside) = self.rest().strip_prefix('"') else {
            return Err(self.wrong(self.at, "missing field", expected));
        };
        let mut ends = inside.match_indices('"').map(|(end, _)| end);
        let end = ends.find(|end| matches!(inside.as_bytes().get(end + 1), None | Some(b' ')));
        let Some(value) = end.and_then(|end| inside.get(..end)) else {
            return Err(self.wrong(self.at, "a quote without its end", expected));
        };
        self.pass(value.len() + 2);
        Ok(value)
    }

    /// Passes a field that can have spaces, before one in quotes.
    fn until_quote(&mut self, expected: &str) -> Read<()> {
        let Some(end) = self.rest().find(" \"").filter(|end| *end > 0) else {
            return Err(self.wrong(self.at, "missing field", expected));
        };
        self.pass(end);
        Ok(())
    }

    /// The number that is the next field.
    fn next_number(&self) -> Option<u64> {
        self.rest().split(' ').next()?.parse().ok()
    }

    /// A number, or `-`.
    fn count(&mut self, what: &str) -> Read<()> {
        let at = self.at;
        let token = self.token(what)?;
        if token == "-" || token.parse::<u64>().is_ok() {
            return Ok(());
        }
        Err(self.wrong(at, "not a number", what))
    }

    /// `%RESPONSE_CODE%`.
    fn status(&mut self) -> Read<Option<u16>> {
        let at = self.at;
        match self.token("the response code")?.parse() {
            Ok(0) => Ok(None),
            Ok(status @ 100..=599) => Ok(Some(status)),
            _ => Err(self.wrong(at, "not a response code", "0 or 100 to 599")),
        }
    }

    /// `%RESPONSE_FLAGS%`.
    fn flags(&mut self) -> Read<Vec<&'static ResponseFlag>> {
        let at = self.at;
        let token = self.token("the response flags")?;
        if token == "-" {
            return Ok(Vec::new());
        }
        let unknown = |(offset, _): (usize, &str)| {
            self.wrong(
                at + offset,
                "unknown response flag",
                "a flag of Envoy such as UH, or -",
            )
        };
        ResponseFlag::list(token).map_err(unknown)
    }

    /// Passes a field and the space after it.
    fn pass(&mut self, length: usize) {
        self.at += length;
        if self.rest().starts_with(' ') {
            self.at += 1;
        }
    }

    fn wrong(&self, at: usize, message: &'static str, expected: &str) -> Box<Diagnostic> {
        let before = self.line.get(..at).unwrap_or_default();
        let column = u32::try_from(before.chars().count() + 1).unwrap_or(u32::MAX);
        let rest = self.line.get(at..).unwrap_or_default();
        let token = rest.split(' ').next().unwrap_or_default();
        let at = Position { line: 1, column };
        Box::new(fault(message, at).found(shown(token)).expected(expected))
    }
}
