//! The result of a loss, in figures and words.

use spillgate_explain::{host_address, what_if as words};
use spillgate_scenario::{Headline, ScenarioOutcome, Tone, count, fixed, plural};
use spillgate_sim::WhatIf;

use super::{LossInput, Question, Stage, Sweep};

/// The maximum number of lost hosts that are named.
const MOST_LOST: usize = 20;

/// The result of the losses of a question.
#[derive(Debug)]
pub struct LossAnswer {
    /// The losses in words: `If zone a loses 4 of 10 hosts`.
    pub losses: String,
    /// What is true after the losses.
    pub headline: Headline,
    /// The result after the losses.
    pub after: ScenarioOutcome,
    /// The lost hosts by address; empty without a loss.
    pub lost_hosts: String,
    /// The priorities.
    pub priorities: Vec<BeforeAfter<u32>>,
    /// The requests without a host, if there are any; the name is empty.
    pub no_host: Option<BeforeAfter<f64>>,
    /// Where effects start, the panic margin and the overload.
    pub facts: Vec<(Tone, String)>,
    /// The place in the sweep.
    pub place: usize,
    /// The figures.
    pub what_if: WhatIf,
}

/// Every change makes a new result, so only the same one is equal.
impl PartialEq for LossAnswer {
    fn eq(&self, other: &Self) -> bool {
        core::ptr::eq(self, other)
    }
}

/// A figure before and after the loss.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BeforeAfter<T> {
    /// The priority.
    pub name: String,
    /// The figure before.
    pub before: T,
    /// The figure after.
    pub after: T,
    /// Whether the priority is in panic mode after.
    pub panic: bool,
}

/// The result of a question. `sweep` is that of one of its losses.
#[must_use]
pub fn answer(stage: &Stage, sweep: &Sweep, question: &Question) -> LossAnswer {
    let swept = question.losses.get(sweep.at).cloned();
    let swept = swept.unwrap_or_else(LossInput::first);
    let what_if = sweep.lose(stage, &swept);
    let (before, after) = (&what_if.before, &what_if.after);
    let both = before.loads().zip(after.loads()).zip(&sweep.priorities);
    let priorities: Vec<BeforeAfter<u32>> = both
        .enumerate()
        .map(|(place, ((before, after), name))| BeforeAfter {
            name: name.clone(),
            before,
            after,
            panic: what_if.after.panics(place),
        })
        .collect();
    let no_host = (before.no_host > 0.0 || after.no_host > 0.0).then(|| BeforeAfter {
        name: String::new(),
        before: before.no_host,
        after: after.no_host,
        panic: false,
    });
    let mut outcome = ScenarioOutcome::in_state(&stage.scenario, what_if.snapshot.clone());
    outcome.keep_places(before.priorities.iter().map(|row| row.at));
    LossAnswer {
        losses: losses(stage, question, &what_if),
        headline: Headline::of(&outcome),
        after: outcome,
        lost_hosts: lost_hosts(stage, &what_if),
        priorities,
        no_host,
        facts: facts(sweep, &what_if),
        place: sweep.place(&swept),
        what_if,
    }
}

/// `If P0 loses 3 of 10 hosts and zone b loses 6 of 6 usable hosts (7 hosts in all)`.
fn losses(stage: &Stage, question: &Question, what_if: &WhatIf) -> String {
    let losses = question.losses.iter().map(|loss| (loss, stage.count(loss)));
    let losses: Vec<String> = losses
        .filter(|(_, (lost, _))| *lost > 0)
        .filter_map(|(loss, (lost, _))| {
            let option = stage.option(&loss.selector)?;
            let (title, all) = (&option.title, option.usable_hosts());
            Some(format!("{title} loses {lost} of {all}"))
        })
        .collect();
    match losses.as_slice() {
        [] => "Without a loss".into(),
        [one] => format!("If {one}"),
        [first @ .., last] => format!(
            "If {} and {last} ({} in all)",
            first.join(", "),
            plural(what_if.lost.len(), "host")
        ),
    }
}

/// The addresses of the first lost hosts, and the number of the others.
fn lost_hosts(stage: &Stage, what_if: &WhatIf) -> String {
    let named = what_if.lost.iter().take(MOST_LOST);
    let named: Vec<&str> = named
        .map(|&host| host_address(stage.scene.snapshot(), host))
        .collect();
    let more = what_if.lost.len().saturating_sub(MOST_LOST);
    match (named.as_slice(), more) {
        ([], _) => String::new(),
        (named, 0) => format!("Lost hosts: {}", named.join(", ")),
        (named, more) => format!(
            "Lost hosts: {} and {}",
            named.join(", "),
            count(more) + " more"
        ),
    }
}

fn facts(sweep: &Sweep, what_if: &WhatIf) -> Vec<(Tone, String)> {
    // The first figure shows the effects that exist without the loss.
    let onsets = what_if.onsets.iter().filter(|onset| onset.lost > 0);
    let mut facts: Vec<_> = onsets
        .map(|onset| words::onset(onset, &sweep.priorities))
        .collect();
    facts.push(words::panic_margin(what_if.panic_margin));
    // A factor that rounds to 1.0 is not shown.
    if let Some(worst) = what_if.overload.filter(|worst| worst.factor() > 1.05) {
        let factor = fixed(worst.factor());
        let fact = format!("a remaining host gets up to {factor} times its load");
        facts.push((Tone::Plain, fact));
    }
    facts
}
