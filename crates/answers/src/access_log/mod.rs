//! A line of Envoy's access log: the request that it describes, and what its response flags and host mean for a
//! configuration (`spillgate explain --log`).
//!
//! | module | part |
//! |---|---|
//! | [`text`], [`json`] | the default text formats of Envoy and Istio; JSON lines with their usual keys |
//! | [`flags`] | the response flags of Envoy 1.40 and their meanings |
//! | [`request`] | the request of a line: what the line states, and what it omits |
//! | [`findings`] | the line compared with the answer for a configuration |
//!
//! A line states what happened at its time. The configuration and the health of the comparison are those of the
//! command, so a difference is reported together with what can cause it.

use spillgate_core::visible::quoted;
mod findings;
mod flags;
mod json;
mod request;
mod text;

use std::net::SocketAddr;

use spillgate_config::{Diagnostic, Position};

pub use findings::LogFindings;
pub use flags::ResponseFlag;

/// The format of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogFormat {
    /// Envoy's default text format.
    Envoy,
    /// Istio's default text format.
    Istio,
    /// A JSON object.
    Json,
}

/// The parts of a line that matter for load balancing. An absent part is `-` in text, or a missing key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AccessLogLine {
    /// The format.
    pub format: LogFormat,
    /// `%REQ(:METHOD)%`.
    pub method: Option<String>,
    /// `%REQ(X-ENVOY-ORIGINAL-PATH?:PATH)%`.
    pub path: Option<String>,
    /// `%REQ(:AUTHORITY)%`.
    pub authority: Option<String>,
    /// `%REQ(X-ENVOY-ORIGINAL-HOST)%`: the host before a rewrite.
    pub original_host: Option<String>,
    /// `%REQ(X-FORWARDED-FOR)%`.
    pub forwarded_for: Option<String>,
    /// `%REQ(USER-AGENT)%`.
    pub user_agent: Option<String>,
    /// `%REQ(X-REQUEST-ID)%`.
    pub request_id: Option<String>,
    /// `%RESPONSE_CODE%`; absent for connections, and for requests that end without a response.
    pub status: Option<u16>,
    /// `%RESPONSE_FLAGS%`.
    pub flags: Vec<&'static ResponseFlag>,
    /// `%UPSTREAM_HOST%`.
    pub host: Option<String>,
    /// `%UPSTREAM_CLUSTER%`.
    pub cluster: Option<String>,
    /// `%ROUTE_NAME%`.
    pub route: Option<String>,
    /// `%REQUESTED_SERVER_NAME%`.
    pub server_name: Option<String>,
    /// `%DOWNSTREAM_REMOTE_ADDRESS%`.
    pub source: Option<SocketAddr>,
    /// `%DOWNSTREAM_LOCAL_ADDRESS%`.
    pub local: Option<SocketAddr>,
    /// `%UPSTREAM_REQUEST_ATTEMPT_COUNT%`.
    pub attempts: Option<u32>,
}

impl LogFormat {
    /// The name in JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Envoy => "envoy",
            Self::Istio => "istio",
            Self::Json => "json",
        }
    }
}

impl AccessLogLine {
    /// A line without any part.
    const fn empty(format: LogFormat) -> Self {
        Self {
            format,
            method: None,
            path: None,
            authority: None,
            original_host: None,
            forwarded_for: None,
            user_agent: None,
            request_id: None,
            status: None,
            flags: Vec::new(),
            host: None,
            cluster: None,
            route: None,
            server_name: None,
            source: None,
            local: None,
            attempts: None,
        }
    }

    /// Reads one line: JSON if it starts with `{`, else one of the text formats.
    ///
    /// # Errors
    /// The places where it differs from its format. They repeat at most a few characters, because lines can have
    /// secrets.
    pub fn read(text: &str) -> Result<Self, Vec<Diagnostic>> {
        let line = text.trim_end_matches(['\n', '\r']);
        match line.split_once('\n') {
            Some((_, rest)) => {
                let found = format!("{} lines", rest.lines().count() + 1);
                let at = Position { line: 2, column: 1 };
                Err(vec![
                    fault("more than one line", at)
                        .found(found)
                        .expected("one line"),
                ])
            }
            None if line.trim_start().starts_with('{') => json::read(line),
            None => text::read(line).map_err(|fault| vec![*fault]),
        }
    }
}

/// An error in a line.
fn fault(message: &'static str, at: Position) -> Diagnostic {
    Diagnostic::error("log/syntax", message).at("", at)
}

/// A value for an error: its start.
fn shown(text: &str) -> String {
    const SHOWN: usize = 12;
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}...", quoted(text.get(..end).unwrap_or_default())),
        None if text.is_empty() => "the end of the line".to_owned(),
        None => quoted(text),
    }
}
