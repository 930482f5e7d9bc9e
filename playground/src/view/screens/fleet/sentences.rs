//! The words that the report does not have.

use spillgate_explain::{
    format::{fixed, percent, plural},
    report::ResultSeverity,
};
use spillgate_scenario::ResultVerdict;
use spillgate_sim::fleet::{CaseReport, FleetReport, LostCallers};

use super::{
    FleetInput, FleetOutcome, FleetStage,
    text::{hundredths, place_name},
};

/// Smaller figures result from rounding.
const NOTHING: f64 = 1e-9;

/// Whether the fleet survives the loss of each zone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SurvivalVerdict {
    /// In one or two words.
    pub verdict: ResultVerdict,
    /// The index of the case that it is about; `None` if all cases are good.
    pub case: Option<usize>,
}

/// The verdict: about now, then about the first loss that the other zones do not survive.
#[must_use]
pub fn survival(outcome: &FleetOutcome) -> SurvivalVerdict {
    let mut cases = outcome.report.cases.iter().enumerate();
    let worst = cases.find(|(_, case)| !case.survives());
    let (severity, label) = match worst {
        Some((at, case)) => {
            let (severity, label) = if case.no_host > NOTHING {
                (ResultSeverity::NoHost, "No host")
            } else if case.is_overloaded() {
                (ResultSeverity::Overload, "Overload")
            } else {
                (ResultSeverity::Panic, "Panic")
            };
            (severity, if at == 0 { label } else { "Not safe" })
        }
        None if !outcome.has_capacity => (ResultSeverity::Unknown, "Capacity not known"),
        None if outcome.report.cases.len() < 2 => (ResultSeverity::Well, "Enough capacity"),
        None => (ResultSeverity::Well, "Survives"),
    };
    SurvivalVerdict {
        verdict: ResultVerdict { severity, label },
        case: worst.map(|(at, _)| at),
    }
}

/// What matters most, as a sentence. The report's own does not name panic mode.
#[must_use]
pub fn headline_sentence(outcome: &FleetOutcome) -> String {
    let of = survival(outcome);
    match of.case {
        Some(at) if of.verdict.severity == ResultSeverity::Panic => {
            case_sentence(outcome, at).unwrap_or_default()
        }
        _ => capitalized(&outcome.verdict) + ".",
    }
}

/// A case in words: `If a fails, zone b gets 143 % of its capacity.` `None` for an unknown case.
#[must_use]
pub fn case_sentence(outcome: &FleetOutcome, at: usize) -> Option<String> {
    let report = &outcome.report;
    let case = report.cases.get(at)?;
    let mut faults = Vec::new();
    if case.no_host > NOTHING {
        let share = percent(100.0 * case.no_host / case.requests);
        faults.push(format!("{share} of the requests find no host"));
    }
    faults.extend(overloads(report, case));
    let panicking = case.priorities.iter().filter(|of| of.panic);
    faults.extend(panicking.map(|of| format!("{} is in panic mode", place_name(Some(&of.place)))));
    let text = if faults.is_empty() {
        good(report, case)
    } else {
        faults.join("; ")
    };
    let condition = report.condition(at);
    Some(if condition.is_empty() {
        format!("Now {text}.")
    } else {
        format!("{}, {text}.", capitalized(&condition))
    })
}

/// The zones, or the host, that get more than their capacity.
fn overloads(report: &FleetReport, case: &CaseReport) -> Vec<String> {
    let zones = case.zones.iter().enumerate();
    let over = zones.filter_map(|(at, zone)| {
        let ratio = zone.utilization().filter(|ratio| *ratio > 1.0 + NOTHING)?;
        let (subject, own) = report.zone_subject(at);
        Some(format!(
            "{subject} {} of {own} capacity",
            percent(100.0 * ratio)
        ))
    });
    let over: Vec<String> = over.collect();
    let host = case
        .worst
        .filter(|_| over.is_empty() && case.is_overloaded());
    let host = host.and_then(|worst| {
        let address = &report.hosts.get(worst.host)?.address;
        let share = percent(100.0 * worst.utilization?);
        Some(format!("host {address} gets {share} of its capacity"))
    });
    over.into_iter().chain(host).collect()
}

/// A case without overload, panic mode or requests without a host.
fn good(report: &FleetReport, case: &CaseReport) -> String {
    if let Some(highest) = case.highest() {
        let share = percent(100.0 * highest);
        return format!("no host gets more than {share} of its capacity");
    }
    let zones = case.zones.iter().enumerate();
    let busiest = zones.max_by(|a, b| a.1.rps.total_cmp(&b.1.rps));
    match busiest.filter(|(_, zone)| zone.rps > 0.0) {
        Some((at, zone)) => {
            let subject = report.zone_subject(at).0;
            format!("{subject} most requests: {} per second", fixed(zone.rps))
        }
        None => "no host gets requests".into(),
    }
}

/// Who sends what, and what the figures assume.
#[must_use]
pub fn senders_sentence(stage: &FleetStage, outcome: &FleetOutcome, input: &FleetInput) -> String {
    let callers = stage.zones.iter().map(|zone| input.zone(&zone.key).callers);
    let callers: u32 = callers.sum();
    let requests = outcome.report.present().map_or(0.0, |case| case.requests);
    let send = if callers == 1 { "sends" } else { "send" };
    let callers = plural(callers as usize, "caller");
    let hosts = plural(outcome.report.hosts.len(), "host");
    let routing = match outcome.counts_callers {
        Some(true) => " Zone-aware routing counts these callers.",
        Some(false) => " Zone-aware routing is off: the callers have no local cluster.",
        None => "",
    };
    let lost = match input.lost_callers {
        LostCallers::Stay => " The callers of a lost zone send as before.",
        LostCallers::Fail => " Callers fail with their zone.",
        LostCallers::Move => " Callers fail with their zone, and the others send their requests.",
    };
    let lost = if outcome.losses().next().is_some() {
        lost
    } else {
        ""
    };
    let (requests, to) = (fixed(requests), &stage.destination);
    format!("{callers} {send} {requests} requests per second to {to} ({hosts}).{routing}{lost}")
}

/// The load of the most loaded host over the mean of its priority; `None` if no usable host gets requests.
#[must_use]
pub fn imbalance_sentence(outcome: &FleetOutcome) -> Option<String> {
    let ratio = outcome.report.present()?.imbalance?;
    Some(format!(
        "Imbalance: the most loaded host gets {} times the mean of the usable hosts of its priority.",
        hundredths(ratio)
    ))
}

fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters
        .next()
        .map(|letter| letter.to_uppercase().to_string());
    first.unwrap_or_default() + letters.as_str()
}
