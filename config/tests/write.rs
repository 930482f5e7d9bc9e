//! Writes models: the output reads back as the same model.
#![cfg(feature = "yaml")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

use std::sync::Arc;

use proptest::prelude::*;
use spillgate_config::{
    envoy::{Format, ListenerConfig, ReadOptions, read_clusters_only, read_with},
    write::{clusters_json, envoy_json, envoy_yaml},
};
use spillgate_core::{
    model::Model,
    route::{Regex, Rewrite},
};
use spillgate_testkit::{
    amount,
    models::{Dice, Extent, listeners, model},
};

/// How many models each property is tried on, in short and in full form.
const MODELS: [u32; 2] = [2_500, 10_000];

fn models() -> ProptestConfig {
    let [short, full] = MODELS;
    ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::with_cases(amount(short, full))
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

fn clusters(text: &str, format: Format) -> Result<Model, TestCaseError> {
    let read = read_clusters_only(text, format);
    read.map(|read| read.model)
        .map_err(|faults| TestCaseError::fail(format!("{faults:#?}")))
}

/// Reads the text back and compares.
fn comes_back(
    text: &str,
    format: Format,
    model: &Model,
    listeners: &[ListenerConfig],
) -> Result<(), TestCaseError> {
    let options = ReadOptions {
        regex: Some(compile),
    };
    let back = read_with(text, format, &options)
        .map_err(|faults| TestCaseError::fail(format!("{faults:#?}")))?;
    same(&back.model, model)?;
    for (back, listener) in back.listeners.iter().zip(listeners) {
        prop_assert_eq!(&back.name, &listener.name);
        let hosts = back.routes.virtual_hosts.iter();
        for (back, host) in hosts.zip(&listener.routes.virtual_hosts) {
            for (back, route) in back.routes.iter().zip(&host.routes) {
                prop_assert_eq!(back, route);
            }
        }
        prop_assert_eq!(&back.routes, &listener.routes);
    }
    prop_assert_eq!(back.listeners.len(), listeners.len());
    Ok(())
}

proptest! {
    #![proptest_config(models())]

    #[test]
    fn clusters_come_back_from_their_json(seed: u64, size in 1..5_usize) {
        let model = model(&mut Dice::new(seed), Extent::all(size));
        let written = clusters_json(&model).unwrap();
        prop_assert_eq!(&written.warnings, &[]);
        same(&clusters(&written.text, Format::Json)?, &model)?;
    }

    #[test]
    fn configurations_come_back_from_json(seed: u64, size in 1..5_usize) {
        let (dice, extent) = (&mut Dice::new(seed), Extent::all(size));
        let model = model(dice, extent);
        let listeners = listeners(dice, &model, extent, compile);
        let written = envoy_json(&model, &listeners).unwrap();
        prop_assert_eq!(&written.warnings, &[]);
        comes_back(&written.text, Format::Json, &model, &listeners)?;
    }

    #[test]
    fn configurations_come_back_from_yaml(seed: u64, size in 1..5_usize) {
        let extent = Extent { any_number: false, ..Extent::all(size) };
        let dice = &mut Dice::new(seed);
        let model = model(dice, extent);
        let listeners = listeners(dice, &model, extent, compile);
        let written = envoy_yaml(&model, &listeners).unwrap();
        prop_assert_eq!(&written.warnings, &[]);
        comes_back(&written.text, Format::Yaml, &model, &listeners)?;
        // As from a control plane, which sends fractions as numbers.
        comes_back(&written.text, Format::YamlAsJson, &model, &listeners)?;
    }
}

/// Replaces a compiled expression: writing needs only its text.
#[derive(Debug)]
struct Uncompiled;

impl Regex for Uncompiled {
    fn matches(&self, _: &[u8]) -> bool {
        false
    }

    fn rewrite(&self, _: &str) -> Result<Arc<dyn Rewrite>, String> {
        Ok(Arc::new(Self))
    }
}

impl Rewrite for Uncompiled {
    fn replace_all(&self, text: &[u8]) -> Vec<u8> {
        text.into()
    }
}

fn compile(_: &str) -> Result<Arc<dyn Regex>, String> {
    Ok(Arc::new(Uncompiled))
}
