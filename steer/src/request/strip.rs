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

/// Strips the headers that clients must not send. Returns whether all calls succeeded. Skips
/// headers that are known to be absent: a host call costs more than a search.
pub(super) fn request_headers<S: Stream>(
    stream: &mut S,
    settings: &Settings,
    read: Option<&S::Headers>,
) -> bool {
    let mut stripped = true;
    for name in &settings.stripped_request_headers {
        let absent = read.is_some_and(|headers| headers.first(name).is_none());
        if !absent {
            stripped &= stream.remove_header(Side::Request, name);
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
