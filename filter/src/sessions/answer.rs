//! What is written of a session: for the server the id that it knows, for the client its token.

use super::Directory;
use super::visit::{Affinity, Due, Visit};
use crate::host::{self, Side};
use crate::request_headers::RequestHeaders;
use spillgate_config::filter::Carrier;
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
                if let Due::Fresh(token) = self.after(affinity, snapshot, ids, false) {
                    let text = affinity.config.keys.seal(&token);
                    let cookie = carrier.cookie.set(text.as_str());
                    host::add_header(Side::Response, "set-cookie", &cookie);
                    if let Some(value) = carrier.cache_control.value() {
                        host::add_header(Side::Response, "cache-control", value);
                    }
                }
            }
            Carrier::Header(name) => {
                if let Due::Fresh(token) = self.after(affinity, snapshot, ids, false) {
                    let text = affinity.config.keys.seal(&token);
                    host::set_header(Side::Response, name, text.as_str());
                }
            }
            Carrier::Envelope(name) => {
                if let Some(inner) = host::response_header(name) {
                    let kept = self.inner.as_deref() == Some(&*inner);
                    let text = match (self.after(affinity, snapshot, ids, !kept), &self.given) {
                        (Due::Same, Some(given)) => String::from_utf8(given.clone()).ok(),
                        (Due::Fresh(token), _) => {
                            affinity.config.keys.seal_envelope(&token, &inner)
                        }
                        _ => None,
                    };
                    // The client must see neither the server's own id nor one that nobody opens.
                    match text {
                        Some(text) => host::set_header(Side::Response, name, &text),
                        None => host::remove_header(Side::Response, name),
                    };
                }
            }
        }
    }

    /// What is due after the host that answered; `anew` whatever the client has.
    fn after(&self, affinity: &Affinity, snapshot: &Snapshot, ids: &Directory, anew: bool) -> Due {
        let upstream = host::property(UPSTREAM).unwrap_or_default();
        match std::str::from_utf8(&upstream) {
            Ok(upstream) if !upstream.is_empty() => {
                self.due(affinity, (snapshot, ids), upstream, anew)
            }
            // Nobody has answered but Envoy itself.
            _ => Due::Nothing,
        }
    }
}
