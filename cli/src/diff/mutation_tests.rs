//! What changes a request is never proved to change nothing: each field of many configurations is removed or changed.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use clap::Parser as _;
use serde_json::Value;
use spillgate_config::node::{Scalars, read_yaml, to_json};
use spillgate_testkit::repository;

use crate::args::Args;

/// The folders with configurations.
const FOLDERS: [&str; 4] = [
    "envoy-config",
    "crates/adopt/tests/bootstraps",
    "crates/config/tests",
    "cli/tests/cli/examples",
];
/// Larger configurations have no further fields.
const LARGEST: u64 = 60_000;

/// Fields that change no request: names that only people and statistics read, logs, and the process. A text is a name
/// of a field anywhere in a path.
const WITHOUT_EFFECT: [&str; 9] = [
    "access_log",
    "admin",
    "alt_stat_name",
    "node",
    "stat_prefix",
    "stats_config",
    "stats_flush_interval",
    "stats_sinks",
    "tracing",
];

/// Ends of paths that change no request, each with the reason.
const ENDS: [(&str, &str); 22] = [
    (".filters.#.name", "the type decides"),
    ("_extensions.#.name", "the type decides"),
    (".retry_host_predicate.#.name", "the type decides"),
    (".cluster_type.name", "the type decides"),
    (".typed_extension_config.name", "the type decides"),
    (".route_config.name", "a name for people"),
    (".virtual_hosts.#.name", "a name for people"),
    (".routes.#.name", "no header has it"),
    (
        ".load_assignment.cluster_name",
        "the cluster has the assignment itself",
    ),
    (".layers.#.name", "a name for people"),
    (".drop_overloads.#.category", "a name for statistics"),
    (
        "without .static_resources.clusters.#.type",
        "the default is the same",
    ),
    (
        "without .static_resources.clusters.#.lb_policy",
        "the default is the same",
    ),
    (".fallback_policy", "the default is the same"),
    (".on_header_present.type", "the default is the same"),
    (".table_size", "the default is the same"),
    (
        ".lb_endpoints.#.load_balancing_weight",
        "the default is the same",
    ),
    (
        ".endpoints.#.load_balancing_weight",
        "the policy does not weigh localities",
    ),
    (".runtime_key", "no layer has a value"),
    (".aggression", "the default is the same"),
    (".aggression.default_value", "the default is the same"),
    (
        ".typed_config.type_url",
        "Envoy skips policies that it does not know",
    ),
];
/// Parts of paths that change no request, each with the reason.
const PARTS: [(&str, &str); 2] = [
    (
        ".lb_endpoints.#.metadata",
        "no subset, retry or filter reads it",
    ),
    (
        ".typed_config.value.a",
        "Envoy skips policies that it does not know",
    ),
];

#[test]
fn no_change_of_a_request_is_proved_to_be_none() {
    let folder = std::env::temp_dir().join(format!("spillgate-mutations-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let (old, new) = (folder.join("old.json"), folder.join("new.json"));
    let mut seen = BTreeSet::new();
    let (mut compared, mut wrong) = (0, Vec::new());
    for file in configurations() {
        let Some(config) = read(&file) else { continue };
        fs::write(&old, config.to_string()).unwrap();
        if !is_proved(&old, &old) {
            continue;
        }
        for mutation in mutations(&config, &mut seen) {
            fs::write(&new, mutation.config.to_string()).unwrap();
            compared += 1;
            if is_proved(&old, &new) && !is_without_effect(&mutation.path) {
                wrong.push(format!("{} {}", mutation.path, file.display()));
            }
        }
    }
    fs::remove_dir_all(&folder).unwrap();
    assert!(compared > 1_000, "{compared}");
    assert!(
        wrong.is_empty(),
        "{} of {compared}:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

fn is_proved(old: &Path, new: &Path) -> bool {
    let args = [
        "spillgate".as_ref(),
        "diff".as_ref(),
        old.as_os_str(),
        new.as_os_str(),
    ];
    let done = Args::parse_from(args).run();
    done.is_ok_and(|done| done.output.starts_with("No request differs (proved"))
}

fn is_without_effect(path: &str) -> bool {
    let mut fields = path.split('.');
    fields.any(|field| WITHOUT_EFFECT.contains(&field))
        || ENDS.iter().any(|(end, _)| path.ends_with(end))
        || PARTS.iter().any(|(part, _)| path.contains(part))
}

/// The configurations with listeners or clusters.
fn configurations() -> Vec<PathBuf> {
    let mut open: Vec<PathBuf> = FOLDERS.iter().map(|name| repository().join(name)).collect();
    let mut found = Vec::new();
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|ext| ext == "yaml")
                && fs::metadata(&path).unwrap().len() < LARGEST
            {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

fn read(file: &Path) -> Option<Value> {
    let text = fs::read_to_string(file).unwrap();
    let document = read_yaml(&text, Scalars::Json).ok()?;
    let value: Value = serde_json::from_str(&to_json(document.roots.first()?)).unwrap();
    value.get("static_resources").is_some().then_some(value)
}

struct Mutation {
    /// The names of the fields, without indices.
    path: String,
    config: Value,
}

/// The configuration without each of its fields, and with another value of each one. Fields that earlier configurations
/// had at the same path are left out.
fn mutations(config: &Value, seen: &mut BTreeSet<String>) -> Vec<Mutation> {
    let mut pointers = Vec::new();
    collect(config, String::new(), String::new(), &mut pointers);
    let mut found = Vec::new();
    for (pointer, path) in pointers {
        let Some((parent, last)) = pointer.rsplit_once('/') else {
            continue;
        };
        if last == "@type" {
            continue;
        }
        if seen.insert(format!("without {path}")) {
            let mut config = config.clone();
            remove(config.pointer_mut(parent).unwrap(), last);
            found.push(Mutation {
                path: format!("without {path}"),
                config,
            });
        }
        let other = config.pointer(&pointer).and_then(other);
        if let Some(value) = other.filter(|_| seen.insert(format!("other {path}"))) {
            let mut config = config.clone();
            *config.pointer_mut(&pointer).unwrap() = value;
            found.push(Mutation {
                path: format!("other {path}"),
                config,
            });
        }
    }
    found
}

fn collect(value: &Value, pointer: String, path: String, found: &mut Vec<(String, String)>) {
    match value {
        Value::Object(fields) => {
            for (name, inner) in fields {
                let escaped = name.replace('~', "~0").replace('/', "~1");
                let (pointer, path) = (format!("{pointer}/{escaped}"), format!("{path}.{name}"));
                found.push((pointer.clone(), path.clone()));
                collect(inner, pointer, path, found);
            }
        }
        Value::Array(items) => {
            for (at, inner) in items.iter().enumerate() {
                let (pointer, path) = (format!("{pointer}/{at}"), format!("{path}.#"));
                found.push((pointer.clone(), path.clone()));
                collect(inner, pointer, path, found);
            }
        }
        _ => {}
    }
}

fn remove(parent: &mut Value, last: &str) {
    match parent {
        Value::Object(fields) => {
            fields.remove(&last.replace("~1", "/").replace("~0", "~"));
        }
        Value::Array(items) => {
            items.remove(last.parse().unwrap());
        }
        _ => {}
    }
}

/// Another value of the same type.
fn other(value: &Value) -> Option<Value> {
    Some(match value {
        Value::Bool(value) => Value::from(!value),
        Value::Number(value) => match value.as_i64() {
            Some(value) => Value::from(value + 1),
            None => Value::from(value.as_f64()? + 0.5),
        },
        Value::String(text) => {
            let seconds = text
                .strip_suffix('s')
                .and_then(|text| text.parse::<f64>().ok());
            match seconds {
                Some(seconds) => Value::from(format!("{}s", seconds + 1.0)),
                None => Value::from(format!("{text}x")),
            }
        }
        _ => return None,
    })
}
