//! The errors of a request.

use std::io;

use spillgate_config::{Diagnostic, node::quote};
use ureq::{Error, http::StatusCode};

use crate::{AdminLimits, AdminPath};

/// A failed request.
pub(crate) fn failed(error: Error, limits: &AdminLimits) -> Box<Diagnostic> {
    Box::new(match error {
        Error::Timeout(_) => {
            let what = "Envoy did not answer in time; use --admin-timeout for a longer wait";
            Diagnostic::error("admin/timeout", what)
                .found(format!("no response in {:?}", limits.time))
        }
        Error::BodyExceedsLimit(bytes) => {
            let what =
                "response exceeds the size limit; read a smaller proxy, or save and split it";
            Diagnostic::error("input/too-large", what).found(format!("more than {bytes} bytes"))
        }
        Error::HostNotFound => Diagnostic::error("admin/unreachable", "unknown host"),
        Error::Io(error) => unreachable_address(&error),
        Error::Protocol(error) => {
            let what = format!("response is incomplete or not HTTP/1.1: {error}");
            Diagnostic::error("admin/response", what)
        }
        other => Diagnostic::error("admin/unreachable", format!("cannot connect: {other}")),
    })
}

fn unreachable_address(error: &io::Error) -> Diagnostic {
    match error.kind() {
        io::ErrorKind::UnexpectedEof => Diagnostic::error(
            "admin/response",
            "response is incomplete; Envoy closed the connection",
        ),
        _ => Diagnostic::error("admin/unreachable", format!("cannot connect: {error}")),
    }
}

/// A response with another status than 200.
pub(crate) fn refused(status: StatusCode, location: Option<&str>) -> Box<Diagnostic> {
    let what = match status.as_u16() {
        300..=399 => "redirects are not followed; use the URL of Envoy's admin interface",
        401 | 403 => {
            "access denied; allow the path in `admin.allow_paths`, or use the URL of Envoy's admin interface"
        }
        404 => "unknown path; use the URL of Envoy's admin interface",
        _ => "Envoy refused the request",
    };
    let mut found = format!("status {}", status.as_u16());
    if let Some(location) = location {
        found.push_str(&format!(", location {}", quote(location)));
    }
    let fault = Diagnostic::error("admin/status", what);
    Box::new(fault.found(found).expected("status 200"))
}

/// A response that is not Envoy's.
pub(crate) fn foreign(path: AdminPath, text: &str) -> Box<Diagnostic> {
    const SHOWN: usize = 40;
    let start: String = text.trim_start().chars().take(SHOWN).collect();
    let fault = Diagnostic::error(
        "admin/response",
        "response is not from Envoy's admin interface",
    );
    Box::new(fault.found(quote(&start)).expected(path.content()))
}
