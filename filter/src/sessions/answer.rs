//! What is written of a session: for the server the id that it knows, for the client its token.

use super::Directory;
use super::visit::{Affinity, Visit};
use crate::host::{self, Side};
use crate::request_headers::RequestHeaders;
use spillgate_config::filter::Carrier;
use spillgate_core::affinity::Token;
use spillgate_core::route::Headers;
use spillgate_core::snapshot::Snapshot;

/// The property with the address of the host that answered.
const UPSTREAM: &str = "upstream\0address";

impl Visit {
    /// Keeps tokens from the server, and gives it back its own id. Whether it worked.
    pub(crate) fn forward(&self, affinity: &Affinity, headers: &RequestHeaders) -> bool {
        let Some(name) = affinity.header() else {
            return true;
        };
        if headers.first(name).is_none() {
            return true;
        }
        let inner = self.inner.as_deref().map(std::str::from_utf8);
        match inner {
            Some(Ok(inner)) => host::set_header(Side::Request, name, inner),
            _ => host::remove_header(Side::Request, name),
        }
    }

    /// Writes the token that the client must have from now on, after a host has answered.
    pub(crate) fn answered(&self, affinity: &Affinity, snapshot: &Snapshot, ids: &Directory) {
        match &affinity.config.carrier {
            Carrier::Cookie(carrier) if carrier.post_only && self.cacheable => {}
            Carrier::Cookie(carrier) => {
                if let Some(token) = self.fresh(affinity, snapshot, ids) {
                    let text = affinity.config.keys.seal(&token);
                    let cookie = carrier.cookie.set(text.as_str());
                    host::add_header(Side::Response, "set-cookie", &cookie);
                    if let Some(value) = carrier.cache_control.value() {
                        host::add_header(Side::Response, "cache-control", value);
                    }
                }
            }
            Carrier::Header(name) => {
                if let Some(token) = self.fresh(affinity, snapshot, ids) {
                    let text = affinity.config.keys.seal(&token);
                    host::set_header(Side::Response, name, text.as_str());
                }
            }
            Carrier::Envelope(name) => {
                if let Some(inner) = host::response_header(name) {
                    let text = self.envelope(affinity, snapshot, ids, &inner);
                    // The client must see neither the server's own id nor one that nobody opens.
                    match text {
                        Some(text) => host::set_header(Side::Response, name, &text),
                        None => host::remove_header(Side::Response, name),
                    };
                }
            }
        }
    }

    /// The token that is due after a host has answered.
    fn fresh(&self, affinity: &Affinity, snapshot: &Snapshot, ids: &Directory) -> Option<Token> {
        let upstream = host::property(UPSTREAM)?;
        let token = self.token(
            affinity,
            snapshot,
            ids,
            std::str::from_utf8(&upstream).ok()?,
        )?;
        self.is_due(affinity, &token).then_some(token)
    }

    /// The text for what the server calls the session: the client's own while that holds.
    fn envelope(
        &self,
        affinity: &Affinity,
        snapshot: &Snapshot,
        ids: &Directory,
        inner: &[u8],
    ) -> Option<String> {
        let upstream = host::property(UPSTREAM)?;
        let token = self.token(
            affinity,
            snapshot,
            ids,
            std::str::from_utf8(&upstream).ok()?,
        )?;
        if self.inner.as_deref() == Some(inner) && !self.is_due(affinity, &token) {
            return String::from_utf8(self.given.clone()?).ok();
        }
        affinity.config.keys.seal_envelope(&token, inner)
    }
}
