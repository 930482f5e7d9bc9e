//! Short sentences about the effects of further losses.

use super::{PageScenario, PriorityLoss, ScenarioOutcome, Tone, ZoneMargin, count, plural, whole};

/// The facts of a scenario.
#[must_use]
pub fn facts(scenario: &PageScenario, outcome: &ScenarioOutcome) -> Vec<(Tone, String)> {
    let margins = &outcome.margins;
    let row = |loss: &PriorityLoss| outcome.priorities().get(loss.place);
    let mut facts = Vec::new();
    match ZoneMargin::of(outcome.priorities(), outcome.threshold(), outcome.no_host()) {
        Some(ZoneMargin::Survives) => {
            facts.push((Tone::Good, "survives the loss of any one zone".into()));
        }
        Some(ZoneMargin::Fails(effect)) => facts.push((Tone::Warning, effect)),
        None => {}
    }
    if let Some((loss, less)) = &margins.spillover
        && let Some(row) = row(loss)
    {
        let lost = plural(loss.hosts, "more host");
        let over = whole(*less);
        let fact = format!("after losing {lost} in {}: {over} spills over", row.name);
        facts.push((Tone::Plain, fact));
    }
    if let Some(loss) = &margins.panic
        && let Some(row) = row(loss)
    {
        let left = count(row.healthy().saturating_sub(loss.hosts));
        let of = plural(row.counted(), "host");
        let fact = format!("{}: panic starts at {left} healthy of {of}", row.name);
        facts.push((Tone::Warning, fact));
    }
    if outcome.shares_differ_from_loads() && scenario.aggregate(scenario.root()).is_some() {
        let fact =
            "members with a hash policy choose the priority again: traffic differs from load";
        facts.push((Tone::Plain, fact.into()));
    }
    facts
}

#[cfg(test)]
mod tests {
    use super::super::{PriorityAt, ScenarioEdit, apply, preset};
    use super::*;

    #[test]
    fn the_next_spillover_counts_the_spare_hosts() {
        let scenario = preset("documented").unwrap();
        let p0 = PriorityAt {
            cluster: 0,
            priority: 0,
        };
        let whole = apply(&scenario, &ScenarioEdit::HealthyCount(p0, 10)).unwrap();
        let facts = facts(&whole, &ScenarioOutcome::of(&whole));
        let texts: Vec<&str> = facts.iter().map(|(_, text)| text.as_str()).collect();
        // Seven of ten hosts are enough for 98 %, eight for 100 %.
        assert!(
            texts.contains(&"after losing 3\u{a0}more hosts in P0: 2\u{a0}% spills over"),
            "{texts:?}"
        );
    }
}
