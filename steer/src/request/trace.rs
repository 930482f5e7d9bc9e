//! Decisions in the trace header and in access logs.

use alloc::{string::String, vec::Vec};

use spillgate_config::filter::TraceConfig;
use spillgate_core::{decide::Decision, route::Headers, snapshot::Snapshot, trace::Step};
use spillgate_explain::decision::decision_json;

use crate::{
    port::{Side, Stream},
    secret,
    settings::Settings,
};

/// The filter state name of a decision, for access logs.
const LOGGED_DECISION: &str = "spillgate.decision";

/// A decision that the client may read.
pub(super) struct TracedDecision {
    pub(super) decision: Decision,
    pub(super) steps: Option<Vec<Step>>,
}

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
pub(super) fn store<S: Stream>(
    stream: &mut S,
    settings: &Settings,
    snapshot: &Snapshot,
    decision: &Decision,
    steps: Option<&[Step]>,
) {
    let text = json(settings, snapshot, decision, steps);
    // A failure only affects access logs.
    let _ = stream.store_for_logs(LOGGED_DECISION, &text);
}

impl TracedDecision {
    /// Writes the trace header.
    pub(super) fn write<S: Stream>(
        &self,
        stream: &mut S,
        settings: &Settings,
        snapshot: &Snapshot,
    ) {
        if let Some(trace) = &settings.trace {
            let text = json(settings, snapshot, &self.decision, self.steps.as_deref());
            stream.set_header(Side::Response, &trace.header, &text);
        }
    }
}

/// A decision as one line of JSON.
fn json(
    settings: &Settings,
    snapshot: &Snapshot,
    decision: &Decision,
    steps: Option<&[Step]>,
) -> String {
    let candidates = decision.candidates(snapshot, settings.output.candidates);
    decision_json(snapshot, decision, &candidates, steps)
}
