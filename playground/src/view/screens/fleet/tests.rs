//! The screen has the figures of `spillgate_sim::fleet`, and its input survives links.

use std::rc::Rc;

use spillgate_scenario::{
    EditedScenario, ResultSeverity,
    link::{self, Disclosure, SharedScenario},
    preset, select,
};
use spillgate_sim::fleet::LostCallers;

use super::*;
use crate::state::{CommandInput, PageView, Screen, import_text::import_of};

/// The example of docs/how-to/fleet.md: a local cluster, zones a and b in P0, zone c in P1.
const FLEET: &str = include_str!("../../../../../cli/tests/cli/examples/fleet.yaml");

fn imported(text: &str, name: &str) -> Rc<EditedScenario> {
    let imported = import_of(text, "").imported.unwrap();
    let scenario = select(&imported, 0).unwrap();
    let at = (0..scenario.clusters().len()).find(|at| scenario.name(*at) == name);
    Rc::new(select(&imported, at.unwrap()).unwrap())
}

/// `40` callers in zone a, `10` in b, as in the manual, and none in c.
fn manual(stage: &FleetStage) -> FleetInput {
    let mut input = FleetInput {
        capacity: Some(100.0),
        ..FleetInput::default()
    };
    for (zone, callers) in stage.zones.iter().zip([40, 10, 0]) {
        let of = ZoneCallers {
            callers,
            ..ZoneCallers::first()
        };
        input = input.with_zone(&zone.key, of);
    }
    input
}

fn plain(text: &str) -> String {
    text.replace('\u{a0}', " ")
}

fn outcome(stage: &FleetStage, input: &FleetInput) -> FleetOutcome {
    FleetOutcome::new(stage, input).unwrap()
}

#[test]
fn the_example_of_the_manual_has_the_figures_of_the_command() {
    let stage = FleetStage::new(&imported(FLEET, "shop")).unwrap();
    let names: Vec<&str> = stage.zones.iter().map(|zone| zone.name.as_str()).collect();
    assert_eq!(names, ["a", "b", "c"]);
    assert!(stage.names_local_cluster && stage.has_zone_aware && stage.has_zones);
    let mut input = manual(&stage);
    let of = outcome(&stage, &input);
    assert_eq!(of.verdict, "zone c gets 240 % of its capacity if a fails");
    let verdict = survival(&of);
    assert_eq!(verdict.verdict.label, "Not safe");
    assert_eq!(verdict.verdict.severity, ResultSeverity::Overload);
    assert_eq!(
        plain(&headline_sentence(&of)),
        "Zone c gets 240 % of its capacity if a fails."
    );
    let sentence = |at| plain(&case_sentence(&of, at).unwrap());
    assert_eq!(
        sentence(1),
        "If a fails, zone c gets 240 % of its capacity."
    );
    assert_eq!(
        sentence(2),
        "If b fails, zone c gets 150 % of its capacity."
    );
    assert_eq!(
        sentence(3),
        "If c fails, no host gets more than 71.4 % of its capacity."
    );
    let zones = zone_rows(&stage, &of, &input);
    let shown: Vec<_> = zones
        .iter()
        .map(|row| {
            (
                row.name.as_str(),
                row.cells.join(" "),
                row.condition.as_str(),
            )
        })
        .collect();
    assert_eq!(
        shown,
        [
            ("c", "0 0.0 1".to_owned(), "if a fails"),
            ("a", "40 400.0 4".to_owned(), "if b fails"),
            ("b", "10 100.0 3".to_owned(), "if a fails"),
        ]
    );
    assert_eq!(priority_rows(&of)[1].name, "shop P1");
    assert!((priority_rows(&of)[1].most.rps - 240.0).abs() < 1e-6);
    assert_eq!(class_rows(&of).len(), 4);
    let traffic = traffic_lines(&of);
    assert_eq!(traffic.last().unwrap().cells, ["114.3"]);
    assert_eq!(
        plain(&senders_sentence(&stage, &of, &input)),
        "50 callers send 500.0 requests per second to shop (9 hosts). Zone-aware routing counts these \
         callers. The callers of a lost zone send as before."
    );
    assert!(imbalance_sentence(&of).unwrap().contains("1.00 times"));
    // Sizes and a price: the traffic has GB and a cost, 20 kB * 114.3/s * 3,600 s = 8.2 GB.
    input.price = Some(0.01);
    for zone in &stage.zones {
        let callers = ZoneCallers {
            bytes: Some(20_000.0),
            ..input.zone(&zone.key)
        };
        input = input.with_zone(&zone.key, callers);
    }
    let of = outcome(&stage, &input);
    assert_eq!(
        traffic_lines(&of).last().unwrap().cells,
        ["114.3", "8.2", "0.08"]
    );
    let (_, lost) = of.losses().next().unwrap();
    assert_eq!(of.gb_text(lost), "32.3");
}

#[test]
fn bars_have_one_scale() {
    let stage = FleetStage::new(&imported(FLEET, "shop")).unwrap();
    let mut input = manual(&stage);
    let of = outcome(&stage, &input);
    let rows = zone_rows(&stage, &of, &input);
    let of_c = bar_shape(&rows[0], &rows, of.has_capacity);
    assert!((of_c.most - 100.0).abs() < 1e-9 && of_c.now == 0.0);
    assert!((of_c.capacity.unwrap() - 100.0 / 2.4).abs() < 1e-6);
    input.capacity = None;
    let of = outcome(&stage, &input);
    let rows = zone_rows(&stage, &of, &input);
    assert_eq!(bar_shape(&rows[0], &rows, of.has_capacity).capacity, None);
    assert_eq!(survival(&of).verdict.label, "Capacity not known");
    assert!(
        case_sentence(&of, 1)
            .unwrap()
            .contains("most requests: 260.0 per second"),
        "{:?}",
        case_sentence(&of, 1)
    );
}

#[test]
fn an_input_survives_its_text() {
    let first = FleetInput::default();
    assert_eq!(first.to_text(), "");
    let input = FleetInput {
        capacity: Some(0.5),
        price: Some(0.01),
        lost_callers: LostCallers::Move,
        zone_aware: Some(false),
        ..first.clone()
    };
    let some = ZoneCallers {
        callers: 7,
        rps: Some(2.5),
        bytes: None,
    };
    let input = input.with_zone("region=eu,zone=with space", some);
    let text = input.to_text();
    assert_eq!(
        text,
        "capacity0_5 price0_01 lost_move local_off\nn7 r2_5 region=eu,zone=with space"
    );
    assert_eq!(FleetInput::from_text(&text), input);
    assert_eq!(input.zone("zone=other"), ZoneCallers::first());
    // What cannot be read has its initial value.
    assert_eq!(
        FleetInput::from_text("capacity-1 capacity0 pricex sound_on"),
        first
    );
    let many = FleetInput::from_text("n99999999 rx zone=a").zone("zone=a");
    assert_eq!((many.callers, many.rps), (FleetInput::MOST_CALLERS, None));
}

#[test]
fn amounts_are_numbers_from_0_or_empty() {
    assert_eq!(amount_of_text(" 0.01 "), Some(Some(0.01)));
    assert_eq!(amount_of_text(""), Some(None));
    for text in ["-1", "x", "1e99", "1,5"] {
        assert_eq!(amount_of_text(text), None, "{text}");
    }
}

#[test]
fn a_link_has_the_input_also_with_generated_names() {
    let scenario = imported(FLEET, "shop");
    let stage = FleetStage::new(&scenario).unwrap();
    let input = manual(&stage);
    let input = FleetInput {
        zone_aware: Some(true),
        ..input
    };
    let (mut view, _) = PageView::from_link(vec![("screen".into(), "fleet".into())]);
    view.set_input(Screen::Fleet, input.to_text());
    let shared = SharedScenario::new(&scenario, Disclosure::Shape);
    let fragment = link::with_view(
        link::write(&shared.scenario),
        &shared.view(view.to_link(None)),
    );
    assert!(!shared.view(view.to_link(None))[1].1.contains("=eu"));
    let opened = link::read_view(&fragment).unwrap();
    let (opened, _) = PageView::from_link(opened);
    assert_eq!(opened.screen, Screen::Fleet);
    let scenario: EditedScenario = link::read(&fragment).unwrap();
    let renamed = FleetStage::new(&Rc::new(scenario)).unwrap();
    let found = FleetInput::from_text(opened.input(Screen::Fleet));
    let callers: Vec<u32> = renamed
        .zones
        .iter()
        .map(|zone| found.zone(&zone.key).callers)
        .collect();
    assert_eq!(callers, [40, 10, 0]);
    let of = outcome(&renamed, &found);
    assert_eq!(
        of.verdict,
        "zone zone-3 gets 240 % of its capacity if zone-1 fails"
    );
}

#[test]
fn commands_have_the_same_result_or_none() {
    let scenario = imported(FLEET, "shop");
    let stage = FleetStage::new(&scenario).unwrap();
    let mut input = manual(&stage);
    let line = |stage: &FleetStage, input: &FleetInput| {
        let command = CommandInput::of(&stage.scenario, Disclosure::Shape);
        fleet_command(stage, input, &command)
    };
    assert_eq!(
        line(&stage, &input).unwrap(),
        "spillgate fleet envoy.yaml --cluster shop --callers a=40,b=10,c=0 --rps 10 --capacity 100rps"
    );
    input.lost_callers = LostCallers::Fail;
    input.price = Some(0.02);
    let b = ZoneCallers {
        rps: Some(5.0),
        bytes: Some(100.0),
        ..input.zone(&stage.zones[1].key)
    };
    let other = input.with_zone(&stage.zones[1].key, b);
    assert!(
        line(&stage, &other)
            .unwrap()
            .ends_with("--rps a=10,b=5,c=10 --bytes b=100 --capacity 100rps --cost cross-zone=0.02 --lost-callers fail")
    );
    // The file has a local cluster, so the command counts callers.
    input.zone_aware = Some(false);
    assert_eq!(line(&stage, &input), None);
    // A link has no local cluster.
    let shop = FleetStage::new(&Rc::new(preset("shop").unwrap())).unwrap();
    let linked = line(&shop, &FleetInput::default()).unwrap();
    assert!(linked.starts_with("spillgate link decode 1"), "{linked}");
    assert!(
        linked.contains(" | spillgate fleet - --cluster"),
        "{linked}"
    );
    input.zone_aware = Some(true);
    assert_eq!(line(&shop, &input), None);
}

#[test]
fn hosts_without_zones_and_no_callers_have_an_answer() {
    let scenario = Rc::new(preset("two-priorities").unwrap());
    let stage = FleetStage::new(&scenario).unwrap();
    let mut input = FleetInput::default();
    for zone in &stage.zones {
        let of = ZoneCallers {
            callers: 0,
            ..ZoneCallers::first()
        };
        input = input.with_zone(&zone.key, of);
    }
    let of = outcome(&stage, &input);
    assert_eq!(of.verdict, "no host gets requests");
    assert_eq!(imbalance_sentence(&of), None);
    assert_eq!(FleetStage::new(&Rc::new(EditedScenario::nothing())), None);
}

#[test]
fn so_many_callers_are_refused() {
    let scenario = imported(FLEET, "shop");
    let stage = FleetStage::new(&scenario).unwrap();
    let mut input = FleetInput::default();
    for zone in &stage.zones {
        let of = ZoneCallers {
            callers: FleetInput::MOST_CALLERS,
            ..ZoneCallers::first()
        };
        input = input.with_zone(&zone.key, of);
    }
    // Three zones and four cases of 30,000 callers.
    assert!(FleetOutcome::new(&stage, &input).is_ok());
    let zones = |number: usize| {
        let name = |at: usize| {
            format!(
                "{{locality: {{zone: z{at}}}, lb_endpoints: [{{endpoint: {{address: {{socket_address: \
                 {{address: 10.0.0.{at}, port_value: 80}}}}}}}}]}}"
            )
        };
        let all: Vec<String> = (0..number).map(name).collect();
        format!(
            "name: many\nload_assignment: {{cluster_name: many, endpoints: [{}]}}\n",
            all.join(", ")
        )
    };
    let stage = FleetStage::new(&imported(&zones(120), "many")).unwrap();
    let refused = FleetOutcome::new(&stage, &FleetInput::default()).unwrap_err();
    assert_eq!(refused, FleetRefusal::TooLarge);
}
