//! Every check names a test or program that exists.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::Result;
use serde_json::Value;

use super::*;
use crate::process;

#[test]
fn every_name_is_there_once() {
    for (at, check) in CHECKS.iter().enumerate() {
        let again = CHECKS
            .iter()
            .skip(at + 1)
            .any(|other| other.name == check.name);
        assert!(!again, "{}", check.name);
    }
}

/// The folder with the sources of each test program, by package and program.
fn test_programs() -> Result<BTreeMap<(String, String), PathBuf>> {
    let mut command = Command::new(env!("CARGO"));
    command.args([
        "metadata",
        "--no-deps",
        "--offline",
        "--format-version",
        "1",
    ]);
    let metadata: Value = serde_json::from_str(&process::output(&mut command)?)?;
    let text = |value: &Value, name: &str| value[name].as_str().unwrap_or_default().to_owned();
    let list = |value: &Value, name: &str| value[name].as_array().cloned().unwrap_or_default();
    let mut programs = BTreeMap::new();
    for package in list(&metadata, "packages") {
        for target in list(&package, "targets") {
            if list(&target, "kind").contains(&"test".into()) {
                let source = PathBuf::from(text(&target, "src_path"));
                programs.insert((text(&package, "name"), text(&target, "name")), source);
            }
        }
    }
    Ok(programs)
}

/// The file with a test: that of the program, or of the module that the test's path names.
fn file_of(program: &Path, test: &str) -> PathBuf {
    match test.rsplit_once("::") {
        Some((module, _)) => program
            .with_file_name(module.replace("::", "/"))
            .with_extension("rs"),
        None => program.to_owned(),
    }
}

#[test]
fn every_test_exists() -> Result<()> {
    let programs = test_programs()?;
    let mut missing = Vec::new();
    for check in CHECKS {
        let CheckProgram::Test(test) = &check.program else {
            continue;
        };
        let name = (
            format!("spillgate-{}", test.package),
            test.binary.to_owned(),
        );
        let Some(program) = programs.get(&name) else {
            missing.push(format!("{}: no test program {name:?}", check.name));
            continue;
        };
        // A test with parameters has a name for each case, such as `of_1_Cluster`.
        let path = match test.test.rsplit_once("::") {
            Some((function, case)) if case.starts_with("of_") => function,
            _ => test.test,
        };
        let file = file_of(program, path);
        let function = path.rsplit("::").next().unwrap_or_default();
        let text = fs::read_to_string(&file).unwrap_or_default();
        if !function.is_empty() && !text.contains(&format!("fn {function}(")) {
            missing.push(format!(
                "{}: no {} in {}",
                check.name,
                test.test,
                file.display()
            ));
        }
    }
    assert!(missing.is_empty(), "{missing:#?}");
    Ok(())
}
