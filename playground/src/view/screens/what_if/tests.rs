//! The screen on the presets.

use crate::state::CommandInput;
use spillgate_scenario::{SweepBar, link::Disclosure, preset, sweep_bars};

use super::*;

fn stage(id: &str, selector: &str) -> Stage {
    Stage::new(&preset(id).unwrap(), selector).unwrap()
}

#[test]
fn zones_come_first_and_the_largest_of_them() {
    let titles = |id| -> Vec<String> {
        let options = stage(id, "").options;
        options.into_iter().map(|option| option.title).collect()
    };
    assert_eq!(
        titles("shop"),
        [
            "zone a",
            "zone b",
            "zone c",
            "shop-primary P0",
            "shop-secondary P0"
        ]
    );
    assert!(titles("two-priorities").ends_with(&["P0".into(), "P1".into()]));
}

#[test]
fn every_selector_selects_the_hosts_of_its_option() {
    for preset_id in ["documented", "two-priorities", "aggregate", "shop"] {
        let stage = stage(preset_id, "");
        for option in &stage.options {
            let selector = spillgate_sim::Selector::parse(&option.selector).unwrap();
            assert_eq!(stage.scene.select(&selector).unwrap(), option.hosts);
        }
    }
}

#[test]
fn the_first_question_has_an_effect() {
    // Zone c is the largest one, but its priority has hosts to spare.
    let stage = stage("documented", "");
    assert_eq!(stage.options[0].title, "zone c");
    assert_eq!(stage.chosen.title, "zone a");
    let first = answer(&stage, Question::first().percent);
    assert!(first.priorities.iter().any(|row| row.before != row.after));
}

#[test]
fn the_headline_has_the_loss_and_its_effect() {
    let stage = stage("two-priorities", "priority=0");
    let headline = |percent| answer(&stage, percent).headline.replace('\u{a0}', " ");
    let all = stage.chosen.hosts.len();
    assert_eq!(
        headline(100),
        format!("P0 loses {all} of {all} hosts: P1 takes 100 %, no priority is in panic mode.")
    );
    assert!(headline(0).starts_with(&format!("P0 loses 0 of {all} hosts: ")));
}

#[test]
fn bars_fill_every_column() {
    for id in ["documented", "two-priorities", "panic", "shop"] {
        let stage = stage(id, "");
        let bars = sweep_bars(&stage.nothing.sweep);
        let area = |priority: fn(&SweepBar) -> bool| -> f64 {
            let bars = bars.iter().filter(|bar| priority(bar));
            bars.map(|bar| bar.width * bar.height).sum()
        };
        assert!(
            (area(|bar| bar.priority.is_some()) - 10_000.0).abs() < 1e-6,
            "{id}"
        );
        let marked = stage.nothing.sweep.iter().any(|state| !state.survives());
        assert_eq!(area(|bar| bar.priority.is_none()) > 0.0, marked, "{id}");
    }
}

#[test]
fn expectations_are_checked() {
    let stage = stage("shop", "zone=b");
    let now = answer(&stage, 50);
    let check = |text: &str| check(&stage.scene, &now.what_if, text);
    assert!(check("no 503").unwrap().ok);
    assert!(!check("overload > 100").unwrap().ok);
    assert!(check("load(P9) > 1").unwrap_err().contains("P0, P1"));
    assert!(check("nonsense").is_err());
}

#[test]
fn the_command_has_the_question() {
    let stage = stage("shop", "zone=b");
    let question = Question {
        selector: "zone=b".into(),
        percent: 50,
        expectations: vec!["no 503".into(), "load(P0) >= 60".into()],
    };
    let input = CommandInput {
        arguments: "envoy.yaml".into(),
        ..CommandInput::default()
    };
    let scenario = preset("shop").unwrap();
    assert_eq!(
        command(&input, &scenario, &stage, &question),
        "spillgate what-if envoy.yaml --cluster shop --lose zone=b:50% --expect 'no 503' \
         --expect 'load(P0) >= 60'"
    );
    // A link without names has generated ones.
    let link = CommandInput::of(&scenario, Disclosure::Shape);
    let line = command(&link, &scenario, &stage, &question);
    let end =
        "what-if - --cluster c1 --lose zone=zone-2:50% --expect 'no 503' --expect 'load(P0) >= 60'";
    assert!(line.ends_with(end), "{line}");
}
