//! Hostcalls that start HTTP calls.

use crate::callout::Callout;
use crate::headers::HeaderMap;
use crate::memory::{Guest, Outcome};
use crate::status::Status;

/// Records the call. A cluster that the test has not declared is a bad argument, as in Envoy.
#[expect(
    clippy::too_many_arguments,
    reason = "the ABI has this many parameters"
)]
pub(super) fn dispatch(
    guest: &mut Guest<'_>,
    cluster_at: u32,
    cluster_length: u32,
    headers_at: u32,
    headers_length: u32,
    body_at: u32,
    body_length: u32,
    _trailers_at: u32,
    _trailers_length: u32,
    timeout_ms: u32,
    out: u32,
) -> Outcome {
    let cluster = guest.read_text(cluster_at, cluster_length)?;
    let wire = guest.read(headers_at, headers_length)?;
    let headers = HeaderMap::from_wire(&wire).ok_or(Status::BadArgument)?;
    let body = guest.read(body_at, body_length)?;
    let complete = [":method", ":path", ":authority"]
        .iter()
        .all(|name| headers.has(name));
    let state = guest.state();
    if !complete || !state.callout_clusters.contains(&cluster) {
        return Err(Status::BadArgument.into());
    }
    state.last_token += 1;
    let token = state.last_token;
    let context = state.effective_context;
    state.callouts.push(Callout {
        token,
        context,
        cluster,
        headers,
        body,
        timeout_ms,
    });
    guest.write_u32(out, token)
}
