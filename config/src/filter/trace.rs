//! `trace`: who sees how a decision came about.

use alloc::string::String;

use super::{TraceCondition, TraceConfig, header_name::read_header_name};
use crate::proto::{Message, Report, Schema};

/// The header of a trace that names none.
pub(crate) const DEFAULT_TRACE_HEADER: &str = "x-spillgate-trace";

static TRACE: Schema = Schema::new("trace", &["header", "when", "steps"]);
static WHEN: Schema = Schema::new("trace.when", &["header", "value"]);

/// Reads `trace`, which is off when absent.
pub(super) fn read_trace(parent: &Message<'_, '_>, report: &mut Report) -> Option<TraceConfig> {
    let message = parent.message("trace", &TRACE, report)?;
    let header = match message.get("header") {
        Some(_) => read_header_name(&message, "header", report),
        None => Some(String::from(DEFAULT_TRACE_HEADER)),
    };
    let steps = message.bool("steps", report).unwrap_or(false);
    if !message.has("when") {
        // Without a secret every client would see the hosts behind the proxy.
        report.push(
            message
                .error(
                    "when",
                    "config/missing",
                    "a trace without the secret that asks for it",
                )
                .expected("{header, value}"),
        );
        return None;
    }
    let when = message.message("when", &WHEN, report)?;
    if !when.has("header") {
        report.push(when.error("header", "config/missing", "a required field is missing"));
    }
    let name = read_header_name(&when, "header", report);
    let value = when.required_string("value", report);
    Some(TraceConfig {
        header: header?,
        when: TraceCondition {
            header: name?,
            value: value?.into(),
        },
        steps,
    })
}
