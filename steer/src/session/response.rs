//! Writes a session: its own session id for the upstream host, the token for the client.

use alloc::string::String;

use spillgate_config::filter::Carrier;
use spillgate_core::{affinity::OpenedTokens, route::Headers};

use super::{
    HostDirectory, RequestSession, SessionPolicy,
    request_session::{ClientToken, TokenDue},
};
use crate::port::{Side, Stream};

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

    /// Writes the token that the client gets, if it changes.
    pub(crate) fn respond<S: Stream>(
        &self,
        stream: &mut S,
        policy: &SessionPolicy,
        directory: &HostDirectory,
        tokens: &mut OpenedTokens,
    ) {
        let keys = &policy.config.keys;
        match &policy.config.carrier {
            Carrier::Cookie(carrier) if carrier.post_only && self.cacheable => {}
            Carrier::Cookie(carrier) => {
                if let TokenDue::Fresh(token) =
                    self.after_response(stream, policy, directory, ClientToken::Usable)
                {
                    let text = tokens.seal(keys, &token);
                    let cookie = carrier.cookie.set(text.as_str());
                    stream.add_header(Side::Response, "set-cookie", &cookie);
                    if let Some(value) = carrier.cache_control.value() {
                        stream.add_header(Side::Response, "cache-control", value);
                    }
                }
            }
            Carrier::Header(name) => {
                if let TokenDue::Fresh(token) =
                    self.after_response(stream, policy, directory, ClientToken::Usable)
                {
                    let text = tokens.seal(keys, &token);
                    stream.set_header(Side::Response, name, text.as_str());
                }
            }
            Carrier::Envelope(name) => {
                if let Some(inner) = stream.header(Side::Response, name) {
                    let has = match self.inner.as_deref() == Some(&*inner) {
                        true => ClientToken::Usable,
                        false => ClientToken::Outdated,
                    };
                    let due = self.after_response(stream, policy, directory, has);
                    let text = match (due, &self.given) {
                        (TokenDue::Same, Some(given)) => String::from_utf8(given.clone()).ok(),
                        (TokenDue::Fresh(token), _) => keys.seal_envelope(&token, &inner),
                        _ => None,
                    };
                    // Without an envelope, the client must not see the host's own id either.
                    match text {
                        Some(text) => stream.set_header(Side::Response, name, &text),
                        None => stream.remove_header(Side::Response, name),
                    };
                }
            }
        }
    }

    /// The token after the response.
    fn after_response<S: Stream>(
        &self,
        stream: &mut S,
        policy: &SessionPolicy,
        directory: &HostDirectory,
        has: ClientToken,
    ) -> TokenDue {
        let upstream = stream.upstream_address().unwrap_or_default();
        match core::str::from_utf8(&upstream).map(|upstream| match upstream {
            "" => TokenDue::None,
            upstream => self.due(policy, directory, upstream, has),
        }) {
            // After failed attempts, the proxy responds itself. Only a response for which a token is
            // due costs this second call.
            Ok(TokenDue::Fresh(_)) if !stream.is_upstream_response() => TokenDue::None,
            Ok(due) => due,
            Err(_) => TokenDue::None,
        }
    }
}
