//! Settings of a connection manager that refuse requests because of their headers.

use alloc::format;

use spillgate_core::route::RouteTable;

use crate::{
    node::{NodeValue, quote},
    proto::{Message, Report, field_of, integer_of},
};

/// The code of limits about the connection manager.
const CODE: &str = "config/connection-manager-not-modeled";
/// The message with these settings.
const OPTIONS: &str = "common_http_protocol_options";
/// The number of headers that Envoy accepts by default.
const DEFAULT_COUNT: i64 = 100;

/// Names these settings.
pub(super) fn name_admission(manager: &Message<'_, '_>, routes: &RouteTable, report: &mut Report) {
    name_underscores(manager, routes, report);
    let option = "max_headers_count";
    let count = manager.get(OPTIONS).and_then(|node| field_of(node, option));
    // HTTP/1 counts `host`, HTTP/2 all pseudo headers.
    let Some(count) = count.filter(|node| integer_of(node).is_some_and(|n| n < DEFAULT_COUNT))
    else {
        return;
    };
    let effect = "max_headers_count is not modeled; requests with more headers get status 431";
    let path = manager.path.field(OPTIONS).field(option);
    report.limit(CODE, effect, &path, count.position);
}

/// Names the refusal of headers with underscores, or the loss of those that routes read.
fn name_underscores(manager: &Message<'_, '_>, routes: &RouteTable, report: &mut Report) {
    let option = "headers_with_underscores_action";
    let Some(action) = manager.get(OPTIONS).and_then(|node| field_of(node, option)) else {
        return;
    };
    let is = |name: &str, number: i64| match &action.value {
        NodeValue::String(found) => found == name,
        NodeValue::Int(found) => *found == number,
        _ => false,
    };
    let path = manager.path.field(OPTIONS).field(option);
    if is("REJECT_REQUEST", 1) {
        let effect = format!(
            "{option} is not modeled; requests with an underscore in a header name get status 400"
        );
        report.limit(CODE, effect, &path, action.position);
        return;
    }
    let read = routes.read_headers();
    if let Some(name) = read
        .iter()
        .find(|name| name.contains('_') && !is("ALLOW", 0))
    {
        let effect = format!(
            "{option} is not modeled; requests lose the header {}",
            quote(name)
        );
        report.limit(CODE, effect, &path, action.position);
    }
}
