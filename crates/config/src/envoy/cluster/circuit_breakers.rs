//! How many connections, requests and retries of a cluster are possible at the same time (`CircuitBreakers`).

use spillgate_core::route::RetryCap;

use crate::{
    Position,
    envoy::{
        common::HIGH_PRIORITY,
        marks::{CircuitBreakers, RetryLimit, Thresholds},
        schema::{CIRCUIT_BREAKERS, RETRY_BUDGET, THRESHOLDS},
    },
    proto::{Message, Report},
};

/// Reads the limits; the first thresholds of each routing priority count.
pub(super) fn read_circuit_breakers(
    cluster: &Message<'_, '_>,
    report: &mut Report,
) -> CircuitBreakers {
    let mut limits = CircuitBreakers::default();
    let Some(breakers) = cluster.message("circuit_breakers", &CIRCUIT_BREAKERS, report) else {
        return limits;
    };
    let mut seen = [false; 2];
    for (path, node) in breakers.list("thresholds", report) {
        let Some(message) = Message::open(node, path, &THRESHOLDS, report) else {
            continue;
        };
        let high = message.enumeration("priority", &HIGH_PRIORITY, report) == Some(true);
        let thresholds = read_thresholds(&message, report);
        let [seen_default, seen_high] = &mut seen;
        let (seen, to) = if high {
            (seen_high, &mut limits.high)
        } else {
            (seen_default, &mut limits.default)
        };
        if !core::mem::replace(seen, true) {
            *to = thresholds;
        }
    }
    limits
}

fn read_thresholds(message: &Message<'_, '_>, report: &mut Report) -> Thresholds {
    let mut most = |field| {
        let stated = message.wrapped_u32(field, report);
        stated.unwrap_or(Thresholds::DEFAULT_MOST)
    };
    Thresholds {
        connections: most("max_connections"),
        pending_requests: most("max_pending_requests"),
        requests: most("max_requests"),
        retries: read_retry_limit(message, report),
    }
}

fn read_retry_limit(message: &Message<'_, '_>, report: &mut Report) -> RetryLimit {
    let most = message.wrapped_u32("max_retries", report);
    let place =
        |field: &'static str| -> Option<Position> { message.get(field).map(|node| node.position) };
    if let Some(budget) = message.message("retry_budget", &RETRY_BUDGET, report) {
        let percent = budget.percent("budget_percent", report).unwrap_or(20.0);
        let least = budget.wrapped_u32("min_retry_concurrency", report);
        return RetryLimit {
            cap: RetryCap::Budget {
                percent,
                least: least.unwrap_or(3),
            },
            position: place("retry_budget"),
        };
    }
    RetryLimit {
        cap: RetryCap::Most(most.unwrap_or(RetryCap::DEFAULT_MOST)),
        position: place("max_retries"),
    }
}
