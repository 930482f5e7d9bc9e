//! `affinity.accept`: sessions of other proxies, accepted during a migration.

use alloc::vec::Vec;

use crate::{
    Diagnostic,
    proto::{Message, Report},
};

/// The forms in a cookie.
pub(in crate::filter) const COOKIES: [(&str, i64, Accepted); 2] = [
    ("envoy_cookie", 0, Accepted::EnvoyCookie),
    ("grpc_cookie", 1, Accepted::GrpcCookie),
];

/// The forms in a header.
pub(in crate::filter) const HEADERS: [(&str, i64, Accepted); 1] =
    [("envoy_header", 2, Accepted::EnvoyHeader)];

/// A session form of another proxy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Accepted {
    /// The cookie of Envoy's `stateful_session`.
    EnvoyCookie,
    /// The header of Envoy's `stateful_session`.
    EnvoyHeader,
    /// The cookie of gRPC (gRFC A60).
    GrpcCookie,
}

/// Reads the forms. A form is read from the token's carrier, so it must be a form of that carrier.
pub(super) fn read_accept(message: &Message<'_, '_>, report: &mut Report) -> Vec<Accepted> {
    if message.has("header") {
        return message.enumerations("accept", &HEADERS, report);
    }
    if !message.has("envelope") {
        return message.enumerations("accept", &COOKIES, report);
    }
    let forms: Vec<_> = message.list("accept", report).collect();
    for (path, form) in forms {
        Diagnostic::error("config/one-of", "accept is not supported with envelope")
            .at(path.text(), form.position)
            .found(form.describe())
            .expected("cookie or header instead of envelope")
            .push_to(report);
    }
    Vec::new()
}
