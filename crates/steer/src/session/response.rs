//! Writes a session: its own session id for the upstream host, the token for the client.
//!
//! A server's own session id is sealed wherever the filter runs, also where requests pass through,
//! because a client could send the id past the filter; removing it there would break servers behind
//! such routes. It is sealed for the cluster that has the address, or for no cluster if the
//! configuration does not contain the host.

use alloc::string::String;

use spillgate_config::filter::Carrier;
use spillgate_core::{
    affinity::{OpenedTokens, TokenCarrier},
    route::Headers,
};

use super::{
    HostDirectory, RequestSession, SessionPolicy,
    request_session::{ClientToken, TokenDue},
    strip::{SET_COOKIE, strip_cookies},
};
use crate::{
    port::{Side, Stream},
    responder::Responder,
};

impl RequestSession {
    /// Hides the token from the upstream host, and restores the host's own session id. Returns
    /// whether the call succeeded.
    pub(crate) fn forward<S: Stream>(
        &self,
        stream: &mut S,
        policy: &SessionPolicy,
        headers: &S::Headers,
    ) -> bool {
        let Some(name) = policy.header() else {
            return true;
        };
        if headers.first(name).is_none() {
            return true;
        }
        let inner = self.inner.as_deref().map(core::str::from_utf8);
        match inner {
            Some(Ok(inner)) => stream.set_header(Side::Request, name, inner),
            _ => stream.remove_header(Side::Request, name),
        }
    }

    /// Writes the token that the client gets, if it changes, and removes the upstream host's own
    /// cookie or header. Returns whether there was one while no token was due, or a cookie.
    pub(crate) fn respond<S: Stream>(
        &self,
        stream: &mut S,
        policy: &SessionPolicy,
        directory: &HostDirectory,
        tokens: &mut OpenedTokens,
        responder: &mut Responder,
    ) -> bool {
        let keys = &policy.config.keys;
        match &policy.config.carrier {
            Carrier::Cookie(carrier) => {
                let stripped = strip_cookies(stream, responder, &carrier.cookie);
                if carrier.post_only && self.cacheable {
                    return stripped;
                }
                if let TokenDue::Fresh(token) =
                    self.after_response(stream, responder, policy, directory, ClientToken::Usable)
                {
                    let text = tokens.seal(keys, TokenCarrier::Cookie, &token);
                    let cookie = carrier.cookie.set(text.as_str());
                    stream.add_header(Side::Response, SET_COOKIE, cookie.as_bytes());
                    if let Some(value) = carrier.cache_control.value() {
                        stream.add_header(Side::Response, "cache-control", value.as_bytes());
                    }
                }
                stripped
            }
            Carrier::Header(name) => {
                let due =
                    self.after_response(stream, responder, policy, directory, ClientToken::Usable);
                let TokenDue::Fresh(token) = due else {
                    return policy.strip_copies(stream, responder);
                };
                let text = tokens.seal(keys, TokenCarrier::Header, &token);
                stream.set_header(Side::Response, name, text.as_str());
                false
            }
            Carrier::Envelope(name) => {
                let Some(inner) = stream.header(Side::Response, name) else {
                    return false;
                };
                let has = if self.inner.as_deref() == Some(&*inner) {
                    ClientToken::Usable
                } else {
                    ClientToken::Outdated
                };
                let due = self.after_response(stream, responder, policy, directory, has);
                let text = match (due, &self.given) {
                    (TokenDue::Same, Some(given)) => String::from_utf8(given.clone()).ok(),
                    // The host's own id may be the token of another client: it is sealed like any other.
                    (TokenDue::Fresh(token), _) => keys.seal_envelope(&token, &inner),
                    _ => None,
                };
                // Without an envelope, the client must not see the host's own id either.
                match text {
                    Some(text) => {
                        stream.set_header(Side::Response, name, &text);
                        false
                    }
                    None => policy.strip_copies(stream, responder),
                }
            }
        }
    }

    /// The token after the response.
    fn after_response<S: Stream>(
        &self,
        stream: &mut S,
        responder: &mut Responder,
        policy: &SessionPolicy,
        directory: &HostDirectory,
        has: ClientToken,
    ) -> TokenDue {
        let due = match responder.address(stream) {
            Some(upstream) => self.due(policy, directory, upstream, has),
            None => TokenDue::None,
        };
        // Only a response for which a token is due costs this question.
        match due {
            TokenDue::Fresh(_) if !responder.is_host(stream) => TokenDue::None,
            due => due,
        }
    }
}
