//! Short sentences about the effects of further losses.

use spillgate_explain::{report::PriorityReport, what_if};
use spillgate_sim::ZoneMargin;

use super::{EditedScenario, ScenarioOutcome, Tone, count, plural, whole};

/// The facts of a scenario.
#[must_use]
pub fn facts(scenario: &EditedScenario, outcome: &ScenarioOutcome) -> Vec<(Tone, String)> {
    let row = |place: usize| outcome.priorities().get(place);
    let mut facts = Vec::new();
    match outcome.zone_margin() {
        Some(ZoneMargin::Survives) => {
            facts.push((Tone::Good, "survives the loss of any one zone".into()));
        }
        Some(ZoneMargin::Fails { zone, state }) => {
            let names: Vec<String> = outcome.priorities().iter().map(named).collect();
            let effect = what_if::failure(&state, &names);
            let fact = format!("after losing zone {zone}: {effect}");
            facts.push((Tone::Warning, fact));
        }
        None => {}
    }
    if let Some(spillover) = outcome.spillover()
        && let Some(row) = row(spillover.loss.place)
    {
        let lost = plural(spillover.loss.hosts, "more host");
        let moved = whole(spillover.moved);
        let more = if spillover.before < 100 { " more" } else { "" };
        let fact = format!(
            "after losing {lost} in {}: {moved}{more} spills over",
            row.name
        );
        facts.push((Tone::Plain, fact));
    }
    if let Some(loss) = outcome.panic_margin
        && let Some(row) = row(loss.place)
    {
        let usable = row.healthy() + row.degraded();
        let left = count(usable.saturating_sub(loss.hosts));
        let of = plural(row.counted(), "host");
        let class = if row.degraded() > 0 {
            "usable"
        } else {
            "healthy"
        };
        let fact = format!("{}: panic starts at {left} {class} of {of}", row.name);
        facts.push((Tone::Warning, fact));
    }
    if outcome.shares_differ_from_loads() && scenario.aggregate(scenario.root()).is_some() {
        let fact =
            "members with a hash policy choose the priority again: traffic differs from load";
        facts.push((Tone::Plain, fact.into()));
    }
    facts
}

fn named(row: &PriorityReport) -> String {
    row.name.clone()
}

#[cfg(test)]
mod tests;
