//! Bootstraps in the shape of those that other projects write, with their results as files.

use std::{fs, path::PathBuf};

use serde_json::Value;
use spillgate_adopt::{AdoptOptions, EditText, adopt, undo, unified_diff};
use spillgate_config::envoy::{ReadOptions, SourceText, read_sources_for_lint};
use spillgate_lint::{Severity, lint, rejected_filters};

use crate::common::{module, wasm};

/// Names, and the listener if there are several.
const CASES: [(&str, Option<&str>); 12] = [
    ("cilium.json", None),
    ("consul.json", None),
    ("contour.json", None),
    ("dynamic-fs", None),
    ("emissary.json", None),
    ("envoy-gateway.yaml", None),
    ("ext-authz.yaml", None),
    ("front-proxy.yaml", Some("0.0.0.0:8080")),
    ("grpc-web.yaml", None),
    ("istio.json", Some("0.0.0.0:15021")),
    ("locality.yaml", None),
    ("wasm-cc.yaml", None),
];

/// What `adopt` replaces on purpose; everything else stays at its path.
const REPLACED: [&str; 4] = [
    "load_balancing_policy",
    "lb_subset_config",
    "weighted_clusters",
    "common_lb_config",
];

fn folder() -> PathBuf {
    PathBuf::from(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/bootstraps/foreign"
    ))
}

/// The files of a case with their names.
fn files(name: &str) -> Vec<(String, String)> {
    let path = folder().join(name);
    let mut paths = vec![path.clone()];
    if path.is_dir() {
        paths = fs::read_dir(path)
            .unwrap()
            .map(|file| file.unwrap().path())
            .collect();
        paths.sort();
    }
    let read = |path: PathBuf| {
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        (name, fs::read_to_string(path).unwrap())
    };
    paths.into_iter().map(read).collect()
}

fn edit(texts: &[String]) -> Vec<EditText> {
    let texts = texts.iter();
    texts
        .map(|text| EditText::new(text.clone()).unwrap())
        .collect()
}

/// The rules of the errors that lint finds.
fn errors(texts: &[String]) -> Vec<String> {
    let sources = texts.iter().map(|text| SourceText::guess("", text));
    let sources: Vec<_> = sources.collect();
    let regex = wasm().regex;
    let options = ReadOptions {
        regex,
        ..ReadOptions::default()
    };
    let config = read_sources_for_lint(&sources, &options).unwrap();
    let mut found = lint(&config);
    found.extend(rejected_filters(&config));
    let found = found
        .into_iter()
        .filter(|finding| finding.severity == Severity::Error);
    found
        .map(|finding| format!("{} {}", finding.rule, finding.message()))
        .collect()
}

/// The paths of old values that the new value does not have. Items of lists keep their order.
fn lost(old: &Value, new: &Value, path: &str, into: &mut Vec<String>) {
    match (old, new) {
        (Value::Object(old), Value::Object(new)) => {
            for (key, value) in old {
                let path = format!("{path}.{key}");
                match new.get(key) {
                    Some(now) => lost(value, now, &path, into),
                    None => into.push(path),
                }
            }
        }
        (Value::Array(old), Value::Array(new)) => {
            let mut rest = new.iter();
            for (index, value) in old.iter().enumerate() {
                let path = format!("{path}[{index}]");
                let of_item = |now: &Value| {
                    let mut lines = Vec::new();
                    lost(value, now, &path, &mut lines);
                    lines
                };
                let name = |value: &Value| value.get("name").cloned();
                let found = rest.find(|now| name(now) == name(value));
                match found.map(of_item) {
                    Some(lines) => into.extend(lines),
                    None => into.push(path),
                }
            }
        }
        _ if old == new => {}
        _ => into.push(path.to_owned()),
    }
}

/// Each result in both forms: nothing is lost, a second run changes nothing, and lint finds no new error.
#[track_caller]
fn check(name: &str, listener: Option<&str>, form: &str, options: AdoptOptions) -> String {
    let options = AdoptOptions {
        listener: listener.map(str::to_owned),
        ..options
    };
    let (names, old): (Vec<_>, Vec<_>) = files(name).into_iter().unzip();
    let result = match adopt(&edit(&old), &options) {
        Ok(result) => result,
        Err(faults) => {
            let lines = faults.iter().map(|fault| fault.render(name) + "\n");
            return lines.collect();
        }
    };
    let new = result.texts;
    for (old, new) in edit(&old).iter().zip(edit(&new)) {
        let mut paths = Vec::new();
        lost(old.value(), new.value(), "", &mut paths);
        paths.retain(|path| !REPLACED.iter().any(|field| path.ends_with(field)));
        assert_eq!(paths, Vec::<String>::new(), "{name} {form}");
        let comments = old.text().lines().filter_map(|line| line.split_once("# "));
        for (_, comment) in comments {
            assert!(new.text().contains(comment), "{name} {form}: {comment}");
        }
        for mark in ["&second", "*second"] {
            assert_eq!(old.text().contains(mark), new.text().contains(mark));
        }
    }
    assert_eq!(adopt(&edit(&new), &options).unwrap().texts, new, "{name}");
    let back = undo(&edit(&new), listener).unwrap().unwrap();
    for (old, back) in edit(&old).iter().zip(edit(&back)) {
        assert_eq!(old.value(), back.value(), "{name} {form}");
    }
    let known = errors(&old);
    let found = errors(&new).into_iter();
    let found: Vec<String> = found.filter(|error| !known.contains(error)).collect();
    assert_eq!(found, Vec::<String>::new(), "{name} {form}");
    // For a check of the results with a real Envoy.
    if let Some(folder) = std::env::var_os("SPILLGATE_ADOPTED") {
        let folder = PathBuf::from(folder).join(format!("{name}.{form}"));
        fs::create_dir_all(&folder).unwrap();
        for (name, text) in names.iter().zip(&new) {
            fs::write(folder.join(name), text).unwrap();
        }
    }
    let texts = names.iter().zip(old.iter().zip(&new));
    let diffs = texts.map(|(name, (old, new))| unified_diff(name, old, new));
    diffs.collect()
}

#[test]
fn bootstraps_of_other_projects_are_steered_or_refused_with_the_place() {
    let mut wrong = Vec::new();
    for (name, listener) in CASES {
        for (form, options) in [("wasm", wasm()), ("module", module())] {
            let result = check(name, listener, form, options);
            let file = folder().join(format!("{name}.{form}.txt"));
            if std::env::var_os("SPILLGATE_GOLDEN").is_some_and(|value| value == "write") {
                fs::write(&file, &result).unwrap();
            }
            if !fs::read_to_string(&file).is_ok_and(|golden| golden == result) {
                wrong.push(format!("{}:\n{result}", file.display()));
            }
        }
    }
    let hint = "with SPILLGATE_GOLDEN=write, the test writes its files";
    assert!(wrong.is_empty(), "{hint}\n{}", wrong.join("\n"));
}
