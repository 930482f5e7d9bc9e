//! `output.attempts_per_cluster`: which values the filter refuses.

use serde_json::json;
use spillgate_config::filter::read;

use crate::common::builders::with;

#[test]
fn attempts_per_cluster_need_a_list_of_as_many_hosts() {
    let no_list = "config/one-of: output.attempts_per_cluster: requires mode: override_host and more than one \
                   of candidates; found 1";
    let rows = [
        (
            json!({"attempts_per_cluster": 4}),
            "config/value: output.attempts_per_cluster: out of range; found 4, expected an integer from 1 to \
             candidates",
        ),
        (json!({"attempts_per_cluster": 1, "candidates": 1}), no_list),
        (
            json!({"attempts_per_cluster": 1, "mode": "stateful_session"}),
            no_list,
        ),
    ];
    for (output, expected) in rows {
        let faults = read(&with("output", output.clone()).to_string()).unwrap_err();
        let faults: Vec<String> = faults.iter().map(ToString::to_string).collect();
        assert!(
            matches!(faults.as_slice(), [fault] if fault.contains(expected)),
            "{output}: {faults:?}"
        );
    }
}
