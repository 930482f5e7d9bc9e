//! The metrics of the filter: labels, and names that the bootstrap includes.

use serde_json::{Value, json};
use spillgate_adopt::{AdoptOptions, EditText};
use spillgate_testkit::repository;

use crate::common::{WEIGHTED, adopted, module, wasm};

fn stats(text: &str) -> Value {
    let text = EditText::new(text.into()).unwrap();
    text.value()["stats_config"].clone()
}

/// The examples of a form and `adopt` write the same labels.
fn has_labels_of(folder: &str, uses: &str, options: &AdoptOptions) {
    let (text, _) = adopted(WEIGHTED, options);
    let examples = repository().join(folder);
    let mut compared = 0;
    for example in std::fs::read_dir(examples).unwrap() {
        let file = example.unwrap().path().join("envoy.yaml");
        // Other folders have no bootstrap of this name.
        let Ok(example) = std::fs::read_to_string(&file) else {
            continue;
        };
        if example.contains(uses) {
            let labels = stats(&example)["stats_tags"].clone();
            assert_eq!(labels, stats(&text)["stats_tags"], "{}", file.display());
            compared += 1;
        }
    }
    assert!(compared > 3, "{compared}");
}

#[test]
fn labels_are_those_of_the_examples() {
    has_labels_of("envoy-config", "spillgate.wasm", &wasm());
    has_labels_of("envoy-config/native", "dynamic_module_config", &module());
}

#[test]
fn metrics_are_among_the_included_names() {
    let patterns = |included: &str, options: &AdoptOptions| {
        let text = format!(
            "stats_config: {{stats_matcher: {{inclusion_list: {{patterns: [{included}]}}}}}}\n{WEIGHTED}"
        );
        let (text, _) = adopted(&text, options);
        stats(&text)["stats_matcher"]["inclusion_list"]["patterns"].clone()
    };
    for (prefix, options) in [
        ("wasmcustom.spillgate.", wasm()),
        ("dynamicmodulescustom.spillgate.", module()),
    ] {
        let both = json!([{"prefix": "cluster."}, {"prefix": prefix}]);
        assert_eq!(patterns("{prefix: cluster.}", &options), both);
    }
    let wider = json!([{"prefix": "wasmcustom"}]);
    assert_eq!(patterns("{prefix: wasmcustom}", &wasm()), wider);
}
