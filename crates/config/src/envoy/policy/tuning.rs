//! Policy settings for request counts and slow start.

use core::time::Duration;

use spillgate_core::model::{
    DEFAULT_CHOICE_COUNT, LeastRequestConfig, Policy, SelectionMethod, SlowStart,
};

use crate::{
    envoy::{
        marks::ClusterMarks,
        schema::{RUNTIME_DOUBLE, SLOW_START},
    },
    proto::{Message, Report},
};

/// The minimum `choice_count` that Envoy accepts.
const MINIMUM_CHOICE_COUNT: u32 = 2;

/// `SelectionMethod` of least request; `true`: compare all hosts.
pub(crate) const SELECTION_METHOD: [(&str, i64, bool); 2] =
    [("N_CHOICES", 0, false), ("FULL_SCAN", 1, true)];

/// The settings of `LEAST_REQUEST`; the classic message lacks two of the fields, which its schema
/// rejects.
pub(super) fn read_least_request(message: &Message<'_, '_>, report: &mut Report) -> Policy {
    let count = message.wrapped_u32("choice_count", report);
    if count.is_some_and(|count| count < MINIMUM_CHOICE_COUNT) {
        message.out_of_range("choice_count", "an integer from 2 to 4294967295", report);
    }
    let bias = read_runtime_double(message, "active_request_bias", BIAS, report);
    let deprecated = message.bool("enable_full_scan", report).unwrap_or(false);
    let full_scan = message.enumeration("selection_method", &SELECTION_METHOD, report);
    let selection = if deprecated || full_scan == Some(true) {
        SelectionMethod::FullScan
    } else {
        let count = count.unwrap_or(DEFAULT_CHOICE_COUNT);
        SelectionMethod::Choices(count.max(MINIMUM_CHOICE_COUNT))
    };
    Policy::LeastRequest(LeastRequestConfig::new(selection, bias.unwrap_or(1.0)))
}

/// `slow_start_config`, the same message in all policies with slow start.
pub(super) fn read_slow_start(
    message: &Message<'_, '_>,
    marks: &mut ClusterMarks,
    report: &mut Report,
) -> Option<SlowStart> {
    let field = "slow_start_config";
    let config = message.message(field, &SLOW_START, report)?;
    let window = config.duration("slow_start_window", report);
    let aggression = read_runtime_double(&config, "aggression", AGGRESSION, report);
    let percent = config.percent("min_weight_percent", report);
    // Envoy counts whole milliseconds; a shorter window is 0.
    let milliseconds = window.unwrap_or_default().as_millis();
    let window = Duration::from_millis(u64::try_from(milliseconds).unwrap_or(u64::MAX));
    let read = SlowStart::new(window, aggression.unwrap_or(1.0), percent.unwrap_or(10.0))?;
    marks.slow_start = Some(config.position);
    report.not_in_filter("config/not-supported", field, &config.path, config.position);
    Some(read)
}

/// A range of numbers, and its description.
type Range = (fn(f64) -> bool, &'static str);

const BIAS: Range = (|bias| bias >= 0.0, "at least 0");
const AGGRESSION: Range = (|aggression| aggression > 0.0, "a number above 0");

/// A `RuntimeDouble`: the number of its runtime key, else its default, or 0 if it has none.
fn read_runtime_double(
    message: &Message<'_, '_>,
    field: &'static str,
    (legal, expected): Range,
    report: &mut Report,
) -> Option<f64> {
    let double = message.message(field, &RUNTIME_DOUBLE, report)?;
    let key = double.string("runtime_key", report).unwrap_or_default();
    let default = double.double("default_value", report).unwrap_or(0.0);
    if !key.is_empty() {
        let path = double.path.field("runtime_key");
        let position = double.position_of("runtime_key");
        report.has_runtime_key(key, "default_value", &path, position);
    }
    if let Some(value) = report.runtime_double(key) {
        return Some(value);
    }
    let value = default;
    if !legal(value) {
        let fault = "out of range; Envoy uses 1";
        let diagnostic = double.error("default_value", "config/value", fault);
        report.doubt(diagnostic.expected(expected));
    }
    Some(value)
}
