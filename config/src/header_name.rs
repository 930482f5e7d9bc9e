//! Names of headers that the filter writes or drops.

use alloc::string::String;

use crate::{
    Diagnostic, Position,
    node::quote,
    proto::{Message, Report},
};

/// A header name in a field, lowercase; `None` if it is absent, or after an error.
pub(crate) fn read_header_name(
    message: &Message<'_, '_>,
    field: &'static str,
    report: &mut Report,
) -> Option<String> {
    let name = message.string(field, report)?;
    let path = message.path.field(field).text();
    check_header_name(name, path, message.position_of(field), report)
}

/// The name in lowercase if it is a valid header name.
pub(crate) fn check_header_name(
    name: &str,
    path: String,
    position: Position,
    report: &mut Report,
) -> Option<String> {
    let token = |b: u8| b.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&b);
    if !name.is_empty() && name.bytes().all(token) {
        return Some(name.to_ascii_lowercase());
    }
    Diagnostic::error("config/header-name", "invalid header name")
        .at(path, position)
        .found(quote(name))
        .expected("letters, digits and -")
        .push_to(report);
    None
}
