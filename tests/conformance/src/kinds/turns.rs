//! Kinds `round_robin`, `edf` and `edf_first_pick`.

use serde::Deserialize;
use serde_json::{Value, json};
use spillgate_core::pick::{Edf, Turns};

use super::{Figures, Wide, figures, read};

/// The input of `round_robin`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TurnsInput {
    hosts: usize,
    seed: Wide,
    draw: usize,
    then: Option<Changed>,
}

/// The host list after a change.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Changed {
    hosts: usize,
    draw: usize,
}

/// The input of `edf`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Schedule {
    weights: Vec<f64>,
    build: String,
    #[serde(default)]
    picks: u64,
    draw: usize,
}

/// The input of `edf_first_pick`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FirstPicks {
    weights: Vec<f64>,
    picks_from: u64,
    picks_to: u64,
}

/// The hosts of consecutive requests, across host changes.
pub(super) fn round_robin(input: &Value, _: &Figures) -> Result<Figures, String> {
    let input: TurnsInput = read(input)?;
    let seed = input.seed.get()?;
    let mut turns = Turns::plain(seed);
    let sequence: Vec<Option<usize>> = (0..input.draw)
        .map(|_| turns.pick(input.hosts, |_| 1.0))
        .collect();
    let mut found = figures([("sequence", json!(sequence))]);
    if let Some(then) = input.then {
        let mut turns = Turns::plain(turns.cursor());
        let sequence: Vec<Option<usize>> = (0..then.draw)
            .map(|_| turns.pick(then.hosts, |_| 1.0))
            .collect();
        found.insert("then".into(), json!(sequence));
    }
    Ok(found)
}

/// The order of an earliest-deadline-first schedule.
pub(super) fn edf(input: &Value, _: &Figures) -> Result<Figures, String> {
    let input: Schedule = read(input)?;
    let mut edf = match input.build.as_str() {
        "prepick" => Edf::with_picks(&input.weights, input.picks),
        "add" => Edf::new(&input.weights),
        other => return Err(format!("unknown build {other:?}")),
    };
    let sequence: Vec<Option<usize>> = (0..input.draw)
        .map(|_| edf.pick(|index| weight(&input.weights, index)))
        .collect();
    Ok(figures([("sequence", json!(sequence))]))
}

/// The first host of a schedule for each number of earlier picks.
pub(super) fn edf_first_pick(input: &Value, _: &Figures) -> Result<Figures, String> {
    let input: FirstPicks = read(input)?;
    let mut counts = vec![0_u64; input.weights.len()];
    let mut first = Vec::new();
    for picks in input.picks_from..=input.picks_to {
        let mut edf = Edf::with_picks(&input.weights, picks);
        let index = edf.pick(|index| weight(&input.weights, index));
        if let Some(count) = index.and_then(|index| counts.get_mut(index)) {
            *count += 1;
        }
        first.push(index);
    }
    Ok(figures([
        ("first", json!(first)),
        ("counts", json!(counts)),
    ]))
}

/// The weight of a host; 1 if the list has none.
fn weight(weights: &[f64], index: usize) -> f64 {
    weights.get(index).copied().unwrap_or(1.0)
}
