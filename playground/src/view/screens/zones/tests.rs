//! The traffic of the presets and of a mesh.

use spillgate_mesh::traffic::{largest_shares_text, survives};
use spillgate_reader::mesh_answer;
use spillgate_scenario::{EditedScenario, preset};

use super::*;

/// A policy that prefers the local zone, then zone-1, then zone-3, and two hosts in each of three zones.
const MESH: &str = concat!(
    include_str!("../../../../../docs/mesh/examples/ordered-zones.yaml"),
    "\n---\n",
    include_str!("../../../../../docs/mesh/examples/three-zones.yaml"),
);

fn mesh() -> EditedScenario {
    let answer = mesh_answer(MESH.as_bytes(), b"");
    let answer = spillgate_codec::import::ImportAnswer::from_bytes(&answer).unwrap();
    EditedScenario::new(answer.clusters.unwrap(), 0).unwrap()
}

fn traffic(views: &ZoneViews, zone: &str, percent: u32) -> ZonesTraffic {
    let input = ZonesInput {
        zone: zone.into(),
        percent,
        ..ZonesInput::default()
    };
    ZonesTraffic::new(views, &input)
}

#[test]
fn each_zone_of_a_mesh_has_a_row() {
    let views = ZoneViews::new(&mesh(), "");
    assert_eq!(views.destinations, ["backend"]);
    let found = traffic(&views, "", 0);
    assert_eq!(found.before.zones, ["zone-1", "zone-2", "zone-3"]);
    for zone in &found.before.zones {
        assert_eq!(found.before.share(zone, zone), Some(100.0), "{zone}");
    }
    assert_eq!(
        largest_shares_text(&[found.after]),
        "no request leaves its zone; every request finds a host"
    );
}

#[test]
fn a_lost_zone_moves_its_requests() {
    let views = ZoneViews::new(&mesh(), "backend");
    let found = traffic(&views, "zone-1", 100);
    assert_eq!(found.lost, (2, 2));
    assert_eq!(found.before.share("zone-1", "zone-1"), Some(100.0));
    assert_eq!(found.after.share("zone-1", "zone-3"), Some(100.0));
    assert_eq!(found.zones.len(), 3);
    assert!(
        found
            .zones
            .iter()
            .all(|row| survives(std::slice::from_ref(&row.traffic)))
    );
}

#[test]
fn another_scenario_has_one_proxy() {
    let views = ZoneViews::new(&preset("shop").unwrap(), "");
    let found = traffic(&views, "a", 100);
    assert_eq!(found.before.rows.len(), 1);
    assert_eq!(found.before.zones, ["a", "b", "c"]);
    let sum: f64 = found.after.rows[0].to.iter().sum::<f64>() + found.after.rows[0].no_host;
    assert!((sum - 100.0).abs() < 1e-9, "{sum}");
    // The rest of the zone's requests goes to its failed hosts, because a priority is in panic mode.
    assert!(found.after.share("this proxy", "a").unwrap() > 0.0);
    assert!(found.after.rows[0].panic > 0.0);
    assert_eq!(found.before.rows[0].panic, 0.0);
}
