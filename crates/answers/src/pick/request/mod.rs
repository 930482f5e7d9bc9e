//! The request list of `spillgate pick`: one JSON object per line.
//!
//! `list` reads the lines and collects all errors, `row` reads one object and sets its defaults,
//! and `values` checks the value of each field.

mod list;
mod row;
mod values;

#[cfg(test)]
mod tests;

use std::time::Duration;

use serde_json::Value;
use spillgate_core::route::{Connection, Headers, ReceivedRequest};

use super::REDIS_KEY;

pub use list::{RequestList, read_connections, read_requests};

/// A request, with the properties that routes and hash policies use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PickRequest {
    /// Names in lowercase and values. `:method`, `:authority` and `:path` come first.
    pub headers: Vec<(String, String)>,
    /// The client address of the connection, `ip:port`.
    pub source: String,
    /// The local address of the connection, `ip:port`.
    pub local: String,
    /// The number of the attempt: 0 is the first, at most 1000.
    pub attempt: u32,
    /// The hosts that earlier attempts used, `ip:port`, in order.
    pub tried: Vec<String>,
    /// The number of active requests by host, `ip:port`; 0 for the other hosts.
    pub active: Vec<(String, u32)>,
    /// The time since hosts became healthy, by host, `ip:port`; the others have been healthy for longer.
    pub since_healthy: Vec<(String, Duration)>,
    /// What is known of the connection beyond its addresses.
    pub given: GivenConnection,
}

/// Adds a header that a client sends, with a name in lower case. Envoy reads `host` as the authority.
pub fn add_sent(headers: &mut Vec<(String, String)>, name: String, value: String) {
    let mut own = headers.iter_mut();
    match own.find(|(own, _)| name == "host" && own == ":authority") {
        Some((_, authority)) => *authority = value,
        None => headers.push((name, value)),
    }
}

impl PickRequest {
    /// `GET /` of host localhost, as a first attempt.
    #[must_use]
    pub fn plain() -> Self {
        let own = [
            (":method", "GET"),
            (":authority", "localhost"),
            (":path", "/"),
        ];
        Self {
            headers: own.map(|(name, value)| (name.into(), value.into())).into(),
            source: SOURCE.into(),
            local: LOCAL.into(),
            attempt: 0,
            tried: Vec::new(),
            active: Vec::new(),
            since_healthy: Vec::new(),
            given: GivenConnection::default(),
        }
    }

    /// The number of earlier attempts, whether their hosts are known or not.
    #[must_use]
    pub fn attempts(&self) -> u32 {
        self.attempt
            .max(u32::try_from(self.tried.len()).unwrap_or(u32::MAX))
    }

    /// The filter state of the connection that hash policies read.
    pub fn filter_state(&self) -> Vec<(&'static str, u64)> {
        let hash = self.given.key_hash;
        hash.map(|hash| (REDIS_KEY, hash)).into_iter().collect()
    }

    /// The connection, with its filter state.
    pub fn connection<'a>(&'a self, filter_state: &'a [(&'static str, u64)]) -> Connection<'a> {
        Connection {
            remote: &self.source,
            local: &self.local,
            restored: self.given.restored,
            any_port: !self.given.source,
            filter_state,
            ..Connection::default()
        }
    }

    /// The headers that the connection manager passes on to the HTTP filters.
    pub fn passed_on<H: Headers>(
        &self,
        received: &ReceivedRequest<'_, H>,
    ) -> Vec<(String, String)> {
        let changes = received.headers.changes();
        let kept = self
            .headers
            .iter()
            .filter(|(name, _)| changes.values(name).is_none())
            .cloned();
        let changed = changes.names().flat_map(|name| {
            let values = changes.values(name).unwrap_or_default().iter();
            values.map(move |value| (name.to_owned(), String::from_utf8_lossy(value).into_owned()))
        });
        kept.chain(changed).collect()
    }
}

/// The properties of a connection that choose a filter chain. Default addresses choose none.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GivenConnection {
    /// Whether the client address is stated.
    pub source: bool,
    /// Whether the local address is stated.
    pub local: bool,
    /// Whether the local address is that of the listener, which has no other.
    pub bound: bool,
    /// Whether listener filters can restore the original destination. The stated local address is
    /// that destination.
    pub restored: bool,
    /// Whether the connection has no TLS.
    pub plaintext: bool,
    /// The server name of a TLS connection; empty without one.
    pub server_name: Option<String>,
    /// The protocols that the client offers (ALPN).
    pub application_protocols: Vec<String>,
    /// The Redis key of a command.
    pub key: Option<String>,
    /// The hash that a Redis proxy has made of the key.
    pub key_hash: Option<u64>,
}

impl GivenConnection {
    /// With a server name as the user states it: `-` for a connection without TLS.
    #[must_use]
    pub fn with_sni(self, sni: Option<String>) -> Self {
        const NO_TLS: &str = "-";
        Self {
            plaintext: sni.as_deref() == Some(NO_TLS),
            server_name: sni.filter(|name| name != NO_TLS),
            ..self
        }
    }
}

/// A row of a request list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestRow {
    /// The id of the row, a number or a string. The output repeats it.
    pub i: Value,
    /// The request.
    pub request: PickRequest,
    /// The number of equal requests that the row represents; 1 outside of recorded scenarios.
    pub count: u64,
    /// The client, which keeps the cookies and session headers of earlier responses.
    pub session: Option<String>,
}

/// Whether the rows of a list must have the field `path`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PathField {
    /// They are HTTP requests.
    Required,
    /// They are connections.
    Optional,
}

/// Whether the rows of a list may have the field `count`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CountField {
    /// `count` is an unknown field, as in the lists of users.
    Rejected,
    /// `count` is allowed, as in recorded scenarios.
    Accepted,
}

/// The highest number of an attempt: earlier attempts are evaluated one by one.
pub const MAXIMUM_ATTEMPT: u32 = 1000;

/// The default client address of the connection.
pub const SOURCE: &str = "127.0.0.1:40000";
/// The local address of a connection to a listener without one.
pub const LOCAL: &str = "127.0.0.1:10000";
