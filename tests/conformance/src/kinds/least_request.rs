//! Kinds `least_request`, `least_request_weighted` and `slow_start`.

use std::{cell::Cell, time::Duration};

use serde::Deserialize;
use serde_json::{Value, json};
use spillgate_core::{
    model::{LeastRequestConfig, SelectionMethod, SlowStart},
    pick::{Turns, biased_weight, of_all, of_choices, slow_start_factor},
};

use super::{Figures, Wide, figures, read};

/// The input of `least_request`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Unweighted {
    active: Vec<u32>,
    selection_method: String,
    choice_count: Option<u32>,
    random: Vec<Wide>,
    #[serde(default)]
    pending: Vec<u32>,
}

/// The input of `least_request_weighted`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Weighted {
    weights: Vec<f64>,
    active_request_bias: f64,
    seed: Wide,
    steps: Vec<Step>,
}

/// The active requests at one step.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Step {
    active: Vec<u32>,
    draw: usize,
}

/// The input of `slow_start`; times in ms.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SlowStartInput {
    weight: f64,
    window_ms: u64,
    in_healthy_state_ms: u64,
    aggression: f64,
    min_weight_percent: f64,
}

/// The chosen host for given draws.
pub(super) fn least_request(input: &Value, _: &Figures) -> Result<Figures, String> {
    let input: Unweighted = read(input)?;
    let draws: Vec<u64> = input
        .random
        .iter()
        .map(Wide::get)
        .collect::<Result<_, _>>()?;
    let count = |counts: &[u32], host: usize| counts.get(host).copied().unwrap_or(0);
    let active = |host: usize| count(&input.active, host) + count(&input.pending, host);
    // The first draw chose the priority.
    let used = Cell::new(1);
    let missing = Cell::new(false);
    let draw = || {
        let drawn = draws.get(used.get()).copied();
        used.set(used.get() + 1);
        missing.set(missing.get() || drawn.is_none());
        drawn.unwrap_or(0)
    };
    let len = input.active.len();
    let host = match input.selection_method.as_str() {
        "N_CHOICES" => of_choices(len, input.choice_count.unwrap_or(2), active, draw),
        "FULL_SCAN" => of_all(len, active, draw),
        other => return Err(format!("unknown selection method {other:?}")),
    };
    if missing.get() {
        return Err(format!("takes {} draws", used.get()));
    }
    Ok(figures([
        ("host", json!(host)),
        ("random_draws", used.get().into()),
    ]))
}

/// The hosts of all steps.
pub(super) fn weighted(input: &Value, _: &Figures) -> Result<Figures, String> {
    let input: Weighted = read(input)?;
    let config = LeastRequestConfig::new(SelectionMethod::FullScan, input.active_request_bias);
    let first = input.steps.first().ok_or("input: no steps")?;
    let weight = |step: &Step, host: usize| {
        let weight = input.weights.get(host).copied().unwrap_or(0.0);
        let active = step.active.get(host).copied().unwrap_or(0);
        biased_weight(weight, active, config.active_request_bias())
    };
    let weights: Vec<f64> = (0..input.weights.len())
        .map(|host| weight(first, host))
        .collect();
    let mut turns = Turns::weighted(&weights, input.seed.get()?, 0);
    let mut sequence = Vec::new();
    for step in &input.steps {
        for _ in 0..step.draw {
            sequence.push(turns.pick_scheduled(|host| weight(step, host)));
        }
    }
    Ok(figures([("sequence", json!(sequence))]))
}

/// The weight of a host during slow start.
pub(super) fn slow_start(input: &Value, _: &Figures) -> Result<Figures, String> {
    let input: SlowStartInput = read(input)?;
    let window = Duration::from_millis(input.window_ms);
    let config = SlowStart::new(window, input.aggression, input.min_weight_percent)
        .ok_or("input: a window of 0")?;
    let elapsed = Duration::from_millis(input.in_healthy_state_ms);
    let weight = input.weight * slow_start_factor(&config, elapsed);
    Ok(figures([("weight", weight.into())]))
}
