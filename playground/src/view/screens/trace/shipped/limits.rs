//! What the filter decides without, in words.

use crate::view::screens::trace::{SessionKind, TraceInput};

/// Why the decisions here can differ from that of the screen.
pub(super) fn limits(input: &TraceInput) -> Vec<&'static str> {
    let mut limits = Vec::new();
    match input.session {
        SessionKind::Without => {}
        SessionKind::Envoy | SessionKind::EnvoyStrict => limits.push(
            "stateful_session is a filter of Envoy, which spillgate.wasm does not contain: both sides decide \
             without the session.",
        ),
        SessionKind::Spillgate => {
            limits.push("With a session, both host lists have one host: the filter orders further hosts by its token key.");
            if input.session_host.is_empty() && input.key.is_empty() {
                limits.push(
                    "The filter draws a number for a new session before it decides, so both sides can have another host \
                     than the steps above.",
                );
            }
        }
    }
    if !input.active.is_empty() {
        limits.push(
            "The filter counts active requests itself: both sides decide without those entered here.",
        );
    }
    limits
}
