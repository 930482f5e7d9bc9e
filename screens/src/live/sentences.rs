//! What the comparison says.

use spillgate_core::model::{CoarseHealth, Health};
use spillgate_observe::{Agreement, WindowStart};
use spillgate_playground::state::{count, decimal, plural};

use super::{LiveComparison, messages::seconds};

/// The result in one sentence.
#[must_use]
pub fn headline(cluster: &str, compared: &LiveComparison) -> String {
    let requests = usize::try_from(compared.total).unwrap_or(usize::MAX);
    let requests = match requests {
        1 => plural(1, "request"),
        requests => format!("{}\u{a0}requests", count(requests)),
    };
    match compared.first_outside() {
        _ if compared.total == 0 => format!("{cluster}: no requests to compare yet."),
        None => format!("{cluster}: {requests} fit the prediction."),
        Some(priority) => {
            let observed = priority.observed.share().unwrap_or(0.0) * 100.0;
            format!(
                "{cluster}: {} gets {} of {requests}; the prediction is {}.",
                priority.name,
                decimal(observed),
                decimal(priority.predicted),
            )
        }
    }
}

/// Which requests are compared.
#[must_use]
pub fn window_text(compared: &LiveComparison) -> String {
    let length = seconds(compared.length_ms);
    let since = match compared.start {
        WindowStart::Length => return format!("Requests of the last {length}."),
        WindowStart::FirstReading => "since the first read",
        WindowStart::HostsChanged => "since hosts or health changed",
        WindowStart::CountersReset => "since Envoy's counters started again",
        WindowStart::Gap => "since the page reads again",
    };
    format!("Requests of the last {length}, {since}.")
}

/// What the table of hosts says about chance.
pub(super) fn hosts_text(compared: &LiveComparison) -> String {
    let (all, outside) = compared.hosts_outside();
    let chance = all.div_ceil(20);
    match outside {
        _ if compared.total == 0 => "Without requests, there are no bands.".into(),
        0 => format!("All {} are within their bands.", plural(all, "host")),
        outside => format!(
            "Outside of their bands: {outside} of {}. With a confidence of 95\u{a0}%, chance explains about {chance}.",
            plural(all, "host")
        ),
    }
}

/// Mark and word of an agreement, without color.
pub(super) const fn verdict(agreement: Agreement) -> (&'static str, &'static str, &'static str) {
    match agreement {
        Agreement::NoRequests => ("plain", "\u{2013}", "no requests"),
        Agreement::Inside => ("good", "\u{2713}", "fits"),
        Agreement::Outside => ("warning", "\u{25b2}", "differs"),
    }
}

/// The health of a host, with the flags of Envoy that cause it.
#[must_use]
pub fn health_text(health: Health) -> String {
    let class = match health.coarse() {
        CoarseHealth::Healthy => "healthy",
        CoarseHealth::Degraded => "degraded",
        CoarseHealth::Unhealthy => "unhealthy",
    };
    let flags = health.flags;
    let named = [
        (flags.failed_active_hc, "failed_active_hc"),
        (flags.failed_outlier_check, "failed_outlier_check"),
        (flags.degraded_active_hc, "degraded_active_hc"),
        (flags.pending_active_hc, "pending_active_hc"),
        (
            flags.excluded_via_immediate_hc_fail,
            "excluded_via_immediate_hc_fail",
        ),
        (flags.pending_dynamic_removal, "pending_dynamic_removal"),
    ];
    let set = named.into_iter().filter(|(is_set, _)| *is_set);
    let names: Vec<_> = set.map(|(_, name)| name).collect();
    match names.is_empty() {
        true => class.into(),
        false => format!("{class}: {}", names.join(", ")),
    }
}
