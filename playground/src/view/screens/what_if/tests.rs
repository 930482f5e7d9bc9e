//! The screen on the presets.

use std::rc::Rc;

use crate::state::CommandInput;
use spillgate_scenario::{ResultSeverity, SweepBar, link::Disclosure, preset, sweep_bars};
use spillgate_sim::Amount;

use super::*;

fn stage(id: &str) -> Stage {
    Stage::new(&Rc::new(preset(id).unwrap())).unwrap()
}

/// The result of a question, with the sweep of its first loss.
fn result(stage: &Stage, text: &str) -> LossAnswer {
    let question = Question::from_text(text);
    let sweep = Sweep::new(stage, &question, 0).unwrap();
    answer(stage, &sweep, &question)
}

fn plain(text: &str) -> String {
    text.replace('\u{a0}', " ")
}

#[test]
fn zones_come_first_and_the_largest_of_them() {
    let titles = |id| -> Vec<String> {
        let options = stage(id).options;
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
    // A member with several priorities can be lost as a whole.
    assert!(
        titles("aggregate").contains(&"cluster primary".into()),
        "{:?}",
        titles("aggregate")
    );
}

#[test]
fn every_selector_selects_the_hosts_of_its_option() {
    for preset_id in ["documented", "two-priorities", "aggregate", "shop"] {
        let stage = stage(preset_id);
        for option in &stage.options {
            let selector = spillgate_sim::Selector::parse(&option.selector).unwrap();
            assert_eq!(stage.scene.select(&selector).unwrap(), option.hosts);
        }
    }
}

#[test]
fn the_first_question_has_an_effect() {
    // Zone c is the largest one, but its priority has hosts to spare. Of zone a, 40 % of one usable host are 0 hosts.
    let stage = stage("documented");
    assert_eq!(stage.options[0].title, "zone c");
    assert_eq!(stage.options[1].title, "zone a");
    assert_eq!(stage.option("").unwrap().title, "zone b");
    let first = result(&stage, "");
    assert!(first.priorities.iter().any(|row| row.before != row.after));
}

#[test]
fn the_headline_is_that_of_the_state_after_the_losses() {
    let stage = stage("two-priorities");
    let all = stage.option("priority=0").unwrap().usable;
    assert_eq!(all, 72, "of 100");
    let none = result(&stage, "priority=0:0");
    assert_eq!(none.losses, "Without a loss");
    assert_eq!(
        none.headline,
        spillgate_scenario::Headline::of(&stage.before)
    );
    let lost = result(&stage, "priority=0:100%");
    assert_eq!(
        plain(&lost.losses),
        format!("If P0 loses {all} of {all} usable hosts")
    );
    assert_eq!(lost.headline.severity, ResultSeverity::Spillover);
    assert_eq!(
        plain(&lost.headline.sentence()),
        "Spillover: P1 takes 100 % of the traffic."
    );
    let both = result(&stage, "priority=0:100%\npriority=1:100%");
    assert!(both.headline.severity.is_alarm());
}

#[test]
fn hosts_of_several_losses_are_lost_once() {
    let stage = stage("shop");
    let of = |text: &str| result(&stage, text).what_if.lost;
    // Zone b has one usable host, the last one that the member can lose.
    for (losses, counts) in [
        (
            ["zone=b:100%", "cluster=shop-primary,priority=0:3"],
            [1, 3, 3],
        ),
        (["zone=a:3", "cluster=shop-primary,priority=0:2"], [3, 2, 4]),
    ] {
        let [first, second] = losses.map(of);
        let both = of(&losses.join("\n"));
        assert_eq!(
            [first.len(), second.len(), both.len()],
            counts,
            "{losses:?}"
        );
        let mut expected = [first, second].concat();
        expected.sort_unstable();
        expected.dedup();
        assert_eq!(both, expected);
    }
}

#[test]
fn the_sweep_of_a_loss_starts_with_the_others() {
    let stage = stage("documented");
    let question = Question::from_text("priority=0:2\nzone=a:2\nzone=c:1");
    for at in 0..3 {
        let sweep = Sweep::new(&stage, &question, at).unwrap();
        let found = answer(&stage, &sweep, &question);
        assert_eq!(
            found.what_if.sweep[found.place], found.what_if.after,
            "{at}"
        );
        let own = &question.losses[at];
        for place in 0..=sweep.most() {
            let loss = sweep.loss_at(place, own);
            assert_eq!(sweep.place(&loss), place);
            assert!(matches!(loss.amount, Amount::Hosts(_)), "the unit stays");
        }
    }
}

#[test]
fn a_loss_has_no_more_hosts_than_exist() {
    let stage = stage("documented");
    let loss = LossInput {
        selector: "zone=a".into(),
        amount: Amount::Hosts(1_000),
    };
    let (lost, all) = stage.count(&loss);
    assert_eq!((lost, stage.lost(&loss).len()), (all, all));
    assert_eq!(stage.within(&loss).amount, Amount::Hosts(all));
}

#[test]
fn bars_fill_every_column() {
    for id in ["documented", "two-priorities", "panic", "shop"] {
        let sweep = result(&stage(id), "").what_if.sweep;
        let bars = sweep_bars(&sweep);
        let area = |priority: fn(&SweepBar) -> bool| -> f64 {
            let bars = bars.iter().filter(|bar| priority(bar));
            bars.map(|bar| bar.width * bar.height).sum()
        };
        assert!(
            (area(|bar| bar.priority.is_some()) - 10_000.0).abs() < 1e-6,
            "{id}"
        );
        let marked = sweep.iter().any(|state| !state.survives());
        assert_eq!(area(|bar| bar.priority.is_none()) > 0.0, marked, "{id}");
    }
}

#[test]
fn expectations_are_checked() {
    let stage = stage("shop");
    let now = result(&stage, "zone=b:50%");
    let check = |text: &str| check(&stage.scene, &now.what_if, text);
    assert!(check("no 503").unwrap().ok);
    assert!(!check("overload > 100").unwrap().ok);
    assert!(check("load(P9) > 1").unwrap_err().contains("P0, P1"));
    assert!(check("nonsense").is_err());
}

#[test]
fn the_command_has_the_question() {
    let stage = stage("shop");
    let text = "zone=b:50%\ncluster=shop-primary,priority=0:300\nno 503\nload(P0) >= 60";
    let question = Question::from_text(text);
    let input = CommandInput {
        arguments: "envoy.yaml".into(),
        ..CommandInput::default()
    };
    assert_eq!(
        command(&input, &stage, &question),
        "spillgate what-if envoy.yaml --cluster shop --lose zone=b:50% \
         --lose cluster=shop-primary,priority=0:6 --expect 'no 503' --expect 'load(P0) >= 60'"
    );
    // A link without names has generated ones.
    let link = CommandInput::of(&stage.scenario, Disclosure::Shape);
    let line = command(&link, &stage, &question);
    let end = "what-if - --cluster c1 --lose zone=zone-2:50% --lose cluster=c2,priority=0:6 \
               --expect 'no 503' --expect 'load(P0) >= 60'";
    assert!(line.ends_with(end), "{line}");
}
