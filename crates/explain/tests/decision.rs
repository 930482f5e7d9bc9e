//! The JSON of a decision, byte for byte.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice
)]

use spillgate_config::envoy::{ConfigPositions, Format, read};
use spillgate_core::{
    decide::{BalancerState, Request, decide},
    draw::Draw,
    route::HeaderList,
    snapshot::Snapshot,
    trace::{ConfigRef, Step},
};
use spillgate_explain::decision::{ConfigPlace, DecisionJson, DecisionOutcome};

/// Always the same number.
struct Fixed(u64);

impl Draw for Fixed {
    fn draw(&mut self) -> u64 {
        self.0
    }
}

const YAML: &str = "\
- name: shop
  load_assignment:
    cluster_name: shop
    endpoints:
    - lb_endpoints:
      - endpoint: {address: {socket_address: {address: 10.0.0.1, port_value: 80}}}
      - endpoint: {address: {socket_address: {address: 10.0.0.2, port_value: 80}}}
- name: empty-\u{e4}
";

/// The decision for a cluster, with and without its steps.
fn decided(cluster: &str) -> (String, String) {
    let config = read(YAML, Format::Yaml).unwrap();
    let snapshot = Snapshot::build(&config.model);
    let headers: [(&str, &str); 0] = [];
    let headers = HeaderList(&headers);
    let request = Request::new(snapshot.cluster_id(cluster).unwrap(), &headers);
    let mut steps: Vec<Step> = Vec::new();
    let mut state = BalancerState::new(&snapshot, &mut Fixed(0));
    let decision = decide(&snapshot, &mut state, &request, &mut Fixed(0), &mut steps);
    let candidates = decision.candidates(&snapshot, 3);
    let places = ConfigPositions {
        model: &config.model,
        marks: &config.marks,
        route: None,
    };
    let place = |config: ConfigRef| {
        let at = places.of(&snapshot, config)?;
        Some(ConfigPlace {
            file: None,
            line: at.line,
            column: at.column,
        })
    };
    let short = DecisionJson {
        snapshot: &snapshot,
        outcome: DecisionOutcome::Decided(&decision),
        candidates: &candidates,
        steps: None,
        place: &place,
    };
    let long = DecisionJson {
        steps: Some(&steps),
        ..short
    };
    (short.text(), long.text())
}

#[test]
fn keys_have_a_fixed_order() {
    let (short, long) = decided("shop");
    assert_eq!(
        short,
        r#"{"cluster":"shop","owner":"shop","priority":0,"degraded":false,"panic":false,"endpoint":"10.0.0.1:80","candidates":["10.0.0.1:80","10.0.0.2:80"],"reason":"chosen"}"#
    );
    let head = format!(
        "{},\"steps\":[{{\"step\":\"route\",\"what\":",
        short.strip_suffix('}').unwrap()
    );
    assert!(long.starts_with(&head), "{long}");
    let long: serde_json::Value = serde_json::from_str(&long).unwrap();
    let steps = long["steps"].as_array().unwrap();
    let keys: Vec<&String> = steps[0].as_object().unwrap().keys().collect();
    assert_eq!(keys, ["step", "what", "values", "at"]);
    let last = steps.last().unwrap();
    assert_eq!(last["step"], "host");
    assert_eq!(last["at"], serde_json::json!({"line": 6, "column": 9}));
}

#[test]
fn a_decision_can_have_no_host() {
    let (short, _) = decided("empty-\u{e4}");
    assert!(short.is_ascii());
    let json: serde_json::Value = serde_json::from_str(&short).unwrap();
    assert_eq!(json["cluster"], "empty-\u{e4}");
    assert_eq!(json["endpoint"], serde_json::Value::Null);
    assert_eq!(json["candidates"], serde_json::json!([]));
    assert_eq!(json["reason"], "no_host");
}
