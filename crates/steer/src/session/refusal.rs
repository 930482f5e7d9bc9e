//! The response to a request whose session is lost (`on_lost`).
//!
//! A client whose session is lost repeats its token, and without a change at the client it gets the
//! same status until the token expires. So the response removes the cookie, or has the session
//! header with an empty value; a separate header would be one more name to reserve and strip. MCP
//! clients go by the status (404).

use alloc::{
    borrow::ToOwned,
    string::{String, ToString as _},
    vec::Vec,
};

use spillgate_config::filter::{AffinityConfig, Carrier, LostSession};

use crate::port::LocalResponse;

/// The response to a request whose session is lost: the configured status, and headers that end the
/// session at the client. Without them, a client would repeat a token that is refused until it
/// expires.
pub(crate) struct Refusal {
    status: u32,
    headers: Vec<(String, String)>,
}

impl Refusal {
    /// Compiles `on_lost`; `None` if sessions may move.
    pub(super) fn new(config: &AffinityConfig) -> Option<Self> {
        let LostSession::Refuse {
            status,
            retry_after,
        } = config.on_lost
        else {
            return None;
        };
        let end = match &config.carrier {
            Carrier::Cookie(carrier) => ("set-cookie".to_owned(), carrier.cookie.removal().into()),
            // Clients of a header carrier read this header already.
            Carrier::Header(name) | Carrier::Envelope(name) => (name.clone(), String::new()),
        };
        // RFC 9111 lets caches store statuses such as 404 and 410, for clients without a session.
        let cache = ("cache-control".to_owned(), "no-store".to_owned());
        let retry = retry_after.map(|seconds| ("retry-after".to_owned(), seconds.to_string()));
        let headers = retry.into_iter().chain([end, cache]);
        Some(Self {
            status,
            headers: headers.collect(),
        })
    }

    /// Passes the response, with another header, to `send`, and returns its result.
    pub(crate) fn sent<T>(
        &self,
        more: Option<(&str, &str)>,
        send: impl FnOnce(&LocalResponse<'_>) -> T,
    ) -> T {
        let headers = self.headers.iter().map(|(name, value)| (&**name, &**value));
        let headers: Vec<_> = headers.chain(more).collect();
        send(&LocalResponse {
            status: self.status,
            details: "spillgate_session_lost",
            body: "session lost",
            headers: &headers,
        })
    }
}
