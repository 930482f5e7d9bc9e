//! The sentence about a fleet: the worst first.

use alloc::{format, string::String};

use spillgate_explain::format::{fixed, percent, plain};

use super::{CaseReport, FleetReport};

/// What matters most: requests without a host, then requests to failed hosts, then the zone with the highest
/// utilization, then the zone whose load grows most. Without spaces that do not break.
#[must_use]
pub fn fleet_verdict(report: &FleetReport) -> String {
    let sentences = no_host(report).or_else(|| to_failed_hosts(report));
    let sentences = sentences.or_else(|| utilization(report));
    let sentences = sentences.or_else(|| growth(report));
    plain(&sentences.unwrap_or_else(|| "no host gets requests".into()))
}

/// ` if a fails`; empty for the present.
fn condition(report: &FleetReport, case: usize) -> String {
    match report.condition(case) {
        present if present.is_empty() => present,
        condition => format!(" {condition}"),
    }
}

/// The case with the largest figure, and this figure.
fn worst(report: &FleetReport, of: impl Fn(&CaseReport) -> Option<f64>) -> Option<(usize, f64)> {
    let mut worst: Option<(usize, f64)> = None;
    for (at, case) in report.cases.iter().enumerate() {
        if let Some(value) = of(case)
            && worst.is_none_or(|(_, known)| value > known)
        {
            worst = Some((at, value));
        }
    }
    worst
}

fn no_host(report: &FleetReport) -> Option<String> {
    let share = |case: &CaseReport| (case.no_host > 1e-9).then(|| case.no_host / case.requests);
    let (case, share) = worst(report, share)?;
    let condition = condition(report, case);
    Some(format!(
        "{} of the requests find no host{condition}",
        percent(100.0 * share)
    ))
}

/// Panic mode sends requests to hosts that are lost or unhealthy.
fn to_failed_hosts(report: &FleetReport) -> Option<String> {
    let share = |case: &CaseReport| (case.failing > 1e-9).then(|| case.failing / case.requests);
    let (case, share) = worst(report, share)?;
    let condition = condition(report, case);
    Some(format!(
        "{} of the requests go to failed hosts{condition}",
        percent(100.0 * share)
    ))
}

fn utilization(report: &FleetReport) -> Option<String> {
    let zone = |case: &CaseReport| {
        let zones = case.zones.iter().enumerate();
        let known = zones.filter_map(|(at, zone)| Some((at, zone.utilization()?)));
        known.max_by(|a, b| a.1.total_cmp(&b.1))
    };
    let (zone_case, of_zone) = worst(report, |case| zone(case).map(|(_, of)| of))?;
    let at = report
        .cases
        .get(zone_case)
        .and_then(zone)
        .map_or(0, |(at, _)| at);
    if of_zone > 1.0 {
        let (hosts, capacity) = report.zone_subject(at);
        let share = percent(100.0 * of_zone);
        let condition = condition(report, zone_case);
        return Some(format!("{hosts} {share} of {capacity} capacity{condition}"));
    }
    let Some((case, of_host)) = worst(report, CaseReport::highest) else {
        let (share, condition) = (percent(100.0 * of_zone), condition(report, zone_case));
        return Some(format!(
            "no zone gets more than {share} of its capacity{condition}"
        ));
    };
    let host = report.cases.get(case)?.worst?.host;
    let address = &report.hosts.get(host)?.address;
    let (share, condition) = (percent(100.0 * of_host), condition(report, case));
    Some(if of_host > 1.0 {
        format!("host {address} gets {share} of its capacity{condition}")
    } else {
        format!("no host gets more than {share} of its capacity{condition}")
    })
}

fn growth(report: &FleetReport) -> Option<String> {
    let present = report.present()?;
    let zone = |case: &CaseReport| {
        let zones = case.zones.iter().zip(&present.zones).enumerate();
        let used = zones.filter(|(_, (_, before))| before.rps > 0.0);
        let factors = used.map(|(at, (after, before))| (at, after.rps / before.rps));
        factors.max_by(|a, b| a.1.total_cmp(&b.1))
    };
    let (case, factor) = worst(report, |case| zone(case).map(|(_, of)| of))?;
    if case == 0 {
        let busiest = present.zones.iter().enumerate();
        let (at, busiest) = busiest.max_by(|a, b| a.1.rps.total_cmp(&b.1.rps))?;
        let hosts = report.zone_subject(at).0;
        return Some(format!(
            "{hosts} most requests: {} of {} per second",
            fixed(busiest.rps),
            fixed(present.requests)
        ));
    }
    let at = report
        .cases
        .get(case)
        .and_then(zone)
        .map_or(0, |(at, _)| at);
    let (hosts, own) = report.zone_subject(at);
    Some(format!(
        "{hosts} {} times {own} present load{}",
        fixed(factor),
        condition(report, case)
    ))
}
