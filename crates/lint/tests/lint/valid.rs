//! Configurations without faults: no error, no warning.

use std::{fs, path::Path};

use spillgate_config::envoy::Format;
use spillgate_lint::{Finding, Severity};

use crate::{
    common::{camel_case, dump, file, lint_json, lint_text, yaml},
    sensible::sensible,
};

fn assert_clean(what: &str, findings: &[Finding]) {
    let faults: Vec<_> = findings
        .iter()
        .filter(|f| f.severity > Severity::Info)
        .collect();
    assert!(faults.is_empty(), "{what}: {faults:#?}");
}

#[test]
fn sensible_configurations() {
    for seed in 0..400 {
        let config = sensible(seed);
        assert_clean(&format!("seed {seed}"), &lint_json(&config));
        let what = format!("seed {seed}, reshaped");
        match seed % 3 {
            0 => assert_clean(&what, &lint_text(&yaml(&config), Format::Yaml)),
            1 => assert_clean(&what, &lint_json(&camel_case(&config))),
            _ => assert_clean(&what, &lint_json(&dump(&config))),
        }
    }
}

/// Every YAML and JSON file of Envoy's own configuration below a folder.
fn assert_folder_clean(folder: &Path) -> usize {
    let mut clean = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            clean += assert_folder_clean(&path);
            continue;
        }
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        // The others are READMEs.
        if name.ends_with(".yaml") {
            let text = fs::read_to_string(&path).unwrap();
            assert_clean(&path.display().to_string(), &lint_text(&text, Format::Yaml));
            clean += 1;
        }
    }
    clean
}

#[test]
fn every_runnable_configuration() {
    let mut clean = 0;
    for folder in fs::read_dir(file("envoy-config")).unwrap() {
        let path = folder.unwrap().path().join("envoy.yaml");
        // Manifests for other systems have no Envoy configuration.
        if let Ok(text) = fs::read_to_string(&path) {
            assert_clean(&path.display().to_string(), &lint_text(&text, Format::Yaml));
            clean += 1;
        }
    }
    assert!(clean >= 10, "{clean}");
}

#[test]
fn documented_shares() {
    let clean = assert_folder_clean(&file("vectors/lint/valid"));
    assert!(clean >= 15, "{clean}");
}
