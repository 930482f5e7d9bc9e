//! The words that the report does not have.

use spillgate_diff::{TrafficChange, change_counts, route_counts};
use spillgate_scenario::{EditedScenario, count, percent, plural};

use super::{RouteComparison, ScenarioComparison};
use crate::state::SideSource;

/// How much differs.
#[must_use]
pub fn headline_text(comparison: &ScenarioComparison) -> String {
    let report = &comparison.report;
    let mut changes = change_counts(report);
    let mut equal = plural(report.equal_clusters.len(), "cluster");
    if let Some(answer) = comparison.routes.answer() {
        let changed = answer.routes.iter().filter(|route| route.changes).count();
        changes.extend(route_counts(changed, answer.routes.len() - changed));
        equal = format!("{equal} and {}", plural(answer.equal_listeners, "listener"));
    }
    let nothing_is_equal = report.equal_clusters.is_empty() && comparison.routes.answer().is_none();
    let (changes, is_proof) = (changes.join(", "), comparison.is_proof());
    match (changes.is_empty(), is_proof) {
        (true, true) if comparison.routes.answer().is_some() => {
            format!("Every request gets the same route and host (proved for {equal}).")
        }
        (true, true) => format!("No request to {equal} differs (proved)."),
        (true, false) => format!("No difference found in {equal}, which is no proof."),
        (false, _) if nothing_is_equal => format!("{changes}."),
        (false, true) => format!("{changes}; proved equal: {equal}."),
        (false, false) => format!("{changes}; no difference found: {equal}."),
    }
}

/// A side in a few words.
#[must_use]
pub fn side_title(scenario: &EditedScenario, source: Option<SideSource>) -> String {
    let what = match source {
        None if scenario.origin.is_some() => "the import",
        None => "the current scenario",
        Some(SideSource::Opened) if scenario.origin.is_some() => "the import before your edits",
        Some(SideSource::Opened) => "the scenario before your edits",
        Some(SideSource::KeptImport) => "the kept import",
        Some(SideSource::Kept) => "the kept scenario",
    };
    let hosts = scenario.clusters().iter().map(|cluster| {
        let priorities = cluster.priorities().iter();
        priorities
            .map(|priority| priority.endpoints.len())
            .sum::<usize>()
    });
    let hosts: usize = hosts.sum();
    let word = if hosts == 1 { "host" } else { "hosts" };
    let clusters = plural(scenario.clusters().len(), "cluster");
    format!("{what}: {clusters}, {} {word}", count(hosts))
}

/// Why equal clusters of the comparison are not proved to be equal, and which figures differ from those of the
/// configurations.
#[must_use]
pub fn doubts(comparison: &ScenarioComparison) -> Vec<String> {
    let doubts = &comparison.doubts;
    let mut found = Vec::new();
    if !doubts.dropped.is_empty() {
        let names = doubts.dropped.join(", ");
        found.push(format!(
            "The link does not have: {names}. The comparison cannot see these settings."
        ));
    }
    let open_limits = match &comparison.routes {
        RouteComparison::Answered(answer) => answer.limits.len(),
        RouteComparison::Loading => {
            found.push("Routes and other settings are being compared.".into());
            0
        }
        RouteComparison::Failed(reason) => {
            found.push(format!(
                "Routes and other settings are not compared: {reason}."
            ));
            0
        }
        RouteComparison::Without => doubts.open_limits,
    };
    if open_limits > 0 {
        let settings = plural(open_limits, "setting");
        found.push(format!(
            "{settings} that Spillgate does not model can differ, so nothing is proved to be equal."
        ));
    }
    if doubts.missing_clusters > 0 {
        let clusters = plural(doubts.missing_clusters, "cluster");
        found.push(format!(
            "Not compared: {clusters} for which the playground has no room. `spillgate diff` compares all."
        ));
    }
    let unknown = doubts.unknown_old.union(&doubts.unknown_new).count();
    if unknown > 0 {
        let clusters = plural(unknown, "cluster");
        found.push(format!(
            "The hosts of {clusters} are not known, so nothing is proved to be equal."
        ));
    }
    if comparison.has_other_keys() {
        found.push(
            "The link has generated addresses and no hash keys, so other keys move than in the configurations."
                .into(),
        );
    }
    found
}

/// What moves, as a sentence.
#[must_use]
pub fn flow_sentence(change: &TrafficChange) -> String {
    let mut moving: Vec<_> = change
        .flows
        .iter()
        .filter(|flow| flow.moves > 0.0)
        .collect();
    if moving.is_empty() {
        return "All requests can stay at their hosts.".into();
    }
    moving.sort_by(|a, b| b.moves.total_cmp(&a.moves));
    let shown = moving.iter().take(3).map(|flow| {
        let (from, to) = (change.before.get(flow.from), change.after.get(flow.to));
        let [from, to] =
            [from, to].map(|of| owner_label(of.and_then(|owner| owner.name.as_deref())));
        let ends = if from == to {
            format!("within {from}")
        } else {
            format!("from {from} to {to}")
        };
        format!("{} {ends}", percent(flow.moves))
    });
    let shown: Vec<String> = shown.collect();
    let more = match moving.len().saturating_sub(shown.len()) {
        0 => String::new(),
        more => format!(" and {more} smaller parts"),
    };
    let moved = percent(change.moved());
    format!(
        "At least {moved} of the requests move: {}{more}.",
        shown.join(", ")
    )
}

/// The name of an owner as it is shown; `None` for requests without a host.
#[must_use]
pub fn owner_label(name: Option<&str>) -> &str {
    match name {
        Some("") => "no locality",
        Some(name) => name,
        None => "no host",
    }
}
