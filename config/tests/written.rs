//! Clusters from one program to another: what is written arrives as it was.
#![allow(clippy::unwrap_used)]

use proptest::prelude::*;
use spillgate_config::{envoy::read_written, write::clusters_json};
use spillgate_samples::{Dice, Extent, model};

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(1_000) })]

    #[test]
    fn clusters_arrive_as_they_were(seed: u64, size in 1..5_usize) {
        let model = model(&mut Dice::new(seed), Extent::all(size));
        let written = clusters_json(&model).unwrap();
        let arrived = read_written(&written.text).unwrap();
        prop_assert_eq!(arrived.clusters(), model.clusters());
    }
}

#[test]
fn other_texts_hold_no_clusters() {
    for text in ["{}", "[]", "{\"static_resources\": {\"clusters\": 1}}"] {
        assert!(read_written(text).unwrap().clusters().is_empty(), "{text}");
    }
    for text in ["", "{", "{\"static_resources\": {\"clusters\": [1, {}]}}"] {
        assert!(read_written(text).is_err(), "{text}");
    }
}
