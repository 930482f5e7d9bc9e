//! The losses in findings are those of the what-if analysis.

use serde_json::{Value, json};
use spillgate_config::envoy::{self, Format, ReadOptions};
use spillgate_core::model::Metadata;
use spillgate_lint::lint;
use spillgate_sim::{Effect, Scene, Selector};
use spillgate_testkit::models::Dice;

/// A cluster of two or three priorities, without a health signal.
fn config(dice: &mut Dice) -> Value {
    let weighted = dice.chance(30);
    let mut localities = Vec::new();
    for priority in 0..dice.between(2, 3) {
        let hosts = (0..dice.between(1, 12)).map(|host| {
            let address = format!("10.0.{priority}.{host}");
            let address = json!({"address": address, "port_value": 80});
            json!({
                "endpoint": {"address": {"socket_address": address}},
                "health_status": dice.one(&["HEALTHY", "HEALTHY", "HEALTHY", "DEGRADED", "UNHEALTHY"]),
                "load_balancing_weight": if weighted { dice.one(&[1, 100]) } else { 1 },
            })
        });
        let hosts: Vec<Value> = hosts.collect();
        localities.push(json!({"priority": priority, "lb_endpoints": hosts}));
    }
    json!({"static_resources": {"clusters": [{
        "name": "shop",
        "type": "STATIC",
        "load_assignment": {
            "cluster_name": "shop",
            "policy": {
                "overprovisioning_factor": dice.one(&[100, 140, 200]),
                "weighted_priority_health": weighted,
            },
            "endpoints": localities,
        },
    }]}})
}

#[test]
fn spillover_starts_with_the_first_loss_that_what_if_names() {
    let mut named = 0;
    for number in 0..300 {
        let text = config(&mut Dice::of(7, number)).to_string();
        let config = envoy::read_for_lint(&text, Format::Json, &ReadOptions::default()).unwrap();
        let scene = Scene::new(&config.model, "shop", Metadata::EMPTY).unwrap();
        let own = scene.select(&Selector::priority(0)).unwrap();
        let answer = scene.what_if(&[], &own);
        let before = answer.before.load(0);
        let first = answer.sweep.iter().position(|state| state.load(0) < before);
        let findings = lint(&config);
        let mut findings = findings.iter();
        let finding = findings.find(|finding| finding.rule == "failover-no-health-signal");
        let effect = &finding.unwrap().effect;
        assert!(
            effect.starts_with(&format!("priority 0 keeps {before} %")),
            "{effect}"
        );
        // Without such a loss the text names all hosts.
        let lost = first.unwrap_or(own.len());
        let part = format!("would start with {lost} of ");
        assert!(effect.contains(&part), "{lost}: {effect}\n{text}");
        let spill = answer
            .onsets
            .iter()
            .find(|onset| onset.what == Effect::Spill);
        if before == 100 {
            assert_eq!(first, spill.map(|onset| onset.lost), "{text}");
            named += usize::from(first.is_some());
        }
    }
    assert!(named > 100, "{named}");
}
