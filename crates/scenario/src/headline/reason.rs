//! The second line of the headline: the reason as a calculation.

use spillgate_explain::report::{NEGLIGIBLE_SHARE, ResultSeverity};

use super::sentence::{shares_text, unhealthy_of_members};
use crate::{PanicMode, PriorityReport, ScenarioOutcome, overprovisioning, plural, whole};

/// The most priorities whose calculation is shown.
const MOST: usize = 2;

/// The reason of a headline, after what its sentence has no room for.
pub(super) fn reason(severity: ResultSeverity, outcome: &ScenarioOutcome) -> String {
    let reason = calculated(severity, outcome);
    let first = match severity {
        ResultSeverity::Overload | ResultSeverity::Degraded => shares_text(outcome),
        ResultSeverity::Panic => unhealthy_of_members(outcome),
        _ => None,
    };
    match first {
        Some(first) => format!("{first} {reason}"),
        None => reason,
    }
}

fn calculated(severity: ResultSeverity, outcome: &ScenarioOutcome) -> String {
    match severity {
        ResultSeverity::Unknown => {
            "Add the output of /clusters or a config dump. The figures below leave them out.".into()
        }
        ResultSeverity::NoHost => no_host(outcome),
        ResultSeverity::Panic => panic(outcome),
        ResultSeverity::Overload => format!(
            "{} The loads are scaled up from {} to 100\u{a0}%.",
            below_100(outcome),
            whole(outcome.availability())
        ),
        ResultSeverity::Degraded | ResultSeverity::Spillover => below_100(outcome),
        ResultSeverity::Well => outcome
            .priorities()
            .first()
            .map(calculation)
            .unwrap_or_default(),
    }
}

fn no_host(outcome: &ScenarioOutcome) -> String {
    let rows = outcome.priorities();
    if rows.iter().all(|row| row.hosts.is_empty()) {
        return "The cluster has no hosts.".into();
    }
    let mut reasons = Vec::new();
    if outcome.dropped() > 0.0 {
        let dropped = crate::percent(outcome.dropped());
        reasons.push(format!("drop_overloads drops {dropped} of the requests."));
    }
    let expected = (100.0 - outcome.dropped()) / 100.0;
    let unserved = rows.iter().filter(|row| {
        !row.repeated && f64::from(row.row.load()) * expected - row.share() >= NEGLIGIBLE_SHARE
    });
    let mut refusing = unserved.clone().filter(|row| row.in_panic_mode());
    let disabled = rows.iter().all(|row| row.panic_threshold == 0) && outcome.threshold() == 0;
    if let Some(row) = refusing.find(|row| row.healthy() + row.degraded() > 0) {
        reasons.push(format!(
            "{} is in panic mode, in which the cluster refuses requests.",
            row.name
        ));
    } else {
        for row in unserved.take(MOST) {
            reasons.push(format!("{}.", usable(row)));
        }
        if disabled && outcome.no_host() > outcome.dropped() {
            reasons.push("A panic threshold of 0 disables panic mode.".into());
        }
    }
    if reasons.is_empty() {
        return "No subset or priority has a usable host.".into();
    }
    reasons.join(" ")
}

/// Panic mode needs both: a total availability below 100, and a priority below its threshold.
fn panic(outcome: &ScenarioOutcome) -> String {
    let rows = outcome.priorities().iter();
    let mut panicking = rows.filter(|row| row.row.load() > 0 && row.in_panic_mode());
    let total = panicking.clone().all(|row| row.panic == PanicMode::Total);
    let several = outcome.priorities().len() > 1;
    if total && several {
        return format!(
            "Total availability is {}, and every priority is below the panic threshold of {}: \
             Envoy ignores health and splits by host count.",
            whole(outcome.availability()),
            whole(outcome.threshold())
        );
    }
    let Some(row) = panicking.next() else {
        return String::new();
    };
    let threshold = if total {
        outcome.threshold()
    } else {
        row.panic_threshold
    };
    let and_more = match panicking.count() {
        0 => String::new(),
        more => format!(", as are {more} more"),
    };
    format!(
        "{}, below the panic threshold of {}{and_more}: Envoy ignores health.",
        usable(row),
        whole(threshold)
    )
}

/// `P0: 4 of 10 hosts are usable (40 %)`, rounded down.
fn usable(row: &PriorityReport) -> String {
    let usable = row.healthy() + row.degraded();
    let counted = row.counted();
    if counted == 0 {
        return format!("{} has no hosts that count", row.name);
    }
    let tenths = usable * 1_000 / counted;
    let (full, part) = (tenths / 10, tenths % 10);
    let percent = match part {
        0 => format!("{full}\u{a0}%"),
        part => format!("{full}.{part}\u{a0}%"),
    };
    let word = if row.degraded() > 0 {
        "usable"
    } else {
        "healthy"
    };
    let hosts = plural(counted, "host");
    format!("{}: {usable} of {hosts} {word} ({percent})", row.name)
}

/// The calculations of the priorities that spill over.
fn below_100(outcome: &ScenarioOutcome) -> String {
    let rows = outcome.priorities().iter();
    let spilling = rows.filter(|row| !row.repeated && row.row.availability.healthy < 100);
    let all: Vec<String> = spilling.map(calculation).collect();
    match all.get(..MOST) {
        _ if all.is_empty() => first(outcome),
        Some(shown) if all.len() > MOST => {
            format!(
                "{} {} more are below 100\u{a0}%.",
                shown.join(" "),
                all.len() - MOST
            )
        }
        _ => all.join(" "),
    }
}

fn first(outcome: &ScenarioOutcome) -> String {
    let first = outcome.priorities().first();
    first.map(calculation).unwrap_or_default()
}

/// `P0: 5 of 10 hosts × 1.4 = 70 %.`
fn calculation(row: &PriorityReport) -> String {
    let health = &row.row.health;
    if row.counted() == 0 {
        return format!("{} has no hosts that count.", row.name);
    }
    let part = match &health.weights {
        Some(weights) => format!(
            "weight {} of {}",
            weights.healthy,
            weights.all.saturating_sub(weights.excluded)
        ),
        None => format!("{} of {}", row.healthy(), plural(row.counted(), "host")),
    };
    let available = row.row.availability.healthy;
    let equals = if available == 100 { "\u{2265}" } else { "=" };
    let factor = overprovisioning(health.factor);
    format!(
        "{}: {part} \u{d7} {factor} {equals} {}.",
        row.name,
        whole(available)
    )
}
