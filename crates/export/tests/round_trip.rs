//! Writes models with the code of the playground and of the command line: the output reads back as the same
//! model.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

use std::sync::Arc;

use proptest::prelude::*;
use spillgate_codec::link::{Disclosure, Scenario, SharedScenario};
use spillgate_config::{
    envoy::{Format, ListenerConfig, ReadOptions, read_clusters_only, read_with},
    filter,
    write::{Written, clusters_json},
};
use spillgate_core::{
    model::{ClusterKind, Model},
    route::{Regex, Rewrite},
};
use spillgate_export::{ExportSource, FileFormat, ScenarioQuestion, write_file};
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
        for_grpc: false,
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

/// A file with routes.
fn written(model: &Model, listeners: &[ListenerConfig], format: FileFormat) -> Written {
    let source = ExportSource {
        listeners,
        ..ExportSource::of(model)
    };
    write_file(&source, format).unwrap()
}

/// The largest hash tables take seconds, and comments and pictures build them.
fn drawable(size: usize) -> Extent {
    Extent {
        largest_table: 4_096,
        any_number: false,
        ..Extent::all(size)
    }
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
        let written = written(&model, &listeners, FileFormat::EnvoyJson);
        prop_assert_eq!(&written.warnings, &[]);
        comes_back(&written.text, Format::Json, &model, &listeners)?;
    }

    #[test]
    fn configurations_come_back_from_yaml(seed: u64, size in 1..5_usize) {
        let extent = drawable(size);
        let dice = &mut Dice::new(seed);
        let model = model(dice, extent);
        let listeners = listeners(dice, &model, extent, compile);
        let written = written(&model, &listeners, FileFormat::EnvoyYaml);
        prop_assert_eq!(&written.warnings, &[]);
        comes_back(&written.text, Format::Yaml, &model, &listeners)?;
        // As from a control plane, which sends fractions as numbers.
        comes_back(&written.text, Format::YamlAsJson, &model, &listeners)?;
    }

    #[test]
    fn scenarios_come_back_with_their_question(seed: u64, size in 1..5_usize, text: String) {
        let (dice, extent) = (&mut Dice::new(seed), Extent::all(size));
        let model = model(dice, extent);
        let listeners = listeners(dice, &model, extent, compile);
        let question = ScenarioQuestion {
            cluster: model.clusters().first().map(|cluster| cluster.name.clone()),
            lose: vec!["zone=a:40%".into(), text.clone()],
            expect: vec![text.clone(), "no 503".into()],
            view: vec![
                ("screen".into(), "trace".into()),
                ("trace".into(), format!("seed=7\nkey={text}\n")),
            ],
        };
        let source = ExportSource {
            listeners: &listeners,
            target: question.cluster.as_deref(),
            question: &question,
            ..ExportSource::of(&model)
        };
        let written = write_file(&source, FileFormat::Scenario).unwrap();
        comes_back(&written.text, Format::Json, &model, &listeners)?;
        prop_assert_eq!(ScenarioQuestion::in_file(&written.text), Some(question));
    }

    #[test]
    fn filter_configurations_come_back(seed: u64, size in 1..5_usize) {
        let model = model(&mut Dice::new(seed), Extent::all(size));
        let target = model.clusters().first().map(|cluster| cluster.name.as_str());
        let source = ExportSource { target, ..ExportSource::of(&model) };
        // The filter does not support every setting, and its reader says which.
        if let Ok(written) = write_file(&source, FileFormat::Filter) {
            let back = filter::read(&written.text)
                .map_err(|faults| TestCaseError::fail(format!("{faults:#?}")))?;
            for cluster in model.clusters() {
                prop_assert_eq!(back.model.cluster(&cluster.name), Some(&**cluster));
            }
        }
    }

    #[test]
    fn files_disclose_no_addresses_and_names(seed: u64) {
        let extent = Extent { any_text: false, any_address: false, ..drawable(3) };
        let model = model(&mut Dice::new(seed), extent);
        // A cluster whose requests name their hosts cannot be shown.
        let root = model.clusters().iter().position(|cluster| !matches!(cluster.kind, ClusterKind::OriginalDst(_)));
        let Some(root) = root else { return Ok(()) };
        let scenario: Scenario = Scenario::new(model.clusters().to_vec(), root).unwrap();
        let shared = SharedScenario::new(&scenario, Disclosure::Shape).scenario;
        let model = shared.model();
        let addresses = scenario.clusters().iter().filter_map(|cluster| match &cluster.kind {
            ClusterKind::Plain(plain) => Some(&plain.priorities),
            _ => None,
        });
        let hosts = addresses.flatten().flat_map(|priority| &priority.endpoints);
        let addresses: Vec<&str> = hosts.map(|host| host.address.as_str()).collect();
        for format in FileFormat::ALL {
            let source = ExportSource { target: Some(shared.name(root)), ..ExportSource::of(model) };
            let Ok(written) = write_file(&source, format) else { continue };
            for address in &addresses {
                prop_assert!(!written.text.contains(address), "{}: {}", format.name(), address);
            }
            if format == FileFormat::EnvoyYaml {
                same(&clusters(&written.text, Format::Yaml)?, model)?;
            }
        }
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
