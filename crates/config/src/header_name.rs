//! Names of headers that the filter writes or drops.

use alloc::string::String;

use crate::{
    Diagnostic, Position,
    node::quote,
    proto::{Message, Report},
};

/// Names that a setting cannot use: Envoy or HTTP itself gives these headers their meaning, drops them or
/// keeps them under another name, and cookies are lists of which the application owns the rest.
const OF_HTTP: [&str; 10] = [
    "connection",
    "content-length",
    "cookie",
    "host",
    "keep-alive",
    "proxy-connection",
    "set-cookie",
    "te",
    "trailer",
    "transfer-encoding",
];

/// Whether HTTP uses the name, which is lowercase.
fn is_of_http(name: &str) -> bool {
    OF_HTTP.contains(&name)
}

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

/// The name in lowercase if it is a valid header name that a setting can use.
pub(crate) fn check_header_name(
    name: &str,
    path: String,
    position: Position,
    report: &mut Report,
) -> Option<String> {
    let token = |b: u8| b.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&b);
    let lowercase = name.to_ascii_lowercase();
    let is_valid = !name.is_empty() && name.bytes().all(token);
    if is_valid && !is_of_http(&lowercase) {
        return Some(lowercase);
    }
    let (fault, expected) = if is_valid {
        ("HTTP itself uses this header", "another name")
    } else {
        ("invalid header name", "letters, digits and -")
    };
    Diagnostic::error("config/header-name", fault)
        .at(path, position)
        .found(quote(name))
        .expected(expected)
        .push_to(report);
    None
}
