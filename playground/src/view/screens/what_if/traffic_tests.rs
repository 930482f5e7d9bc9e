//! The traffic between zones, of the presets and of a mesh.

use std::rc::Rc;

use spillgate_mesh::traffic::{TrafficMatrix, survives};
use spillgate_reader::mesh_answer;
use spillgate_scenario::{EditedScenario, preset};

use super::*;

/// A policy that prefers the local zone, then zone-1, then zone-3, and two hosts in each of three zones.
const MESH: &str = concat!(
    include_str!("../../../../../docs/mesh/examples/ordered-zones.yaml"),
    "\n---\n",
    include_str!("../../../../../docs/mesh/examples/three-zones.yaml"),
);

fn mesh() -> Stage {
    let answer = mesh_answer(MESH.as_bytes(), b"");
    let answer = spillgate_codec::import::ImportAnswer::from_bytes(&answer).unwrap();
    let scenario = EditedScenario::new(answer.clusters.unwrap(), 0).unwrap();
    Stage::new(&Rc::new(scenario)).unwrap()
}

fn after(stage: &Stage, traffic: &ZonesTraffic, text: &str) -> TrafficMatrix {
    let question = Question::from_text(text);
    let sweep = Sweep::new(stage, &question, 0).unwrap();
    let found = answer(stage, &sweep, &question);
    traffic.after(stage, &found.what_if, &question)
}

#[test]
fn each_zone_of_a_mesh_has_a_row() {
    let stage = mesh();
    let traffic = ZonesTraffic::new(&stage);
    assert_eq!(traffic.before.destination, "backend");
    assert_eq!(traffic.names, ["zone-1", "zone-2", "zone-3"]);
    for zone in &traffic.names {
        assert_eq!(traffic.before.share(zone, zone), Some(100.0), "{zone}");
    }
    let unchanged = after(&stage, &traffic, "zone=zone-1:0");
    assert_eq!(unchanged.rows, traffic.before.rows);
}

#[test]
fn a_lost_zone_moves_the_requests_of_every_proxy() {
    let stage = mesh();
    let traffic = ZonesTraffic::new(&stage);
    for zone in ["zone-1", "zone-2", "zone-3"] {
        let lost = after(&stage, &traffic, &format!("zone={zone}:100%"));
        assert_eq!(lost.share(zone, zone), Some(0.0), "{zone}");
        let row = traffic.zones.iter().find(|row| row.zone == zone).unwrap();
        assert_eq!(lost.rows, row.traffic.rows, "{zone}");
    }
    let lost = after(&stage, &traffic, "zone=zone-1:100%");
    assert_eq!(lost.share("zone-1", "zone-3"), Some(100.0));
    assert!(
        traffic
            .zones
            .iter()
            .all(|row| survives(std::slice::from_ref(&row.traffic)))
    );
    let both = after(&stage, &traffic, "zone=zone-1:100%\nzone=zone-3:100%");
    assert_eq!(both.share("zone-2", "zone-2"), Some(100.0));
    assert!(both.rows[0].no_host > 0.0 || both.rows[0].panic > 0.0);
}

#[test]
fn another_scenario_has_one_proxy() {
    let stage = Stage::new(&Rc::new(preset("shop").unwrap())).unwrap();
    let traffic = ZonesTraffic::new(&stage);
    assert_eq!(traffic.before.rows.len(), 1);
    assert_eq!(traffic.names, ["a", "b", "c"]);
    let lost = after(&stage, &traffic, "zone=a:100%");
    let sum: f64 = lost.rows[0].to.iter().sum::<f64>() + lost.rows[0].no_host;
    assert!((sum - 100.0).abs() < 1e-9, "{sum}");
    // The rest of the zone's requests goes to its failed hosts, because a priority is in panic mode.
    assert!(lost.share("this proxy", "a").unwrap() > 0.0);
    assert!(lost.rows[0].panic > 0.0);
    assert_eq!(traffic.before.rows[0].panic, 0.0);
    let question = Question::from_text("zone=a:100%");
    let sweep = Sweep::new(&stage, &question, 0).unwrap();
    let hosts = traffic.hosts(&stage, &answer(&stage, &sweep, &question).what_if);
    assert_eq!(hosts[0].lost, hosts[0].all);
    assert_eq!(hosts[1].lost, 0);
}
