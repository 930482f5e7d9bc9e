//! Removes the session cookie or header that an upstream host sets itself.
//!
//! A host could otherwise give its clients the token of another client, and so move them to another
//! host.

use spillgate_config::filter::Carrier;
use spillgate_core::affinity::SessionCookie;

use super::SessionPolicy;
use crate::{
    port::{Side, Stream},
    responder::Responder,
};

pub(super) const SET_COOKIE: &str = "set-cookie";

impl SessionPolicy {
    /// Removes the upstream host's own session cookie or header from a response for which no token is
    /// due. Returns whether there was one.
    pub(crate) fn strip_copies<S: Stream>(
        &self,
        stream: &mut S,
        responder: &mut Responder,
    ) -> bool {
        match &self.config.carrier {
            Carrier::Cookie(carrier) => strip_cookies(stream, responder, &carrier.cookie),
            Carrier::Header(name) | Carrier::Envelope(name) => {
                stream.header(Side::Response, name).is_some()
                    && is_of_host(stream, responder)
                    && stream.remove_header(Side::Response, name)
            }
        }
    }
}

/// Removes every `set-cookie` header of the session cookie. The others stay, in their order.
pub(super) fn strip_cookies<S: Stream>(
    stream: &mut S,
    responder: &mut Responder,
    cookie: &SessionCookie,
) -> bool {
    let mut values = stream.header_values(Side::Response, SET_COOKIE);
    let all = values.len();
    values.retain(|value| !cookie.is_set_by(value));
    if values.len() == all
        || !is_of_host(stream, responder)
        || !stream.remove_header(Side::Response, SET_COOKIE)
    {
        return false;
    }
    for value in values {
        stream.add_header(Side::Response, SET_COOKIE, &value);
    }
    true
}

/// Whether the proxy tried a host. Otherwise the response is the proxy's own, such as that of a lost
/// session.
fn is_of_host<S: Stream>(stream: &mut S, responder: &mut Responder) -> bool {
    responder.address(stream).is_some()
}
