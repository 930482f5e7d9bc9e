//! What comes of a loss, in figures and words.

use spillgate_explain::{host_address, what_if as words};
use spillgate_sim::WhatIf;

use super::Stage;
use crate::state::{Tone, count, fixed, plural};

/// The maximum number of lost hosts that are named.
const MOST_LOST: usize = 20;

/// The answer for one position of the slider.
#[derive(Debug)]
pub struct LossAnswer {
    /// How many hosts are lost.
    pub lost: usize,
    /// The answer in one sentence.
    pub headline: String,
    /// The lost hosts by address; empty without a loss.
    pub lost_hosts: String,
    /// The priorities.
    pub priorities: Vec<Before<u32>>,
    /// What finds no host, where anything does; the name is empty.
    pub no_host: Option<Before<f64>>,
    /// Where trouble begins and how far it is.
    pub facts: Vec<(Tone, String)>,
    /// The figures themselves.
    pub what_if: WhatIf,
}

/// Only the very same answer is equal: it is made anew whenever anything changes.
impl PartialEq for LossAnswer {
    fn eq(&self, other: &Self) -> bool {
        core::ptr::eq(self, other)
    }
}

/// A figure before and after.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Before<T> {
    /// Whose it is.
    pub name: String,
    /// What it was.
    pub before: T,
    /// What it is.
    pub after: T,
    /// Whether the priority panics after.
    pub panic: bool,
}

/// Answers.
#[must_use]
pub fn answer(stage: &Stage, percentage: u32) -> LossAnswer {
    let what_if = stage.lose(percentage);
    let (before, after) = (&what_if.before, &what_if.after);
    let both = before.loads().zip(after.loads()).zip(&stage.priorities);
    let priorities: Vec<Before<u32>> = both
        .enumerate()
        .map(|(place, ((before, after), name))| Before {
            name: name.clone(),
            before,
            after,
            panic: what_if.after.panics(place),
        })
        .collect();
    let no_host = (before.no_host > 0.0 || after.no_host > 0.0).then(|| Before {
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
    let consequences = words::consequences(&what_if.after, &stage.priorities);
    format!("{subject} loses {lost} of {of}: {consequences}.")
}

/// The addresses of the lost hosts; the others than the first ones are counted.
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
    // An increase below the last shown digit is none.
    if let Some(worst) = what_if.overload.filter(|worst| worst.factor() > 1.05) {
        let factor = fixed(worst.factor());
        let fact = format!("a remaining host gets up to {factor} times its load");
        facts.push((Tone::Plain, fact));
    }
    facts
}
