//! The arithmetic of a step as a sentence: the numbers that lead to its result.

mod host;

use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};

use spillgate_core::{
    load::HostClass,
    snapshot::Snapshot,
    trace::{
        LocalityChoice, LocalityNumbers, MemberChoice, NumberSource, OtherZone, PriorityChoice,
        StepData, WeightedChoice, ZoneNumbers,
    },
};

use self::host::host;
use crate::{
    cluster_name,
    format::{fixed, percent, plain},
};

/// How the numbers of a step lead to its result, as a sentence; `None` if no number decides.
///
/// # Examples
/// ```
/// use spillgate_core::{
///     load::HostClass,
///     snapshot::Snapshot,
///     trace::{NumberSource, PriorityChoice, StepData},
/// };
/// use spillgate_explain::arithmetic;
///
/// let choice = PriorityChoice {
///     priority: 1,
///     class: HostClass::Healthy,
///     panic: false,
///     fails_on_panic: false,
///     by_aggregate: false,
///     roll: 76,
///     roll_from: NumberSource::RequestHash,
///     healthy_load: vec![70, 30],
///     degraded_load: vec![0, 0],
///     total_availability: 100,
///     panic_threshold: 50,
///     overprovisioning_factor: 140,
///     retry: None,
/// };
/// let sentence = arithmetic(&Snapshot::empty(), &StepData::Priority(choice));
/// assert_eq!(sentence.unwrap(), "hash modulo 100 = 76, not below 70, so P1");
/// ```
#[must_use]
pub fn arithmetic(snapshot: &Snapshot, step: &StepData) -> Option<String> {
    match step {
        StepData::WeightedCluster(choice) => weighted(choice),
        StepData::Member(choice) => member(snapshot, choice),
        StepData::Priority(choice) => priority(choice),
        StepData::Locality(choice) => locality(choice),
        StepData::Host(choice) => host(snapshot, choice),
        _ => None,
    }
}

/// A number in consecutive ranges, one for each load or weight, in order.
struct Ranges<'a> {
    /// The number with its modulus: `hash modulo 100 = 76`.
    number: String,
    roll: u64,
    /// The number of values.
    whole: u64,
    sizes: &'a [u64],
}

impl Ranges<'_> {
    /// The number and its bounds, for the range at this place; `None` if it has all values. If the
    /// sizes do not reach the number, no range has it.
    fn bounds(&self, at: usize) -> Option<String> {
        let before = self.sizes.get(..at)?;
        let size = *self.sizes.get(at)?;
        let from: u64 = before.iter().sum();
        let number = &self.number;
        if size >= self.whole {
            return None;
        }
        if !(from..from + size).contains(&self.roll) {
            let sum: u64 = self.sizes.iter().sum();
            return Some(format!("{number}, not below {sum}, the sum of all loads"));
        }
        let terms: Vec<String> = before
            .iter()
            .filter(|size| **size > 0)
            .map(ToString::to_string)
            .collect();
        let from = match terms.as_slice() {
            [] => return Some(format!("{number}, below {size}")),
            [one] => format!("not below {one}"),
            terms => format!("not below {from} ({})", terms.join(" + ")),
        };
        let to = self.sizes.iter().take(at + 1).sum::<u64>();
        Some(if to < self.whole {
            format!("{number}, {from}, below {to}")
        } else {
            format!("{number}, {from}")
        })
    }
}

fn weighted(choice: &WeightedChoice) -> Option<String> {
    let roll = choice.roll?;
    let total = u64::from(choice.total);
    let sizes: Vec<u64> = choice.weights.iter().map(|&weight| weight.into()).collect();
    let mut end = 0;
    let at = sizes.iter().position(|size| {
        end += size;
        roll < end
    })?;
    let ranges = Ranges {
        number: format!("random number modulo {total} = {roll}"),
        roll,
        whole: total,
        sizes: &sizes,
    };
    Some(format!("{}, so {}", ranges.bounds(at)?, choice.cluster))
}

/// The loads of all priorities: those of the healthy hosts come first.
fn loads(healthy: &[u32], degraded: &[u32]) -> Vec<u64> {
    healthy
        .iter()
        .chain(degraded)
        .map(|&load| load.into())
        .collect()
}

fn member(snapshot: &Snapshot, choice: &MemberChoice) -> Option<String> {
    let chosen = choice.chosen?;
    let name = format!(
        "{} P{}",
        cluster_name(snapshot, chosen.cluster),
        chosen.priority
    );
    let number = match choice.roll_from {
        NumberSource::Random => "random number",
        NumberSource::RequestHash => "number made of the hash,",
        NumberSource::SessionKey => "number made of the session key,",
    };
    let loads = loads(&choice.healthy_load, &choice.degraded_load);
    let lines = choice.healthy_load.len();
    let is_degraded = range_of(&loads, choice.roll).is_some_and(|at| at >= lines);
    let ranges = Ranges {
        number: format!("{number} modulo 100 = {}", choice.roll),
        roll: choice.roll,
        whole: 100,
        sizes: &loads,
    };
    let at = choice.index + if is_degraded { lines } else { 0 };
    let what = of_class(&name, is_degraded, &choice.degraded_load);
    chosen_by(&ranges, at, &what)
}

fn priority(choice: &PriorityChoice) -> Option<String> {
    if choice.by_aggregate {
        return None;
    }
    let number = match choice.roll_from {
        NumberSource::Random => "random number",
        NumberSource::RequestHash => "hash",
        NumberSource::SessionKey => "session key",
    };
    let loads = loads(&choice.healthy_load, &choice.degraded_load);
    let ranges = Ranges {
        number: format!("{number} modulo 100 = {}", choice.roll),
        roll: choice.roll,
        whole: 100,
        sizes: &loads,
    };
    let is_degraded = choice.class == HostClass::Degraded;
    let at = choice.priority
        + if is_degraded {
            choice.healthy_load.len()
        } else {
            0
        };
    let name = format!("P{}", choice.priority);
    let what = of_class(&name, is_degraded, &choice.degraded_load);
    chosen_by(&ranges, at, &what)
}

/// The result of loads; `None` without priorities.
fn chosen_by(ranges: &Ranges<'_>, at: usize, what: &str) -> Option<String> {
    ranges.sizes.get(at)?;
    Some(match ranges.bounds(at) {
        Some(bounds) => format!("{bounds}, so {what}"),
        None => format!("the load of {what} is 100, so no number decides"),
    })
}

/// The place of the range that has a number.
fn range_of(sizes: &[u64], number: u64) -> Option<usize> {
    let mut end = 0;
    sizes.iter().position(|size| {
        end += size;
        number < end
    })
}

/// A priority, with the class of its hosts where both classes have load.
fn of_class(name: &str, is_degraded: bool, degraded_load: &[u32]) -> String {
    match (is_degraded, degraded_load.iter().any(|&load| load > 0)) {
        (true, _) => format!("the degraded hosts of {name}"),
        (false, true) => format!("the healthy hosts of {name}"),
        (false, false) => name.into(),
    }
}

fn locality(choice: &LocalityChoice) -> Option<String> {
    let chosen = choice.locality.as_ref().map(ToString::to_string);
    match &choice.numbers {
        LocalityNumbers::None => None,
        LocalityNumbers::Turn { weight, total } => Some(format!(
            "effective weight {} of {}, and this turn of the schedule is its own, so {}",
            decimal(*weight),
            decimal(*total),
            chosen?
        )),
        LocalityNumbers::Zone(numbers) => zone(numbers, chosen.as_deref()),
    }
}

fn zone(numbers: &ZoneNumbers, chosen: Option<&str>) -> Option<String> {
    let mut parts = Vec::new();
    let share = |part: u64| plain(&percent(part as f64 / 100.0));
    let (callers, hosts) = (share(numbers.callers), share(numbers.hosts));
    if let Some(roll) = numbers.enabled_roll {
        let enabled = numbers.enabled;
        let bound = bound(roll, enabled.into());
        let number = format!("random number modulo 100 = {roll}, {bound} (routing_enabled)");
        if roll >= enabled.into() {
            return Some(format!("{number}, so the hosts of all localities"));
        }
        parts.push(number);
    }
    if let Some((part, roll)) = numbers.local {
        let bound = bound(roll, part);
        let why = if numbers.hosts == 0 {
            "the local zone has none of the hosts".into()
        } else {
            format!("the local zone has {hosts} of the hosts for {callers} of the callers")
        };
        parts.push(format!(
            "random number modulo 10000 = {roll}, {bound} ({why})"
        ));
    } else if chosen.is_some() {
        parts.push(if numbers.hosts >= numbers.callers {
            format!(
                "the local zone has {hosts} of the hosts, at least its {callers} of the callers"
            )
        } else {
            "force_local_zone applies to the hosts of the local zone".into()
        });
    }
    if let Some(OtherZone {
        roll,
        whole,
        from,
        to,
        by_capacity,
    }) = numbers.other
    {
        let of = if by_capacity {
            "the residual capacity"
        } else {
            "the number of zones, because none has residual capacity"
        };
        let range = match (from, to) {
            (0, to) => format!("below {to}"),
            (from, to) if to < whole => format!("not below {from}, below {to}"),
            (from, _) => format!("not below {from}"),
        };
        parts.push(format!(
            "random number modulo {whole} ({of}) = {roll}, {range}"
        ));
    }
    let result = chosen.unwrap_or("the hosts of all localities");
    (!parts.is_empty()).then(|| format!("{}, so {result}", parts.join("; ")))
}

fn bound(roll: u64, end: u64) -> String {
    let word = if roll < end { "below" } else { "not below" };
    format!("{word} {end}")
}

/// A weight: whole, or with one decimal.
fn decimal(weight: f64) -> String {
    let text = fixed(weight);
    match text.strip_suffix(".0") {
        Some(whole) => whole.into(),
        None => text,
    }
}
