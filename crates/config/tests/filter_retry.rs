//! `subset_chain[].retry`: where retries leave a step.

use serde_json::{Value, json};
use spillgate_config::filter::{filter_json, read};

use crate::common::builders::with;

fn chained(chain: Value) -> Value {
    let mut config = with("subset_chain", chain);
    config["criteria"] = json!([{"key": "tenant", "header": "x-tenant"}]);
    config
}

fn left() -> Value {
    chained(json!([{"keys": ["tenant"], "retry": "next_step"}, {"any": true}]))
}

#[test]
fn retries_leave_a_step_and_stay_by_default() {
    let config = read(&left().to_string()).unwrap();
    let retried = |config: &spillgate_config::filter::FilterConfig| {
        let steps = config.model.chain().iter();
        steps.map(|step| step.retry_next_step).collect::<Vec<_>>()
    };
    assert_eq!(retried(&config), [true, false]);
    let written = filter_json(&config).unwrap().text;
    assert_eq!(retried(&read(&written).unwrap()), [true, false]);
    assert_eq!(written.matches("next_step").count(), 1);
    let stays = chained(json!([{"keys": ["tenant"], "retry": "same_step"}]));
    assert_eq!(retried(&read(&stays.to_string()).unwrap()), [false]);
}

#[test]
fn a_retry_without_a_next_step_or_a_list_is_an_error() {
    let last = chained(json!([{"keys": ["tenant"], "retry": "next_step"}]));
    let mut single = left();
    single["output"] = json!({"candidates": 1});
    let mut subset = left();
    subset["output"] = json!({"mode": "subset_headers", "subset_headers": {"tenant": "x-to"}});
    let list = "config/no-effect: subset_chain[0]: retry needs a host list; expected output.mode override_host and \
                output.candidates of at least 2";
    for (config, fault) in [
        (
            last,
            "config/value: subset_chain[0].retry: the last step has no next step; found \"next_step\"",
        ),
        (single, list),
        (subset, list),
    ] {
        let faults = read(&config.to_string()).unwrap_err();
        let faults: Vec<String> = faults.iter().map(ToString::to_string).collect();
        assert_eq!(faults, [fault]);
    }
}
