//! `affinity.cookie`, `.header` and `.envelope`: the carrier of the token.

use alloc::string::String;

use super::cookie::{CookieConfig, read_cookie};
use crate::{
    Diagnostic,
    header_name::read_header_name,
    proto::{Message, Report, Schema},
};

/// A header with the token: its name.
pub(in crate::filter) static NAMED: Schema =
    Schema::new("affinity.header or affinity.envelope", "name");

/// The carrier of the token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Carrier {
    /// A cookie.
    Cookie(CookieConfig),
    /// A request and response header of this name, lowercase.
    Header(String),
    /// Sealed together with the server's own session id, in the server's session header of this
    /// name, lowercase.
    Envelope(String),
}

/// Reads the one required carrier; `None` after an error.
pub(super) fn read_carrier(message: &Message<'_, '_>, report: &mut Report) -> Option<Carrier> {
    for pair in [
        ["cookie", "header"],
        ["cookie", "envelope"],
        ["header", "envelope"],
    ] {
        message.one_of(&pair, report);
    }
    let cookie = read_cookie(message, report).map(Carrier::Cookie);
    let header = read_named(message, "header", report).map(Carrier::Header);
    let envelope = read_named(message, "envelope", report).map(Carrier::Envelope);
    if !["cookie", "header", "envelope"]
        .iter()
        .any(|field| message.has(field))
    {
        Diagnostic::error("config/missing", "no token carrier")
            .at(message.path.text(), message.position)
            .expected("cookie, header or envelope")
            .push_to(report);
    }
    cookie.or(header).or(envelope)
}

fn read_named(
    parent: &Message<'_, '_>,
    field: &'static str,
    report: &mut Report,
) -> Option<String> {
    let message = parent.message(field, &NAMED, report)?;
    message.require("name", report);
    read_header_name(&message, "name", report)
}
