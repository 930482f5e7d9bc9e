//! How far a scenario is from the next trouble, found by trying every number of failed hosts.

use spillgate_core::load::{LevelHealth, PriorityLoad, priority_load};
use spillgate_core::model::PanicThreshold;

use spillgate_explain::{report::LocalityReport, what_if::Tone};

use super::{Outcome, PanicMode, PriorityReport, Scenario, plural};

/// Short sentences about what failures would do.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Facts(pub Vec<(Tone, String)>);

/// What the loss of hosts, of a zone or of the margin would do.
#[must_use]
pub fn facts(scenario: &Scenario, outcome: &Outcome) -> Facts {
    let mut facts = Vec::new();
    let levels = health(outcome);
    let now = loads(&levels, outcome.threshold());
    if let Some((zone, lost)) = worst_zone(outcome, &levels) {
        facts.push(if lost.is_empty() {
            (Tone::Good, "survives the loss of any one zone".into())
        } else {
            (Tone::Warning, format!("without {zone}: {lost}"))
        });
    }
    if let Some(spill) = next_spill(outcome, &levels, &now) {
        facts.push((Tone::Plain, spill));
    }
    if let Some((row, count)) = next_panic(outcome, &levels) {
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
    Facts(facts)
}

/// The level that panics after the fewest further failures in it alone, and how many those are.
pub(super) fn next_panic<'a>(
    outcome: &'a Outcome,
    levels: &[LevelHealth],
) -> Option<(&'a PriorityReport, usize)> {
    let mut nearest: Option<(&PriorityReport, usize)> = None;
    let calm = |(_, row): &(usize, &PriorityReport)| row.panic == PanicMode::Off;
    for (place, row) in outcome.levels().iter().enumerate().filter(calm) {
        let limit = nearest.map_or(row.healthy(), |(_, count)| count.saturating_sub(1));
        let found = (1..=row.healthy().min(limit))
            .find(|&count| panics(outcome, &failed(levels, place, count), place));
        if let Some(count) = found {
            nearest = Some((row, count));
        }
    }
    nearest
}

/// The counts behind the loads, in the order of the priorities.
pub(super) fn health(outcome: &Outcome) -> Vec<LevelHealth> {
    outcome.levels().iter().map(|row| row.row.health).collect()
}

/// Whether a level would panic. Members of an aggregate judge that by themselves: by their own
/// levels and their own threshold.
fn panics(outcome: &Outcome, levels: &[LevelHealth], place: usize) -> bool {
    let Some(row) = outcome.levels().get(place) else {
        return false;
    };
    let same =
        |other: &&(&PriorityReport, &LevelHealth)| other.0.row.at.cluster == row.row.at.cluster;
    let pairs: Vec<(&PriorityReport, &LevelHealth)> = outcome.levels().iter().zip(levels).collect();
    let own: Vec<LevelHealth> = pairs
        .iter()
        .filter(same)
        .map(|(_, level)| **level)
        .collect();
    let before = pairs.iter().take(place).filter(same).count();
    loads(&own, row.panic_threshold).panics(before)
}

fn loads(levels: &[LevelHealth], threshold: u32) -> PriorityLoad {
    priority_load(levels, PanicThreshold::from_percent(f64::from(threshold)))
}

/// The same with `count` more hosts failed in one level. Weights shrink in proportion.
fn failed(levels: &[LevelHealth], place: usize, count: usize) -> Vec<LevelHealth> {
    let mut levels = levels.to_vec();
    if let Some(level) = levels.get_mut(place) {
        let before = u64::from(level.healthy);
        level.healthy = level.healthy.saturating_sub(count as u32);
        if let Some(weights) = &mut level.weights {
            let scaled = weights.healthy.saturating_mul(u64::from(level.healthy));
            weights.healthy = scaled.checked_div(before).unwrap_or(0);
        }
    }
    levels
}

/// The first failure that moves traffic on from the first level that carries any.
fn next_spill(outcome: &Outcome, levels: &[LevelHealth], now: &PriorityLoad) -> Option<String> {
    let (place, row) = outcome
        .levels()
        .iter()
        .enumerate()
        .find(|(_, row)| row.row.load() > 0)?;
    if now.total_panic || outcome.levels().len() < 2 {
        return None;
    }
    let count = (1..=row.healthy())
        .find(|&count| loads(&failed(levels, place, count), outcome.threshold()) != *now)?;
    let after = loads(&failed(levels, place, count), outcome.threshold());
    let lost = row.row.load().saturating_sub(after.of_level(place));
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
fn worst_zone(outcome: &Outcome, levels: &[LevelHealth]) -> Option<(String, String)> {
    let zones = outcome.levels().iter().flat_map(|row| &row.localities);
    let mut named: Vec<&LocalityReport> = Vec::new();
    for zone in zones.filter(|zone| !zone.hosts.is_empty() && !zone.is_unnamed()) {
        if !named.iter().any(|known| known.locality == zone.locality) {
            named.push(zone);
        }
    }
    if named.len() < 2
        || outcome
            .levels()
            .iter()
            .any(|row| row.panic != PanicMode::Off)
        || outcome.no_host() > 0.0
    {
        return None;
    }
    for lost in named {
        let mut without = levels.to_vec();
        for (row, level) in outcome.levels().iter().zip(&mut without) {
            for zone in row
                .localities
                .iter()
                .filter(|zone| zone.locality == lost.locality)
            {
                level.healthy = level.healthy.saturating_sub(zone.healthy as u32);
                level.degraded = level.degraded.saturating_sub(zone.degraded as u32);
                // By weight the zone's part is not known here; hosts are the measure then.
                level.weights = None;
            }
        }
        let after = loads(&without, outcome.threshold());
        let panicking: Vec<&str> = outcome
            .levels()
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
    use super::super::{Edit, LevelAt, apply, preset};
    use super::*;

    const P0: LevelAt = LevelAt {
        cluster: 0,
        priority: 0,
    };

    #[test]
    fn the_next_spill_counts_the_spare_hosts() {
        let scenario = preset("documented").unwrap();
        let whole = apply(&scenario, &Edit::HealthyCount(P0, 10)).unwrap();
        let facts = facts(&whole, &Outcome::of(&whole));
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
        let one_level = apply(&scenario, &Edit::RemoveLevel(0)).unwrap();
        let one_level = apply(&one_level, &Edit::RemoveLevel(0)).unwrap();
        let one_level = apply(&one_level, &Edit::HealthyCount(P0, 9)).unwrap();
        let outcome = Outcome::of(&one_level);
        let (row, count) = next_panic(&outcome, &health(&outcome)).unwrap();
        assert_eq!((row.name.as_str(), count), ("P0", 5));
    }

    #[test]
    fn a_whole_level_behind_keeps_panic_away() {
        let outcome = Outcome::of(&preset("documented").unwrap());
        assert_eq!(next_panic(&outcome, &health(&outcome)), None);
    }
}
