//! The answer in words.

use super::{PageScenario, PanicMode, PriorityReport, ScenarioOutcome, margin, plural, whole};

/// A piece of a sentence; a priority's name carries its colour.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SentencePart {
    /// Words.
    Text(String),
    /// A name, and the place in the line of priorities that gives it its colour.
    Name(String, usize),
}

/// The words of a sentence without their colours.
#[must_use]
pub fn plain_text(parts: &[SentencePart]) -> String {
    parts
        .iter()
        .map(|part| match part {
            SentencePart::Text(text) | SentencePart::Name(text, _) => text.as_str(),
        })
        .collect()
}

/// More names than this make no sentence.
const LONGEST: usize = 4;

/// Who takes how much: `P0 takes 70 % of the traffic, P1 takes 30 %.`
#[must_use]
pub fn headline(outcome: &ScenarioOutcome) -> Vec<SentencePart> {
    if outcome.no_host() > 99.95 {
        return vec![SentencePart::Text(
            "No host takes the traffic: every request gets a 503.".into(),
        )];
    }
    let takers: Vec<(String, usize, u32)> = if outcome.clusters.is_empty() {
        let priorities = outcome.priorities().iter();
        priorities
            .map(|row| (row.name.clone(), row.place, row.row.load()))
            .collect()
    } else {
        let clusters = outcome.clusters.iter();
        clusters
            .map(|row| {
                let colour = row.priorities.first().copied().unwrap_or(0);
                (row.name.clone(), colour, row.load)
            })
            .collect()
    };
    let takers: Vec<_> = takers
        .into_iter()
        .filter(|(_, _, load)| *load > 0)
        .collect();
    let named = if takers.len() > LONGEST {
        LONGEST - 1
    } else {
        takers.len()
    };
    let mut parts = Vec::new();
    for (at, (name, colour, load)) in takers.iter().take(named).enumerate() {
        if at > 0 {
            parts.push(SentencePart::Text(", ".into()));
        }
        parts.push(SentencePart::Name(name.clone(), *colour));
        let of = if at == 0 { " of the traffic" } else { "" };
        parts.push(SentencePart::Text(format!(" takes {}{of}", whole(*load))));
    }
    let rest: u32 = takers.iter().skip(named).map(|(_, _, load)| load).sum();
    if rest > 0 {
        let others = takers.len() - named;
        parts.push(SentencePart::Text(format!(
            ", {others} more take {}",
            whole(rest)
        )));
    }
    parts.push(SentencePart::Text(".".into()));
    parts
}

/// What follows from it: panic, requests without a host, or what keeps both away.
#[must_use]
pub fn consequence(scenario: &PageScenario, outcome: &ScenarioOutcome) -> String {
    if outcome.priorities().iter().all(|row| row.hosts.is_empty()) {
        return "The cluster has no hosts.".into();
    }
    if outcome.no_host() > 99.95 {
        return if outcome.threshold() == 0 {
            "No host is usable, and a panic threshold of 0 keeps the unusable ones out.".into()
        } else {
            "No host with load can serve.".into()
        };
    }
    let mut sentences = Vec::new();
    if outcome
        .priorities()
        .iter()
        .any(|row| row.panic == PanicMode::Total)
    {
        sentences.push(
            "Every priority is in panic mode: health is ignored, and traffic follows the number of hosts."
                .to_owned(),
        );
    } else {
        let panicking: Vec<&PriorityReport> = outcome
            .priorities()
            .iter()
            .filter(|row| row.panic == PanicMode::Priority)
            .collect();
        match panicking.as_slice() {
            [] => {}
            [row] => sentences.push(format!(
                "{} is in panic mode: all its {} serve, healthy or not.",
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
                    "{who} are in panic mode: all their hosts serve, healthy or not."
                ));
            }
        }
    }
    if outcome.no_host() > 0.05 {
        sentences.push(format!(
            "{} of the requests find no host and get a 503.",
            super::percent(outcome.no_host())
        ));
    }
    if sentences.is_empty() {
        sentences.push(calm(scenario, outcome));
    }
    sentences.join(" ")
}

/// No priority is in panic mode: why not, or how far it is.
fn calm(scenario: &PageScenario, outcome: &ScenarioOutcome) -> String {
    if outcome
        .priorities()
        .iter()
        .all(|row| row.panic_threshold == 0)
    {
        return "No priority can be in panic mode: the threshold is 0.".into();
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
                "No priority can be in panic mode while {} keeps {needed} of its {}.",
                row.name,
                plural(row.counted(), "host")
            );
        }
    }
    match margin::next_panic(outcome, &margin::health(outcome)) {
        Some((row, count)) => format!(
            "No priority is in panic mode; {} would be after {}.",
            row.name,
            if count == 1 {
                "one more failure".to_owned()
            } else {
                format!("{count} more failures")
            }
        ),
        None => "No priority is in panic mode, and no loss of a single priority causes it.".into(),
    }
}

fn weighted(scenario: &PageScenario, row: &PriorityReport) -> bool {
    scenario
        .plain(row.row.at.cluster.index())
        .is_some_and(|plain| plain.weighted_priority_health)
}

#[cfg(test)]
mod tests {
    use super::super::{PriorityAt, ScenarioEdit, apply, preset};
    use super::*;

    fn said(id: &str) -> (String, String) {
        let scenario = preset(id).unwrap();
        let outcome = ScenarioOutcome::of(&scenario);
        let plain = |text: String| text.replace('\u{a0}', " ");
        (
            plain(plain_text(&headline(&outcome))),
            plain(consequence(&scenario, &outcome)),
        )
    }

    #[test]
    fn the_answer_comes_first() {
        let (answer, consequence) = said("documented");
        assert_eq!(answer, "P0 takes 70 % of the traffic, P1 takes 30 %.");
        assert_eq!(
            consequence,
            "No priority can be in panic mode while P1 keeps 8 of its 10 hosts."
        );
    }

    #[test]
    fn an_aggregate_speaks_of_its_members() {
        let (answer, _) = said("shop");
        assert_eq!(
            answer,
            "shop-primary takes 84 % of the traffic, shop-secondary takes 16 %."
        );
    }

    #[test]
    fn panic_and_missing_hosts_are_named() {
        assert_eq!(
            said("panic").1,
            "Every priority is in panic mode: health is ignored, and traffic follows the number of hosts."
        );
        assert_eq!(
            said("no-panic").0,
            "No host takes the traffic: every request gets a 503."
        );
    }

    #[test]
    fn the_promise_about_panic_holds() {
        // With 8 hosts no priority is in panic mode, with 7 one can be.
        let scenario = preset("documented").unwrap();
        let at = |number| PriorityAt {
            cluster: 0,
            priority: number,
        };
        let mut dead = scenario;
        for (priority, healthy) in [(0, 0), (2, 0), (1, 8)] {
            dead = apply(&dead, &ScenarioEdit::HealthyCount(at(priority), healthy)).unwrap();
        }
        let panics = |s: &PageScenario| {
            ScenarioOutcome::of(s)
                .priorities()
                .iter()
                .any(|r| r.panic != PanicMode::Off)
        };
        assert!(!panics(&dead));
        let dead = apply(&dead, &ScenarioEdit::HealthyCount(at(1), 7)).unwrap();
        assert!(panics(&dead));
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
