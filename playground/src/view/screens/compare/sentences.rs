//! The words that the report does not have.

use spillgate_core::model::ClusterKind;
use spillgate_diff::{OwnerShare, TrafficChange, change_counts};
use spillgate_scenario::{EditedScenario, count, percent, plural};

use super::ScenarioComparison;
use crate::state::SideSource;

/// How much differs.
#[must_use]
pub fn headline_text(comparison: &ScenarioComparison) -> String {
    let report = &comparison.report;
    let equal = plural(report.equal_clusters.len(), "cluster");
    let changes = change_counts(report).join(", ");
    let is_proof = comparison.is_proof();
    match (changes.is_empty(), is_proof) {
        (true, true) => format!("No request differs, proved for {equal}."),
        (true, false) => format!("No difference found in {equal}, which is no proof."),
        (false, _) if report.equal_clusters.is_empty() => format!("{changes}."),
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
    if doubts.one_sided_limits > 0 {
        let settings = plural(doubts.one_sided_limits, "setting");
        found.push(format!(
            "Only one side has {settings} that Spillgate does not model, so nothing is proved to be equal."
        ));
    }
    if doubts.missing_clusters > 0 {
        let clusters = plural(doubts.missing_clusters, "cluster");
        found.push(format!(
            "Not compared: {clusters} for which the playground has no room. `spillgate diff` compares all."
        ));
    }
    if doubts.generated_addresses && (hashes(&comparison.old) || hashes(&comparison.new)) {
        found.push(
            "The link has generated addresses and no hash keys, so other keys move than in the configurations."
                .into(),
        );
    }
    found
}

/// Whether hashes choose hosts.
fn hashes(scenario: &EditedScenario) -> bool {
    let mut clusters = scenario.clusters().iter();
    clusters.any(|cluster| match &cluster.kind {
        ClusterKind::Plain(plain) => plain.policy.hashes(),
        ClusterKind::Aggregate(_) | ClusterKind::Composite(_) | ClusterKind::OriginalDst(_) => {
            false
        }
    })
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
        let from = owner_name(change.before.get(flow.from));
        let to = owner_name(change.after.get(flow.to));
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

/// The name of an owner.
pub(super) fn owner_name(owner: Option<&OwnerShare>) -> &str {
    match owner.map(|owner| owner.name.as_deref()) {
        Some(Some("")) => "no locality",
        Some(Some(name)) => name,
        Some(None) | None => "no host",
    }
}
