//! Writing models back: what is written reads as the same model.
#![cfg(feature = "yaml")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

use proptest::prelude::*;
use spillgate_config::{
    envoy::{EnvoyClusters, Format, read_clusters_only},
    write::{clusters_json, envoy_json, envoy_yaml},
};
use spillgate_core::model::Model;
use spillgate_samples::{Dice, Extent, model};

/// How many models each property is tried on. `SPILLGATE_MODELS` sets another number.
fn models() -> ProptestConfig {
    let number = std::env::var("SPILLGATE_MODELS").map(|text| text.parse().expect("a number"));
    ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::with_cases(number.unwrap_or(2_500))
    }
}

/// The same model, or the first part that differs.
fn same(back: &Model, model: &Model) -> Result<(), TestCaseError> {
    for (back, cluster) in back.clusters().iter().zip(model.clusters()) {
        prop_assert_eq!(back, cluster);
    }
    prop_assert_eq!(back.clusters().len(), model.clusters().len());
    prop_assert_eq!(back.local(), model.local());
    Ok(())
}

fn read(text: &str, format: Format) -> Result<EnvoyClusters, TestCaseError> {
    read_clusters_only(text, format).map_err(|faults| TestCaseError::fail(format!("{faults:#?}")))
}

proptest! {
    #![proptest_config(models())]

    #[test]
    fn clusters_come_back_from_their_json(seed: u64, size in 1..5_usize) {
        let model = model(&mut Dice::new(seed), Extent::all(size));
        let written = clusters_json(&model).unwrap();
        prop_assert_eq!(&written.warnings, &[]);
        same(&read(&written.text, Format::Json)?.model, &model)?;
        let written = envoy_json(&model).unwrap();
        same(&read(&written.text, Format::Json)?.model, &model)?;
    }

    #[test]
    fn clusters_come_back_from_their_yaml(seed: u64, size in 1..5_usize) {
        let extent = Extent { any_number: false, ..Extent::all(size) };
        let model = model(&mut Dice::new(seed), extent);
        let written = envoy_yaml(&model).unwrap();
        prop_assert_eq!(&written.warnings, &[]);
        same(&read(&written.text, Format::Yaml)?.model, &model)?;
        same(&read(&written.text, Format::YamlAsJson)?.model, &model)?;
    }
}
