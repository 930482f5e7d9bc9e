//! The result in words.

use super::{EditedScenario, PanicMode, PriorityReport, ScenarioOutcome, percent, plural, taken};

/// A part of a sentence; the name of a priority has its color.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SentencePart {
    /// Plain text.
    Text(String),
    /// A name, and the place of the priority whose color it has.
    Name(String, usize),
}

/// The text of a sentence.
#[must_use]
pub fn plain_text(parts: &[SentencePart]) -> String {
    parts
        .iter()
        .map(|part| match part {
            SentencePart::Text(text) | SentencePart::Name(text, _) => text.as_str(),
        })
        .collect()
}

/// The maximum number of names in a sentence.
const LONGEST: usize = 4;

/// The traffic of each priority or member: `P0 takes 70 % of the traffic, P1 takes 30 %.`
#[must_use]
pub fn headline(outcome: &ScenarioOutcome) -> Vec<SentencePart> {
    if let Some(cluster) = &outcome.unknown_hosts {
        return vec![SentencePart::Text(format!(
            "The hosts of {cluster} are not known from the configuration."
        ))];
    }
    if outcome.no_host() > 99.95 {
        return vec![SentencePart::Text(
            "Every request gets a 503: no usable host.".into(),
        )];
    }
    // A priority without a usable host takes nothing, whatever its load.
    let served = |load: u32, served: f64| {
        if outcome.no_host() > 0.0 {
            served
        } else {
            f64::from(load)
        }
    };
    let takers: Vec<(&str, usize, u32, f64)> = if outcome.clusters.is_empty() {
        let priorities = outcome.priorities().iter();
        priorities
            .map(|row| {
                let load = row.row.load();
                (
                    row.name.as_str(),
                    row.place,
                    load,
                    served(load, row.share()),
                )
            })
            .collect()
    } else {
        let clusters = outcome.clusters.iter();
        clusters
            .map(|row| {
                let color = row.priorities.first().copied().unwrap_or(0);
                let served = served(row.load, row.served);
                (row.name.as_str(), color, row.load, served)
            })
            .collect()
    };
    let takers: Vec<(&str, usize, String, f64)> = takers
        .into_iter()
        .filter_map(|(name, color, load, served)| Some((name, color, taken(load, served)?, served)))
        .collect();
    let named = if takers.len() > LONGEST {
        LONGEST - 1
    } else {
        takers.len()
    };
    let mut parts = Vec::new();
    for (at, (name, color, taken, _)) in takers.iter().take(named).enumerate() {
        if at > 0 {
            parts.push(SentencePart::Text(", ".into()));
        }
        parts.push(SentencePart::Name((*name).into(), *color));
        let of = if at == 0 { " of the traffic" } else { "" };
        parts.push(SentencePart::Text(format!(" takes {taken}{of}")));
    }
    let others = takers.len() - named;
    if others > 0 {
        let rest = takers.iter().skip(named).map(|(.., served)| served).sum();
        parts.push(SentencePart::Text(format!(
            ", {others} more take {}",
            percent(rest)
        )));
    }
    parts.push(SentencePart::Text(".".into()));
    parts
}

/// The consequence: panic mode, requests without a host, or the distance from panic mode.
#[must_use]
pub fn consequence(scenario: &EditedScenario, outcome: &ScenarioOutcome) -> String {
    if outcome.unknown_hosts.is_some() {
        return "Import them with the output of /clusters. The figures below leave them out."
            .into();
    }
    if outcome.priorities().iter().all(|row| row.hosts.is_empty()) {
        return "The cluster has no hosts.".into();
    }
    if outcome.no_host() > 99.95 {
        return if outcome.threshold() == 0 {
            "No host is available, and a panic threshold of 0 disables panic mode.".into()
        } else {
            "The priorities with load have no usable host.".into()
        };
    }
    let mut sentences = Vec::new();
    if outcome
        .priorities()
        .iter()
        .any(|row| row.panic == PanicMode::Total)
    {
        sentences.push(
            "Every priority is in panic mode: Envoy ignores health and splits by host count."
                .to_owned(),
        );
    } else {
        let panicking: Vec<&PriorityReport> = outcome
            .priorities()
            .iter()
            .filter(|row| row.panic == PanicMode::Priority && row.row.load() > 0)
            .collect();
        match panicking.as_slice() {
            [] => {}
            [row] => sentences.push(format!(
                "{} is in panic mode and uses all its {}, healthy or not.",
                row.name,
                plural(row.hosts.len(), "host")
            )),
            rows => {
                let who = match rows {
                    [a, b] => format!("{} and {}", a.name, b.name),
                    rows => format!(
                        "{} of {} priorities",
                        rows.len(),
                        outcome.priorities().len()
                    ),
                };
                sentences.push(format!(
                    "{who} are in panic mode and use all their hosts, healthy or not."
                ));
            }
        }
    }
    if outcome.no_host() > 0.05 {
        sentences.push(format!(
            "{} of the requests get a 503: no usable host.",
            percent(outcome.no_host())
        ));
    }
    if sentences.is_empty() {
        sentences.push(panic_distance(scenario, outcome));
    }
    sentences.join(" ")
}

/// No priority is in panic mode: the reason, or the distance from it.
fn panic_distance(scenario: &EditedScenario, outcome: &ScenarioOutcome) -> String {
    if outcome
        .priorities()
        .iter()
        .all(|row| row.panic_threshold == 0)
    {
        return "Panic mode is disabled: the panic threshold is 0.".into();
    }
    let whole_priority = outcome
        .priorities()
        .iter()
        .filter(|row| row.row.availability.healthy == 100)
        .max_by_key(|row| (row.place > 0, row.hosts.len()));
    if let Some(row) = whole_priority
        && outcome.clusters.is_empty()
        && (row.place > 0 || outcome.priorities().len() == 1)
        && !weighted(scenario, row)
    {
        // Availability stays at 100 while factor x healthy / counted does.
        let needed = (100 * row.counted()).div_ceil((row.row.health.factor.0 as usize).max(1));
        if needed <= row.healthy() {
            return format!(
                "Panic mode cannot start while {} has at least {}.",
                row.name,
                plural(needed, "healthy host")
            );
        }
    }
    // Under an aggregate, a priority below the threshold of the aggregate alone.
    let below = |row: &&PriorityReport| row.row.in_panic() && row.row.load() > 0;
    if let Some(row) = outcome.priorities().iter().find(below) {
        return format!(
            "{} is below the panic threshold of the aggregate, but its own cluster is not in panic mode.",
            row.name
        );
    }
    let loss = outcome.panic_margin;
    let row = loss.and_then(|loss| Some((loss, outcome.priorities().get(loss.place)?)));
    match row {
        Some((loss, row)) => format!(
            "No priority is in panic mode; it starts after losing {} in {}.",
            plural(loss.hosts, "more host"),
            row.name
        ),
        None => "No priority is in panic mode, and the loss of any one priority does not cause it."
            .into(),
    }
}

fn weighted(scenario: &EditedScenario, row: &PriorityReport) -> bool {
    scenario
        .plain(row.row.at.cluster.index())
        .is_some_and(|plain| plain.weighted_priority_health)
}

#[cfg(test)]
mod tests {
    use super::super::{PriorityAt, ScenarioEdit, apply, preset};
    use super::*;

    fn sentences(id: &str) -> (String, String) {
        let scenario = preset(id).unwrap();
        let outcome = ScenarioOutcome::of(&scenario);
        let plain = |text: String| text.replace('\u{a0}', " ");
        (
            plain(plain_text(&headline(&outcome))),
            plain(consequence(&scenario, &outcome)),
        )
    }

    #[test]
    fn the_headline_has_the_loads_and_the_consequence_the_panic_distance() {
        let (answer, consequence) = sentences("documented");
        assert_eq!(answer, "P0 takes 70 % of the traffic, P1 takes 30 %.");
        assert_eq!(
            consequence,
            "Panic mode cannot start while P1 has at least 8 healthy hosts."
        );
    }

    #[test]
    fn the_headline_of_an_aggregate_names_its_members() {
        let (answer, _) = sentences("shop");
        assert_eq!(
            answer,
            "shop-primary takes 84 % of the traffic, shop-secondary takes 16 %."
        );
    }

    #[test]
    fn panic_mode_and_missing_hosts_are_named() {
        assert_eq!(
            sentences("panic").1,
            "Every priority is in panic mode: Envoy ignores health and splits by host count."
        );
        assert_eq!(
            sentences("no-panic").0,
            "Every request gets a 503: no usable host."
        );
    }

    #[test]
    fn the_headline_has_the_traffic_that_hosts_serve() {
        // The aggregate is in panic mode and sends a third to its second member, whose own panic
        // threshold is 0: no host of it serves.
        let mut scenario = preset("shop").unwrap();
        let at = |cluster| PriorityAt {
            cluster,
            priority: 0,
        };
        let place = |name| (0..3).find(|at| scenario.name(*at) == name).unwrap();
        let (primary, secondary) = (place("shop-primary"), place("shop-secondary"));
        for edit in [
            ScenarioEdit::HealthyCount(at(primary), 3),
            ScenarioEdit::HealthyCount(at(secondary), 0),
            ScenarioEdit::Threshold(secondary, 0),
        ] {
            scenario = apply(&scenario, &edit).unwrap();
        }
        let outcome = ScenarioOutcome::of(&scenario);
        let loads: Vec<u32> = outcome.clusters.iter().map(|row| row.load).collect();
        assert!(loads.iter().all(|load| *load > 0), "{loads:?}");
        let answer = plain_text(&headline(&outcome)).replace('\u{a0}', " ");
        assert_eq!(
            answer,
            format!("shop-primary takes {} % of the traffic.", loads[0])
        );
    }

    #[test]
    fn the_panic_distance_holds() {
        // With 8 hosts no priority is in panic mode, with 7 one can be.
        let scenario = preset("documented").unwrap();
        let at = |number| PriorityAt {
            cluster: 0,
            priority: number,
        };
        let mut failing = scenario;
        for (priority, healthy) in [(0, 0), (2, 0), (1, 8)] {
            failing = apply(&failing, &ScenarioEdit::HealthyCount(at(priority), healthy)).unwrap();
        }
        let panics = |s: &EditedScenario| {
            ScenarioOutcome::of(s)
                .priorities()
                .iter()
                .any(|r| r.panic != PanicMode::Off)
        };
        assert!(!panics(&failing));
        let failing = apply(&failing, &ScenarioEdit::HealthyCount(at(1), 7)).unwrap();
        assert!(panics(&failing));
    }

    #[test]
    fn many_priorities_are_summed_up() {
        let mut scenario = preset("two-priorities").unwrap();
        for _ in 0..5 {
            scenario = apply(&scenario, &ScenarioEdit::AddPriority(0)).unwrap();
        }
        for priority in 0..7 {
            let at = PriorityAt {
                cluster: 0,
                priority,
            };
            let hosts = apply(&scenario, &ScenarioEdit::HostCount(at, 10)).unwrap_or(scenario);
            scenario = apply(&hosts, &ScenarioEdit::HealthyCount(at, 1)).unwrap_or(hosts);
        }
        let text = plain_text(&headline(&ScenarioOutcome::of(&scenario)));
        assert!(text.contains("4 more take"), "{text}");
    }
}
