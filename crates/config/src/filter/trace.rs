//! `trace` and `access_log`: the outputs that explain decisions.

use alloc::string::String;

use crate::header_name::read_header_name;
use crate::{
    Diagnostic,
    proto::{Message, Report, Schema},
};

/// Default of `trace.header`.
pub const DEFAULT_TRACE_HEADER: &str = "x-spillgate-trace";

/// `trace`: the header with the decision.
pub(super) static TRACE: Schema = Schema::new("trace", "header when steps");
/// `trace.when`: the secret that enables it.
pub(super) static WHEN: Schema = Schema::new("trace.when", "header value");
/// `access_log`: the sample of decisions for access logs.
pub(super) static ACCESS_LOG: Schema = Schema::new("access_log", "percent steps");

/// The minimum length of the secret, in characters: a shorter one can be guessed.
pub(super) const SHORTEST_SECRET: u32 = 16;

/// The trace header (`trace`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TraceConfig {
    /// The response header with the decision; lowercase.
    pub header: String,
    /// The requests that get it.
    pub when: TraceCondition,
    /// Whether it includes the steps of the decision.
    pub steps: bool,
}

/// The secret that enables a trace (`trace.when`).
#[derive(Clone, PartialEq, Eq)]
pub struct TraceCondition {
    /// The request header; lowercase.
    pub header: String,
    /// The required value: at least 16 characters.
    pub value: String,
}

impl core::fmt::Debug for TraceCondition {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        // The value is secret and must not be logged.
        f.debug_struct("TraceCondition")
            .field("header", &self.header)
            .finish_non_exhaustive()
    }
}

/// A sample of decisions for access logs (`access_log`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AccessLog {
    /// The share of decisions, in millionths.
    pub millionths: u32,
    /// Whether it includes the steps of the decisions.
    pub steps: bool,
}

/// Reads `trace`, which is off if absent.
pub(super) fn read_trace(parent: &Message<'_, '_>, report: &mut Report) -> Option<TraceConfig> {
    let message = parent.message("trace", &TRACE, report)?;
    let header = match message.get("header") {
        Some(_) => read_header_name(&message, "header", report),
        None => Some(String::from(DEFAULT_TRACE_HEADER)),
    };
    let steps = message.bool("steps", report).unwrap_or(false);
    if !message.has("when") {
        // Without a secret, every client would see the hosts behind the proxy.
        message
            .error("when", "config/missing", "trace without a secret")
            .expected("{header, value}")
            .push_to(report);
        return None;
    }
    let when = message.message("when", &WHEN, report)?;
    when.require("header", report);
    let name = read_header_name(&when, "header", report);
    let value = when.required_string("value", report);
    if value.is_some_and(|value| value.chars().count() < SHORTEST_SECRET as usize) {
        let fault = Diagnostic {
            // The value is secret.
            found: None,
            ..when.error("value", "config/value", "secret is too short")
        };
        report.push(fault.expected("at least 16 characters"));
        return None;
    }
    if value.is_some_and(|value| value.trim() != value || value.contains(char::is_control)) {
        let fault = Diagnostic {
            // The value is secret.
            found: None,
            ..when.error("value", "config/value", "no header can have this value")
        };
        report.push(fault.expected("no space at an end, and no control characters"));
        return None;
    }
    Some(TraceConfig {
        header: header?,
        when: TraceCondition {
            header: name?,
            value: value?.into(),
        },
        steps,
    })
}

/// Reads `access_log`, which is off if absent.
pub(super) fn read_access_log(parent: &Message<'_, '_>, report: &mut Report) -> Option<AccessLog> {
    /// Millionths in a percent.
    const PERCENT: f64 = 10_000.0;
    let message = parent.message("access_log", &ACCESS_LOG, report)?;
    let steps = message.bool("steps", report).unwrap_or(false);
    message.require("percent", report);
    let percent = message.double("percent", report)?;
    if !(0.0..=100.0).contains(&percent) {
        message.out_of_range("percent", "a number from 0 to 100", report);
        return None;
    }
    let millionths = (percent * PERCENT) as u32;
    if percent > 0.0 && millionths == 0 {
        message.out_of_range("percent", "0, or at least 0.0001", report);
    }
    Some(AccessLog { millionths, steps })
}
