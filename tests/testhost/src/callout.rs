//! HTTP calls that the guest starts; tests answer them.

use crate::HeaderMap;

/// An HTTP call that the guest started. It stays open until the test answers it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Callout {
    /// Its number in the guest.
    pub token: u32,
    /// The context that started it.
    pub context: u32,
    /// The Envoy cluster it goes to.
    pub cluster: String,
    /// Its headers, pseudo headers first.
    pub headers: HeaderMap,
    /// Its body.
    pub body: Vec<u8>,
    /// How long the guest is willing to wait, in milliseconds.
    pub timeout_ms: u32,
}

/// What the test lets a callout come back with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CalloutReply {
    /// Its headers; empty means that the call failed, as Envoy reports it.
    pub headers: HeaderMap,
    /// Its body.
    pub body: Vec<u8>,
}

impl CalloutReply {
    /// An answer with this status and body.
    #[must_use]
    pub fn new(status: u16, body: impl Into<Vec<u8>>) -> Self {
        let headers = [(":status", status.to_string())].into_iter().collect();
        Self {
            headers,
            body: body.into(),
        }
    }

    /// A call that got no answer: timeout, connection failure, or a body beyond Envoy's limit.
    #[must_use]
    pub fn failed() -> Self {
        Self::default()
    }
}
