//! Short sentences about the effects of further losses.

use spillgate_explain::{report::PriorityReport, what_if};
use spillgate_sim::ZoneMargin;

use super::{EditedScenario, PanicMode, ScenarioOutcome, Tone, count, plural, whole};

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
    facts.extend(panic_distance(scenario, outcome));
    if outcome.shares_differ_from_loads() && scenario.aggregate(scenario.root()).is_some() {
        let fact =
            "members with a hash policy choose the priority again: traffic differs from load";
        facts.push((Tone::Plain, fact.into()));
    }
    facts
}

/// The distance from panic mode; `None` in panic mode, and without a request that finds a host.
fn panic_distance(scenario: &EditedScenario, outcome: &ScenarioOutcome) -> Option<(Tone, String)> {
    let rows = outcome.priorities();
    let margin = outcome.panic_margin;
    if let Some((loss, row)) = margin.and_then(|loss| Some((loss, rows.get(loss.place)?))) {
        let usable = row.healthy() + row.degraded();
        let left = count(usable.saturating_sub(loss.hosts));
        let of = plural(row.counted(), "host");
        let class = if row.degraded() > 0 {
            "usable"
        } else {
            "healthy"
        };
        let fact = format!("{}: panic starts at {left} {class} of {of}", row.name);
        return Some((Tone::Warning, fact));
    }
    if outcome.unknown_hosts.is_some() || outcome.no_host() > 99.95 {
        return None;
    }
    if rows.iter().all(|row| row.panic_threshold == 0) && outcome.threshold() == 0 {
        let fact = "panic mode is disabled: the panic threshold is 0";
        return Some((Tone::Plain, fact.into()));
    }
    if rows
        .iter()
        .any(|row| row.panic != PanicMode::Off && row.row.load() > 0)
    {
        return None;
    }
    if let Some((row, needed)) = safe_while(scenario, outcome) {
        let fact = format!(
            "panic mode cannot start while {} has at least {}",
            row.name,
            plural(needed, "healthy host")
        );
        return Some((Tone::Plain, fact));
    }
    // Under an aggregate, a priority below the threshold of the aggregate alone.
    let below = |row: &&PriorityReport| row.row.in_panic_mode() && row.row.load() > 0;
    let row = rows.iter().find(below)?;
    let fact = format!(
        "{} is below the panic threshold of the aggregate, but its own cluster is not in panic mode",
        row.name
    );
    Some((Tone::Plain, fact))
}

/// A priority that alone keeps the total availability at 100, and the healthy hosts that it needs
/// for that: the last one, or the only one.
fn safe_while<'a>(
    scenario: &EditedScenario,
    outcome: &'a ScenarioOutcome,
) -> Option<(&'a PriorityReport, usize)> {
    let rows = outcome.priorities().iter();
    let whole = rows.filter(|row| row.row.availability.healthy == 100);
    let row = whole.max_by_key(|row| (row.place > 0, row.hosts.len()))?;
    let weighted = scenario
        .plain(row.row.at.cluster.index())
        .is_some_and(|plain| plain.weighted_priority_health);
    let alone = row.place > 0 || outcome.priorities().len() == 1;
    if outcome.is_aggregate() || !alone || weighted {
        return None;
    }
    // Availability stays at 100 while factor x healthy / counted does.
    let needed = (100 * row.counted()).div_ceil((row.row.health.factor.0 as usize).max(1));
    (needed <= row.healthy()).then_some((row, needed))
}

fn named(row: &PriorityReport) -> String {
    row.name.clone()
}

#[cfg(test)]
mod tests;
