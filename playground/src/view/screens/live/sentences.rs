//! What the comparison says.

use spillgate_core::model::Health;
use spillgate_observe::{Agreement, WindowStart};
use spillgate_scenario::{count, decimal, fixed, plural};

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

/// Which requests are compared, how many a second they are, and how long Envoy has run.
#[must_use]
pub fn window_text(compared: &LiveComparison) -> String {
    let length = seconds(compared.length_ms);
    let since = match compared.start {
        WindowStart::Length => "",
        WindowStart::FirstReading => ", since the first read",
        WindowStart::HostsChanged => ", since hosts or health changed",
        WindowStart::CountersReset => ", since Envoy's counters started again",
        WindowStart::Gap => ", since the playground reads again",
    };
    let rate = match compared.length_ms {
        0 => String::new(),
        ms => {
            let rate = compared.total as f64 * 1_000.0 / ms as f64;
            format!(": {} a second", fixed(rate))
        }
    };
    let uptime = compared.uptime.map_or_else(String::new, |uptime| {
        format!(" Envoy has run for {}.", rough_time(uptime))
    });
    format!("Requests of the last {length}{since}{rate}.{uptime}")
}

/// Seconds in the largest unit of which there are at least two.
fn rough_time(seconds: u64) -> String {
    let units = [(86_400, "day"), (3_600, "hour"), (60, "minute")];
    let unit = units.iter().find(|(length, _)| seconds >= 2 * length);
    let (length, name) = unit.copied().unwrap_or((1, "second"));
    plural(
        usize::try_from(seconds / length).unwrap_or(usize::MAX),
        name,
    )
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
    let class = health.coarse().name();
    let names: Vec<&str> = health.flags.names().collect();
    if names.is_empty() {
        class.into()
    } else {
        format!("{class}: {}", names.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_one_unit() {
        let texts = [0, 1, 119, 120, 7_199, 7_200, 172_799, 172_800].map(rough_time);
        assert_eq!(
            texts.map(|text| text.replace('\u{a0}', " ")),
            [
                "0 seconds",
                "1 second",
                "119 seconds",
                "2 minutes",
                "119 minutes",
                "2 hours",
                "47 hours",
                "2 days"
            ]
        );
    }
}
