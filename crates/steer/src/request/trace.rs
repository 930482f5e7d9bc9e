//! Decisions in the trace header and in access logs.

use alloc::string::String;

use spillgate_config::filter::TraceConfig;
use spillgate_core::{
    decide::{Decision, SessionSpread},
    route::Headers,
    trace::Step,
};
use spillgate_explain::decision::decision_json;

use crate::{
    Serving,
    port::{Side, Stream},
    secret,
    settings::Settings,
};

/// The filter state name of a decision, for access logs.
const LOGGED_DECISION: &str = "spillgate.decision";

/// The trace configuration, if the client sends the secret. Only the first value of the header
/// counts.
pub(super) fn requested<'a, S: Stream>(
    stream: &mut S,
    settings: &'a Settings,
    read: Option<&S::Headers>,
) -> Option<&'a TraceConfig> {
    let trace = settings.trace.as_ref()?;
    let (name, value) = (&trace.when.header, &trace.when.value);
    let presented = match read {
        Some(headers) => headers
            .first(name)
            .is_some_and(|given| secret::is_presented(value, given)),
        None => stream
            .header(Side::Request, name)
            .is_some_and(|given| secret::is_presented(value, &given)),
    };
    presented.then_some(trace)
}

/// Stores a decision for access logs.
pub(super) fn store<S: Stream>(stream: &mut S, text: &str) {
    // A failure only affects access logs.
    let _ = stream.store_for_logs(LOGGED_DECISION, text);
}

/// A decision as one line of JSON. The candidates are those of both clusters.
pub(super) fn json(
    serving: &Serving,
    decision: &Decision,
    next: Option<&Decision>,
    spread: SessionSpread<'_>,
    steps: Option<&[Step]>,
) -> String {
    let snapshot = &serving.snapshot;
    let most = serving.settings.output.candidates;
    let mut candidates = decision.candidates_of_session(snapshot, most, spread);
    if let Some(next) = next {
        candidates.extend(next.candidates_of_session(snapshot, most, SessionSpread::default()));
    }
    decision_json(snapshot, decision, &candidates, steps)
}
