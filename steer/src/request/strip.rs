//! Stripping internal and reserved headers.

use spillgate_config::filter::Output;
use spillgate_core::route::Headers;

use crate::{
    port::{Side, Stream},
    settings::Settings,
};

/// Strips the internal headers from a request that no configuration serves.
pub(super) fn default_headers<S: Stream>(stream: &mut S) {
    let output = Output::default();
    stream.remove_header(Side::Request, &output.host_header);
    stream.remove_header(Side::Request, &output.cluster_header);
}

/// Strips the headers that clients must not send. Whether it worked. Headers that are known to be
/// absent are skipped: a host call costs more than a look.
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
