//! One request through the filter: request, response, and the result of both.

use crate::headers::HeaderMap;
use std::collections::BTreeMap;

/// The hostcalls that hand data to the guest: each allocates in its memory and copies.
const DATA_CALLS: [&str; 6] = [
    "proxy_get_buffer_bytes",
    "proxy_get_header_map_pairs",
    "proxy_get_header_map_value",
    "proxy_get_property",
    "proxy_get_shared_data",
    "proxy_dequeue_shared_queue",
];

/// A request as it reaches the filter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilterRequest {
    pub(crate) headers: HeaderMap,
}

impl FilterRequest {
    /// A GET of `path` from `example.org`.
    #[must_use]
    pub fn get(path: &str) -> Self {
        Self::of("GET", path)
    }

    /// A request of this method for `path` from `example.org`.
    #[must_use]
    pub fn of(method: &str, path: &str) -> Self {
        let headers = [
            (":method", method),
            (":scheme", "http"),
            (":authority", "example.org"),
            (":path", path),
        ];
        Self {
            headers: headers.into_iter().collect(),
        }
    }

    /// Adds a header; several of one name are kept.
    #[must_use]
    pub fn header(mut self, name: &str, value: impl AsRef<[u8]>) -> Self {
        self.headers.add(name, value);
        self
    }
}

/// The answer of the upstream as it reaches the filter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilterResponse {
    pub(crate) headers: HeaderMap,
}

impl FilterResponse {
    /// An answer with this status and no other header.
    #[must_use]
    pub fn new(status: u16) -> Self {
        Self {
            headers: [(":status", status.to_string())].into_iter().collect(),
        }
    }

    /// Adds a header; several of one name are kept.
    #[must_use]
    pub fn header(mut self, name: &str, value: impl AsRef<[u8]>) -> Self {
        self.headers.add(name, value);
        self
    }
}

/// A response that the filter sent instead of letting the request go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocalReply {
    /// HTTP status.
    pub status: u16,
    /// The text for `%RESPONSE_CODE_DETAILS%`; empty when the filter gave none.
    pub details: String,
    /// The headers that the filter gave.
    pub headers: HeaderMap,
    /// Its body.
    pub body: Vec<u8>,
    /// The gRPC status, where the filter gave one.
    pub grpc_status: Option<u32>,
}

impl LocalReply {
    /// The headers of the response as they enter the response phase.
    pub(crate) fn to_headers(&self) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.add(":status", self.status.to_string());
        for (name, value) in self.headers.iter() {
            headers.add(name, value);
        }
        if !self.body.is_empty() {
            headers.add("content-length", self.body.len().to_string());
            if !headers.has("content-type") {
                headers.add("content-type", "text/plain");
            }
        }
        headers
    }
}

/// A request that passed the filter and waits for its answer.
#[derive(Debug)]
pub struct InFlight {
    pub(crate) context: u32,
    /// The request headers as the filter left them.
    pub request_headers: HeaderMap,
    /// What the filter answered itself.
    pub local_response: Option<LocalReply>,
    /// The filter stopped the request without answering it.
    pub paused: bool,
    pub(crate) calls: BTreeMap<&'static str, u32>,
    pub(crate) fuel: u64,
}

/// A request and its response, both as the filter left them.
#[derive(Debug)]
pub struct Exchange {
    /// The request headers as the filter left them: what the upstream would get.
    pub request_headers: HeaderMap,
    /// What the filter answered itself; the upstream saw nothing then.
    pub local_response: Option<LocalReply>,
    /// The filter stopped the request without answering it.
    pub paused: bool,
    /// The response headers as the filter left them: what the client would get.
    pub response_headers: HeaderMap,
    /// How often each hostcall was made.
    pub calls: BTreeMap<&'static str, u32>,
    /// Cost of the exchange in the interpreter's units, about one an instruction. It is the same
    /// on every machine.
    pub fuel: u64,
}

impl Exchange {
    /// How many hostcalls handed data to the guest: the dear ones.
    #[must_use]
    pub fn data_calls(&self) -> u32 {
        DATA_CALLS
            .iter()
            .filter_map(|name| self.calls.get(name))
            .sum()
    }
}
