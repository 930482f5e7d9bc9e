//! The sentences and figures of steps.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

use spillgate_core::{
    load::HostClass,
    model::{ChainHosts, ChainStep, StepHealth},
    snapshot::Snapshot,
    trace::{ChainStepOutcome, ChainStepTried, NumberSource, PriorityChoice, StepData},
};
use spillgate_explain::{FigureValue, figures, sentence};

fn said(step: &StepData) -> String {
    sentence(&Snapshot::empty(), step)
}

#[test]
fn each_chain_step_has_its_reason() {
    let tried = |at, keys: &[&str], outcome| {
        let keys = keys.iter().map(|&key| key.into()).collect();
        StepData::ChainStep(ChainStepTried {
            at,
            step: ChainStep {
                min_healthy_percent: 30,
                ..ChainStep::new(ChainHosts::Keys(keys))
            },
            outcome,
            health: StepHealth {
                hosts: 4,
                counted: 4,
                healthy: 1,
            },
        })
    };
    for (step, expected) in [
        (
            tried(0, &["zone"], ChainStepOutcome::Skipped),
            "step 0 (zone): skipped, the request lacks a key",
        ),
        (
            tried(1, &["stage"], ChainStepOutcome::NoHost),
            "step 1 (stage): no host matches",
        ),
        (
            tried(2, &["stage", "version"], ChainStepOutcome::BelowMinimum),
            "step 2 (stage, version): too few healthy hosts",
        ),
        (
            tried(3, &["stage"], ChainStepOutcome::Serves),
            "step 3 (stage): enough healthy hosts",
        ),
    ] {
        assert_eq!(said(&step), expected);
    }
    let step = tried(2, &["stage"], ChainStepOutcome::BelowMinimum);
    let figures = figures(&step);
    assert_eq!(figures[0].value, FigureValue::Number(2));
    let values: Vec<(&str, String)> = figures[2..]
        .iter()
        .map(|figure| (figure.name, figure.value.text()))
        .collect();
    assert_eq!(
        values,
        [
            ("hosts", "4".to_owned()),
            ("counted", "4".to_owned()),
            ("healthy", "1".to_owned()),
            ("healthy_percent", "25".to_owned()),
            ("min_healthy_hosts", "1".to_owned()),
            ("min_healthy_percent", "30".to_owned()),
        ]
    );
}

#[test]
fn a_priority_names_the_serving_hosts() {
    let choice = |panic, fails_on_panic, by_aggregate| PriorityChoice {
        priority: 1,
        class: HostClass::Degraded,
        panic,
        fails_on_panic,
        by_aggregate,
        retry: None,
        roll: 7,
        roll_from: NumberSource::Random,
        healthy_load: vec![70, 30],
        degraded_load: vec![0, 0],
        total_availability: 100,
        panic_threshold: 50,
        overprovisioning_factor: 140,
    };
    for (choice, expected) in [
        (choice(false, false, false), "P1, degraded hosts"),
        (
            choice(false, false, true),
            "P1, degraded hosts, chosen by the aggregate",
        ),
        (
            choice(true, false, true),
            "P1, in panic mode: all its hosts",
        ),
        (
            choice(true, true, false),
            "P1, in panic mode: its requests fail",
        ),
    ] {
        let step = StepData::Priority(choice);
        assert_eq!(said(&step), expected);
        let names: Vec<&str> = figures(&step).iter().map(|figure| figure.name).collect();
        assert_eq!(
            names,
            [
                "roll",
                "healthy_load",
                "degraded_load",
                "total_availability",
                "panic",
                "panic_threshold",
                "overprovisioning_factor"
            ]
        );
    }
}
