//! Stripping internal and reserved headers.

use spillgate_config::filter::Output;
use spillgate_core::route::Headers;

use crate::{
    port::{Side, Stream},
    settings::Settings,
};

/// Strips the internal headers of a request before any configuration was accepted.
pub(super) fn default_headers<S: Stream>(stream: &mut S) {
    let output = Output::default();
    stream.remove_header(Side::Request, &output.host_header);
    stream.remove_header(Side::Request, &output.cluster_header);
}

/// What stripping a request did.
#[derive(Clone, Copy)]
pub(super) struct StrippedRequest {
    /// Whether a header is known to have been there.
    pub(super) any: bool,
    /// Whether all calls succeeded.
    pub(super) worked: bool,
}

/// Strips the headers that clients must not send. Skips headers that are known to be absent: a host call
/// costs more than a search.
pub(super) fn request_headers<S: Stream>(
    stream: &mut S,
    settings: &Settings,
    read: Option<&S::Headers>,
) -> StrippedRequest {
    let mut stripped = StrippedRequest {
        any: false,
        worked: true,
    };
    for name in &settings.stripped_request_headers {
        let present = read.map(|headers| headers.first(name).is_some());
        stripped.any |= present == Some(true);
        if present != Some(false) {
            stripped.worked &= stream.remove_header(Side::Request, name);
        }
    }
    stripped
}

/// Strips the headers that clients must not see.
pub(super) fn response_headers<S: Stream>(stream: &mut S, settings: &Settings) {
    for name in &settings.stripped_response_headers {
        stream.remove_header(Side::Response, name);
    }
}
