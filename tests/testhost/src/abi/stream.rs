//! Hostcalls on the current stream: local replies and continuation.

use crate::exchange::LocalReply;
use crate::headers::HeaderMap;
use crate::memory::{Guest, Outcome};
use crate::status::Status;

/// A second local response for the same request is refused.
#[expect(
    clippy::too_many_arguments,
    reason = "the ABI has this many parameters"
)]
pub(super) fn send_local_response(
    guest: &mut Guest<'_>,
    code: u32,
    details_at: u32,
    details_length: u32,
    body_at: u32,
    body_length: u32,
    headers_at: u32,
    headers_length: u32,
    grpc_status: i32,
) -> Outcome {
    let details = guest.read(details_at, details_length)?;
    let body = guest.read(body_at, body_length)?;
    let wire = guest.read(headers_at, headers_length)?;
    let headers = HeaderMap::from_wire(&wire).ok_or(Status::BadArgument)?;
    let status = u16::try_from(code).map_err(|_| Status::BadArgument)?;
    let state = guest.state();
    if state.local_response.is_some() {
        return Err(Status::BadArgument.into());
    }
    state.local_response = Some(LocalReply {
        status,
        details: String::from_utf8_lossy(&details).into_owned(),
        headers,
        body,
        grpc_status: u32::try_from(grpc_status).ok(),
    });
    Ok(())
}

/// This host never waits for a paused stream, so there is nothing to set in motion.
pub(super) fn keep_going(_guest: &mut Guest<'_>, _kind: u32) -> Outcome {
    Ok(())
}

pub(super) fn close(_guest: &mut Guest<'_>, _kind: u32) -> Outcome {
    Err(Status::Unimplemented.into())
}
