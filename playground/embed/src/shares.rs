//! The figures of a scenario as JSON, for the event of the widget.

use spillgate_core::json::Writer;
use spillgate_explain::format::fixed;
use spillgate_scenario::{PanicMode, ScenarioOutcome};

/// Writes `shares` and `noHost` into an open object. Shares are percent of the requests, with one
/// decimal.
pub(crate) fn write(outcome: &ScenarioOutcome, json: &mut Writer) {
    json.key("shares");
    json.begin_list();
    for row in outcome.priorities() {
        json.begin_object();
        json.key("cluster");
        json.string(&row.owner);
        json.key("priority");
        json.uint(row.row.at.priority as u64);
        json.key("load");
        json.uint(row.row.load().into());
        json.key("share");
        json.decimal(&fixed(row.share()));
        json.key("hosts");
        json.uint(row.hosts.len() as u64);
        json.key("healthy");
        json.uint(row.healthy() as u64);
        json.key("panic");
        match row.panic {
            PanicMode::Off => json.null(),
            PanicMode::Priority => json.string("panic"),
            PanicMode::Total => json.string("total"),
        }
        json.end_object();
    }
    json.end_list();
    json.key("noHost");
    json.decimal(&fixed(outcome.no_host()));
}
