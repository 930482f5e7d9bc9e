//! The result of a loss, in figures and words.

use spillgate_explain::{host_address, what_if as words};
use spillgate_scenario::{Tone, count, fixed, plural};
use spillgate_sim::WhatIf;

use super::Stage;

/// The maximum number of lost hosts that are named.
const MOST_LOST: usize = 20;

/// The result for one position of the slider.
#[derive(Debug)]
pub struct LossAnswer {
    /// The number of lost hosts.
    pub lost: usize,
    /// The result in one sentence.
    pub headline: String,
    /// The lost hosts by address; empty without a loss.
    pub lost_hosts: String,
    /// The priorities.
    pub priorities: Vec<BeforeAfter<u32>>,
    /// The requests without a host, if there are any; the name is empty.
    pub no_host: Option<BeforeAfter<f64>>,
    /// Where effects start, the panic margin and the overload.
    pub facts: Vec<(Tone, String)>,
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

/// The result of losing a percentage of the selected hosts.
#[must_use]
pub fn answer(stage: &Stage, percentage: u32) -> LossAnswer {
    let what_if = stage.lose(percentage);
    let (before, after) = (&what_if.before, &what_if.after);
    let both = before.loads().zip(after.loads()).zip(&stage.priorities);
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
    LossAnswer {
        lost: what_if.lost.len(),
        headline: headline(stage, &what_if),
        lost_hosts: lost_hosts(stage, &what_if),
        priorities,
        no_host,
        facts: facts(stage, &what_if),
        what_if,
    }
}

fn headline(stage: &Stage, what_if: &WhatIf) -> String {
    let lost = what_if.lost.len();
    let of = plural(stage.chosen.hosts.len(), "host");
    let subject = &stage.chosen.subject;
    let consequences =
        words::consequences(&what_if.after, &what_if.shares_after, &stage.priorities);
    format!("{subject} loses {lost} of {of}: {consequences}.")
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

fn facts(stage: &Stage, what_if: &WhatIf) -> Vec<(Tone, String)> {
    let knees = what_if.knees.iter();
    let mut facts: Vec<_> = knees
        .map(|knee| words::knee(knee, &stage.priorities))
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
