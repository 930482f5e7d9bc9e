//! The effects of a loss in words.

use alloc::{format, string::String, vec::Vec};

use spillgate_core::shares::Distribution;

use crate::{
    format::{percent, plural, whole},
    report::{Effect, LoadState, Onset, Shares},
};

/// The tone of a fact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tone {
    /// Reassuring.
    Good,
    /// A warning.
    Warning,
    /// Neutral.
    Plain,
}

/// The state after a loss: `P0 takes 84 %, P1 takes 16 %, no priority is in panic mode`. `names`
/// are those of the priorities, and `shares` those of the hosts: a priority without a usable host
/// takes nothing, whatever its load.
#[must_use]
pub fn consequences(after: &LoadState, shares: &Distribution, names: &[String]) -> String {
    let shares = Shares::of(shares);
    let priorities = after.priorities.iter().zip(names);
    let mut parts: Vec<String> = priorities
        .filter_map(|(priority, name)| {
            let load = priority.load();
            let at = priority.at;
            let served = if after.no_host > 0.0 {
                shares.of_priority(at.cluster, at.priority)
            } else {
                f64::from(load)
            };
            let taken = taken(load, served)?;
            Some(format!("{name} takes {taken}"))
        })
        .collect();
    parts
        .push(in_panic_mode(after, names).unwrap_or_else(|| "no priority is in panic mode".into()));
    parts.extend(without_host(after));
    parts.join(", ")
}

/// What fails in a state that does not [survive](LoadState::survives): `P0 is in panic mode`.
#[must_use]
pub fn failure(state: &LoadState, names: &[String]) -> String {
    let parts: Vec<String> = in_panic_mode(state, names)
        .into_iter()
        .chain(without_host(state))
        .collect();
    parts.join(", ")
}

fn in_panic_mode(state: &LoadState, names: &[String]) -> Option<String> {
    let panicking = names.iter().enumerate();
    let panicking = panicking.filter(|(place, _)| state.panics(*place));
    let panicking: Vec<&str> = panicking.map(|(_, name)| name.as_str()).collect();
    Some(match panicking.as_slice() {
        [] => return None,
        [name] => format!("{name} is in panic mode"),
        [first @ .., last] => format!("{} and {last} are in panic mode", first.join(", ")),
    })
}

fn without_host(state: &LoadState) -> Option<String> {
    let share = (state.no_host > 0.0).then(|| percent(state.no_host))?;
    Some(format!("{share} of the requests find no host"))
}

/// What a priority with this load takes if its hosts serve this share; `None` for nothing.
#[must_use]
pub fn taken(load: u32, served: f64) -> Option<String> {
    let whole_load = f64::from(load);
    if load == 0 || served < NOTHING {
        return None;
    }
    Some(if whole_load - served > NOTHING {
        percent(served)
    } else {
        whole(load)
    })
}

/// Shares below this are shown as 0.
const NOTHING: f64 = 0.05;

/// An effect and the loss with which it begins: `after losing 3 hosts: P0 spills over`.
#[must_use]
pub fn onset(onset: &Onset, names: &[String]) -> (Tone, String) {
    let name = onset
        .priority
        .and_then(|place| names.get(place))
        .map_or("", String::as_str);
    let (tone, effect) = match onset.what {
        Effect::Spill => (Tone::Plain, format!("{name} spills over")),
        Effect::Panic => (Tone::Warning, format!("{name} is in panic mode")),
        Effect::NoHost | Effect::None => (Tone::Warning, "requests find no host".into()),
    };
    let loss = match onset.lost {
        0 => "without a loss".into(),
        lost => format!("after losing {}", plural(lost, "host")),
    };
    (tone, format!("{loss}: {effect}"))
}

/// How many further losses cause panic mode; `None` if none do.
#[must_use]
pub fn panic_margin(margin: Option<usize>) -> (Tone, String) {
    match margin {
        None => (Tone::Good, "no further loss causes panic mode".into()),
        Some(0) => (
            Tone::Warning,
            "panic margin: 0, a priority is in panic mode".into(),
        ),
        Some(more) => {
            let hosts = plural(more, "more host");
            (Tone::Plain, format!("panic margin: {hosts}"))
        }
    }
}
