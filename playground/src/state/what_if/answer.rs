//! What comes of a loss, in figures and words.

use spillgate_sim::{Effect, State, WhatIf};

use super::Stage;
use crate::state::{Tone, fixed, percent, plural, whole};

/// The answer for one position of the slider.
#[derive(Debug)]
pub struct LossAnswer {
    /// How many hosts are lost.
    pub lost: usize,
    /// The answer in one sentence.
    pub headline: String,
    /// The levels.
    pub levels: Vec<Before<u32>>,
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
    /// Whether the level panics after.
    pub panic: bool,
}

/// Answers.
#[must_use]
pub fn answer(stage: &Stage, percentage: u32) -> LossAnswer {
    let what_if = stage.lose(percentage);
    let (before, after) = (&what_if.before, &what_if.after);
    let both = before.levels.iter().zip(&after.levels).zip(&stage.levels);
    let levels: Vec<Before<u32>> = both
        .enumerate()
        .map(|(place, ((before, after), name))| Before {
            name: name.clone(),
            before: before.load(),
            after: after.load(),
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
        headline: headline(stage, after, &what_if),
        levels,
        no_host,
        facts: facts(stage, &what_if),
        what_if,
    }
}

fn headline(stage: &Stage, after: &State, what_if: &WhatIf) -> String {
    let taken = after.levels.iter().zip(&stage.levels);
    let taken = taken.filter(|(level, _)| level.load() > 0);
    let taken: Vec<String> = taken
        .map(|(level, name)| format!("{name} takes {}", whole(level.load())))
        .collect();
    let mut parts = vec![taken.join(", ")];
    let names = stage.levels.iter().enumerate();
    let names = names.filter(|(place, _)| after.panics(*place));
    let names: Vec<&str> = names.map(|(_, name)| name.as_str()).collect();
    parts.push(match names.as_slice() {
        [] => "nothing panics".into(),
        [name] => format!("{name} panics"),
        [first @ .., last] => format!("{} and {last} panic", first.join(", ")),
    });
    if after.no_host > 0.0 {
        parts.push(format!("{} find no host", percent(after.no_host)));
    }
    let lost = what_if.lost.len();
    let of = stage.chosen.hosts.len();
    let title = &stage.chosen.title;
    let title = match title.strip_prefix("zone ") {
        Some(rest) => format!("Zone {rest}"),
        // A level begins with the name of its cluster, which stays as it is.
        None => title.clone(),
    };
    format!(
        "{title} loses {lost} of {}: {}.",
        plural(of, "host"),
        parts.join(", ")
    )
}

fn facts(stage: &Stage, what_if: &WhatIf) -> Vec<(Tone, String)> {
    let name = |level: Option<usize>| {
        let name = level.and_then(|place| stage.levels.get(place));
        name.map_or("", String::as_str)
    };
    let mut facts: Vec<(Tone, String)> = Vec::new();
    for knee in &what_if.knees {
        let effect = match knee.what {
            Effect::Spill => format!("{} spills", name(knee.level)),
            Effect::Panic => format!("{} panics", name(knee.level)),
            Effect::NoHost | Effect::None => "requests find no host".into(),
        };
        let tone = match knee.what {
            Effect::Spill | Effect::None => Tone::Plain,
            Effect::Panic | Effect::NoHost => Tone::Warning,
        };
        let from = match knee.lost {
            0 => "already now ".into(),
            lost => format!("from {lost} lost on, "),
        };
        facts.push((tone, format!("{from}{effect}")));
    }
    facts.push(match what_if.panic_margin {
        None => (
            Tone::Good,
            "no further loss of it makes a level panic".into(),
        ),
        Some(0) => (Tone::Warning, "panic margin: none is left".into()),
        Some(more) => (
            Tone::Plain,
            format!("panic margin: {}", plural(more, "more host")),
        ),
    });
    // What grows by less than the last figure shown does not grow.
    if let Some(worst) = what_if.overload.filter(|worst| worst.factor() > 1.05) {
        let factor = fixed(worst.factor());
        facts.push((
            Tone::Plain,
            format!("a host that is left gets up to {factor} times its load"),
        ));
    }
    facts
}
