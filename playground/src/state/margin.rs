//! How far a scenario is from the next trouble, found by trying every number of failed hosts.

use spillgate_core::load::{PriorityHealth, PriorityLoad, priority_load};
use spillgate_core::model::PanicThreshold;

use spillgate_explain::{report::LocalityReport, what_if::Tone};

use super::{PageScenario, PanicMode, PriorityReport, ScenarioOutcome, plural};

/// Short sentences about what failures would do.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MarginNotes(pub Vec<(Tone, String)>);

/// What the loss of hosts, of a zone or of the margin would do.
#[must_use]
pub fn facts(scenario: &PageScenario, outcome: &ScenarioOutcome) -> MarginNotes {
    let mut facts = Vec::new();
    let priorities = health(outcome);
    let now = loads(&priorities, outcome.threshold());
    if let Some((zone, lost)) = worst_zone(outcome, &priorities) {
        facts.push(if lost.is_empty() {
            (Tone::Good, "survives the loss of any one zone".into())
        } else {
            (Tone::Warning, format!("without {zone}: {lost}"))
        });
    }
    if let Some(spill) = next_spill(outcome, &priorities, &now) {
        facts.push((Tone::Plain, spill));
    }
    if let Some((row, count)) = next_panic(outcome, &priorities) {
        let hosts = plural(row.counted(), "host");
        let when = match row.healthy().saturating_sub(count) {
            0 => format!("none of its {hosts} is healthy"),
            left => format!("only {left} of its {hosts} are healthy"),
        };
        facts.push((
            Tone::Warning,
            format!("{} is in panic mode when {when}", row.name),
        ));
    }
    if outcome.shares_differ_from_loads() && scenario.aggregate(scenario.root()).is_some() {
        facts.push((
            Tone::Plain,
            "hashing members choose the priority again: traffic differs from load".into(),
        ));
    }
    MarginNotes(facts)
}

/// The priority that panics after the fewest further failures in it alone, and how many those are.
pub(super) fn next_panic<'a>(
    outcome: &'a ScenarioOutcome,
    priorities: &[PriorityHealth],
) -> Option<(&'a PriorityReport, usize)> {
    let mut nearest: Option<(&PriorityReport, usize)> = None;
    let calm = |(_, row): &(usize, &PriorityReport)| row.panic == PanicMode::Off;
    for (place, row) in outcome.priorities().iter().enumerate().filter(calm) {
        let limit = nearest.map_or(row.healthy(), |(_, count)| count.saturating_sub(1));
        let found = (1..=row.healthy().min(limit))
            .find(|&count| panics(outcome, &failed(priorities, place, count), place));
        if let Some(count) = found {
            nearest = Some((row, count));
        }
    }
    nearest
}

/// The counts behind the loads, in the order of the priorities.
pub(super) fn health(outcome: &ScenarioOutcome) -> Vec<PriorityHealth> {
    outcome
        .priorities()
        .iter()
        .map(|row| row.row.health)
        .collect()
}

/// Whether a priority would panic. Members of an aggregate judge that by themselves: by their own
/// priorities and their own threshold.
fn panics(outcome: &ScenarioOutcome, priorities: &[PriorityHealth], place: usize) -> bool {
    let Some(row) = outcome.priorities().get(place) else {
        return false;
    };
    let same =
        |other: &&(&PriorityReport, &PriorityHealth)| other.0.row.at.cluster == row.row.at.cluster;
    let pairs: Vec<(&PriorityReport, &PriorityHealth)> =
        outcome.priorities().iter().zip(priorities).collect();
    let own: Vec<PriorityHealth> = pairs
        .iter()
        .filter(same)
        .map(|(_, priority)| **priority)
        .collect();
    let before = pairs.iter().take(place).filter(same).count();
    loads(&own, row.panic_threshold).panics(before)
}

fn loads(priorities: &[PriorityHealth], threshold: u32) -> PriorityLoad {
    priority_load(
        priorities,
        PanicThreshold::from_percent(f64::from(threshold)),
    )
}

/// The same with `count` more hosts failed in one priority. Weights shrink in proportion.
fn failed(priorities: &[PriorityHealth], place: usize, count: usize) -> Vec<PriorityHealth> {
    let mut priorities = priorities.to_vec();
    if let Some(priority) = priorities.get_mut(place) {
        let before = u64::from(priority.healthy);
        priority.healthy = priority.healthy.saturating_sub(count as u32);
        if let Some(weights) = &mut priority.weights {
            let scaled = weights.healthy.saturating_mul(u64::from(priority.healthy));
            weights.healthy = scaled.checked_div(before).unwrap_or(0);
        }
    }
    priorities
}

/// The first failure that moves traffic on from the first priority that carries any.
fn next_spill(
    outcome: &ScenarioOutcome,
    priorities: &[PriorityHealth],
    now: &PriorityLoad,
) -> Option<String> {
    let (place, row) = outcome
        .priorities()
        .iter()
        .enumerate()
        .find(|(_, row)| row.row.load() > 0)?;
    if now.total_panic || outcome.priorities().len() < 2 {
        return None;
    }
    let count = (1..=row.healthy())
        .find(|&count| loads(&failed(priorities, place, count), outcome.threshold()) != *now)?;
    let after = loads(&failed(priorities, place, count), outcome.threshold());
    let lost = row.row.load().saturating_sub(after.of_priority(place));
    if lost == 0 {
        return None;
    }
    // With one failure before the spill begins, "one more" would be wrong by that one.
    let failures = if count == 1 {
        format!("one more failed host in {}", row.name)
    } else {
        format!("{count} more failed hosts in {}", row.name)
    };
    let verb = if count == 1 { "moves" } else { "move" };
    Some(format!(
        "{failures} {verb} {lost}\u{a0}% to later priorities"
    ))
}

/// The zone whose loss hurts, and how; an empty text when none does. `None` with fewer than two.
fn worst_zone(
    outcome: &ScenarioOutcome,
    priorities: &[PriorityHealth],
) -> Option<(String, String)> {
    let zones = outcome.priorities().iter().flat_map(|row| &row.localities);
    let mut named: Vec<&LocalityReport> = Vec::new();
    for zone in zones.filter(|zone| !zone.hosts.is_empty() && !zone.is_unnamed()) {
        if !named.iter().any(|known| known.locality == zone.locality) {
            named.push(zone);
        }
    }
    if named.len() < 2
        || outcome
            .priorities()
            .iter()
            .any(|row| row.panic != PanicMode::Off)
        || outcome.no_host() > 0.0
    {
        return None;
    }
    for lost in named {
        let mut without = priorities.to_vec();
        for (row, priority) in outcome.priorities().iter().zip(&mut without) {
            for zone in row
                .localities
                .iter()
                .filter(|zone| zone.locality == lost.locality)
            {
                priority.healthy = priority.healthy.saturating_sub(zone.healthy as u32);
                priority.degraded = priority.degraded.saturating_sub(zone.degraded as u32);
                // By weight the zone's part is not known here; hosts are the measure then.
                priority.weights = None;
            }
        }
        let after = loads(&without, outcome.threshold());
        let panicking: Vec<&str> = outcome
            .priorities()
            .iter()
            .enumerate()
            .filter(|(place, _)| panics(outcome, &without, *place))
            .map(|(_, row)| row.name.as_str())
            .collect();
        if after.total_panic {
            return Some((lost.title(), "every priority is in panic mode".into()));
        }
        if let [first, ..] = panicking.as_slice() {
            return Some((lost.title(), format!("{first} is in panic mode")));
        }
        if after.normalized_total == 0 {
            return Some((lost.title(), "no host is left".into()));
        }
    }
    Some((String::new(), String::new()))
}

#[cfg(test)]
mod tests {
    use super::super::{PriorityAt, ScenarioEdit, apply, preset};
    use super::*;

    const P0: PriorityAt = PriorityAt {
        cluster: 0,
        priority: 0,
    };

    #[test]
    fn the_next_spill_counts_the_spare_hosts() {
        let scenario = preset("documented").unwrap();
        let whole = apply(&scenario, &ScenarioEdit::HealthyCount(P0, 10)).unwrap();
        let facts = facts(&whole, &ScenarioOutcome::of(&whole));
        let texts: Vec<&str> = facts.0.iter().map(|(_, text)| text.as_str()).collect();
        // Of ten hosts seven suffice for 98 %, eight for all of it.
        assert!(
            texts.contains(&"3 more failed hosts in P0 move 2\u{a0}% to later priorities"),
            "{texts:?}"
        );
    }

    #[test]
    fn panic_is_searched_for_not_guessed() {
        let scenario = preset("documented").unwrap();
        let one_priority = apply(&scenario, &ScenarioEdit::RemovePriority(0)).unwrap();
        let one_priority = apply(&one_priority, &ScenarioEdit::RemovePriority(0)).unwrap();
        let one_priority = apply(&one_priority, &ScenarioEdit::HealthyCount(P0, 9)).unwrap();
        let outcome = ScenarioOutcome::of(&one_priority);
        let (row, count) = next_panic(&outcome, &health(&outcome)).unwrap();
        assert_eq!((row.name.as_str(), count), ("P0", 5));
    }

    #[test]
    fn a_whole_priority_behind_keeps_panic_away() {
        let outcome = ScenarioOutcome::of(&preset("documented").unwrap());
        assert_eq!(next_panic(&outcome, &health(&outcome)), None);
    }
}
