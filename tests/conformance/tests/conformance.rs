//! The engine compared with the vectors of the project.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::expect_used,
    clippy::panic
)]

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    time::{SystemTime, UNIX_EPOCH},
};

use serde_json::{Value, json};
use spillgate_conformance::{ConformanceReport, ConformanceRun};
use spillgate_testkit::repository;

fn run_one(path: &Path) -> ConformanceReport {
    let paths = [path.into()];
    #[expect(
        clippy::disallowed_methods,
        reason = "recorded cookies expire in reality"
    )]
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    let run = ConformanceRun {
        paths: &paths,
        families: &[],
        now: now.as_secs(),
    };
    run.compare(&mut |_| {}).unwrap()
}

/// The project's vectors.
fn vectors() -> PathBuf {
    repository().join("vectors")
}

/// A new folder for the files of a test.
fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    if folder.exists() {
        fs::remove_dir_all(&folder).unwrap();
    }
    fs::create_dir_all(&folder).unwrap();
    folder
}

#[test]
fn the_engine_passes_every_vector() {
    let report = run_one(&vectors());
    assert_eq!(report.failed(), 0, "{report}");
    assert!(report.passed() >= 404, "{report}");

    let names: BTreeSet<&str> = report.units.iter().map(|unit| unit.name.as_str()).collect();
    assert_eq!(names.len(), report.units.len(), "duplicate name");
}

#[test]
fn every_kind_and_family_has_passing_vectors() {
    let report = run_one(&vectors());
    let passing: BTreeSet<&str> = report
        .units
        .iter()
        .filter(|unit| unit.faults.is_empty())
        .map(|unit| unit.family.as_str())
        .collect();
    for family in [
        "priority_load",
        "choose_priority",
        "aggregate",
        "bounded_load",
        "bounded_load_factor",
        "bounded_load_sequence",
        "bounded_load_shuffle",
        "edf",
        "edf_first_pick",
        "grpc-aggregate",
        "grpc-cookie_emit",
        "grpc-cookie_parse",
        "grpc-idle_timeout",
        "grpc-outlier",
        "grpc-outlier_config",
        "grpc-picker",
        "grpc-priority",
        "grpc-sweep",
        "hash",
        "hash_policy",
        "host_health",
        "host_source",
        "istio.effective-setting",
        "istio.locality",
        "istio.validate",
        "kuma.default-weights",
        "kuma.egress-locality-name",
        "kuma.locality",
        "kuma.overprovisioning",
        "kuma.split",
        "kuma.validate",
        "least_request",
        "least_request_weighted",
        "locality_wrr",
        "maglev",
        "override_status",
        "policy",
        "random_lb",
        "retry_priority",
        "ring",
        "ring_hash",
        "round_robin",
        "session",
        "slow_start",
        "stat",
        "subset",
        "weird",
        "zone_aware",
    ] {
        assert!(passing.contains(family), "{family} is not in {passing:?}");
    }
}

#[test]
fn deviations_are_well_formed() {
    let text = fs::read_to_string(vectors().join("deviations.json")).unwrap();
    let file: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(file["format"], "spillgate-deviations/1");
    let mut names = BTreeSet::new();
    for deviation in file["deviations"].as_array().unwrap() {
        for field in ["name", "envoy", "spillgate", "reason"] {
            let text = deviation[field].as_str();
            assert!(text.is_some_and(|text| !text.is_empty()), "{deviation}");
        }
        let name = deviation["name"].as_str().unwrap();
        assert!(names.insert(name), "duplicate name {name}");
    }
}

/// Changes one figure in a value.
fn mutate(value: &mut Value) -> bool {
    match value {
        Value::Number(number) => {
            *value = match number.as_u64() {
                Some(number) => json!(number + 1),
                None => json!(number.as_f64().unwrap() + 1.0),
            };
            true
        }
        Value::Bool(flag) => {
            *flag = !*flag;
            true
        }
        Value::String(text) => {
            text.push('0');
            true
        }
        Value::Null => {
            *value = json!("0");
            true
        }
        Value::Array(items) if items.is_empty() => {
            items.push(json!(0));
            true
        }
        Value::Array(items) => items.iter_mut().any(mutate),
        Value::Object(fields) if fields.is_empty() => {
            fields.insert("wrong".into(), json!(0));
            true
        }
        // Lookups start with the input and end with the figure.
        Value::Object(fields) => {
            let last = fields.keys().next_back().cloned().unwrap();
            mutate(&mut fields[&last])
        }
    }
}

#[test]
fn a_wrong_expectation_fails_in_every_vector() {
    let folder = scratch("wrong-vectors");
    let mut mutated = 0;
    for (source, list) in [("envoy", "vectors"), ("grpc", "cases")] {
        mutated += wrong_vectors(source, list, &folder);
    }
    for source in ["kuma", "istio"] {
        mutated += wrong_files(source, &folder);
    }
    let report = run_one(&folder);
    assert!(mutated > 1_000, "{mutated}");
    assert_eq!((report.passed(), report.failed()), (0, mutated), "{report}");
}

/// Copies the vector files of a folder. Each vector has one copy per expected field, with this field
/// changed. Returns the number of copies.
fn wrong_vectors(source: &str, list: &str, folder: &Path) -> usize {
    let mut mutated = 0;
    for entry in fs::read_dir(vectors().join(source)).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|ext| ext != "json") {
            continue;
        }
        let mut file: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
        let mut wrong = Vec::new();
        for vector in file[list].as_array().unwrap() {
            for field in vector["expect"].as_object().unwrap().keys() {
                let mut vector = vector.clone();
                assert!(mutate(&mut vector["expect"][field]), "{vector}");
                vector["id"] = json!(format!("{} {field}", vector["id"].as_str().unwrap()));
                wrong.push(vector);
            }
        }
        mutated += wrong.len();
        file[list] = Value::Array(wrong);
        let name = path.file_name().unwrap().to_str().unwrap();
        fs::write(folder.join(format!("{source}-{name}")), file.to_string()).unwrap();
    }
    mutated
}

/// Copies the files with one vector each, once per expected field, and for scenarios once per figure
/// of the last one. Returns the number of copies.
fn wrong_files(source: &str, folder: &Path) -> usize {
    let mut mutated = 0;
    let mut write = |file: &Value| {
        mutated += 1;
        let name = format!("{source}-{mutated}.json");
        fs::write(folder.join(name), file.to_string()).unwrap();
    };
    for entry in fs::read_dir(vectors().join(source)).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|ext| ext != "json") {
            continue;
        }
        let file: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
        for field in file["expect"].as_object().unwrap().keys() {
            let mut wrong = file.clone();
            if field != "scenarios" {
                assert!(mutate(&mut wrong["expect"][field]), "{path:?}");
                write(&wrong);
                continue;
            }
            let last = file["expect"][field].as_array().unwrap().len() - 1;
            for figure in file["expect"][field][last].as_object().unwrap().keys() {
                if !["name", "unhealthy"].contains(&figure.as_str()) {
                    let mut wrong = file.clone();
                    assert!(
                        mutate(&mut wrong["expect"][field][last][figure]),
                        "{path:?}"
                    );
                    write(&wrong);
                }
            }
        }
    }
    mutated
}

/// A copy of a scenario with changed observations.
fn changed(scenario: &str, change: impl Fn(usize, Value) -> Value) -> ConformanceReport {
    let source = vectors().join("oracle").join(scenario);
    let test = std::thread::current();
    let folder = scratch(&test.name().unwrap().replace("::", "-"));
    for file in ["envoy.yaml", "requests.jsonl", "meta.json"] {
        fs::copy(source.join(file), folder.join(file)).unwrap();
    }
    let observed = fs::read_to_string(source.join("observed.jsonl")).unwrap();
    let lines: Vec<String> = observed
        .lines()
        .enumerate()
        .map(|(index, line)| change(index, serde_json::from_str(line).unwrap()).to_string())
        .collect();
    fs::write(folder.join("observed.jsonl"), lines.join("\n")).unwrap();
    run_one(&folder)
}

#[track_caller]
fn assert_fault(report: &ConformanceReport, part: &str) {
    assert_eq!((report.passed(), report.failed()), (0, 1), "{report}");
    assert!(
        report.to_string().contains(part),
        "{part:?} is not in {report}"
    );
}

#[test]
fn an_unchanged_copy_of_a_scenario_passes() {
    let report = changed("ring-01-defaults", |_, row| row);
    assert_eq!((report.passed(), report.failed()), (1, 0), "{report}");
}

#[test]
fn a_field_that_is_not_modeled_fails() {
    let path = vectors().join("oracle/ring-01-defaults");
    let yaml = fs::read_to_string(path.join("envoy.yaml")).unwrap();
    let prefix = "- match:\n                  prefix: /\n";
    assert!(yaml.contains(prefix), "{yaml}");
    let yaml = yaml.replace(
        prefix,
        &format!(
            "{prefix}                  dynamic_metadata: [{{filter: f, path: [{{key: k}}], value: {{present_match: true}}}}]\n"
        ),
    );
    let folder = scratch("not-modeled");
    fs::write(folder.join("envoy.yaml"), yaml).unwrap();
    for file in ["requests.jsonl", "observed.jsonl"] {
        fs::copy(path.join(file), folder.join(file)).unwrap();
    }
    assert_fault(&run_one(&folder), "config/route-not-modeled");
}

#[test]
fn one_wrong_host_of_a_scenario_fails() {
    let report = changed("ring-01-defaults", |index, mut row| {
        if index == 17 {
            row["endpoint"] = json!("127.0.0.1:1");
        }
        row
    });
    assert_fault(
        &report,
        "row 17: expected 200 127.0.0.1:1 (c1, priority 0), found 200 127.",
    );
}

#[test]
fn an_unstable_row_only_needs_a_host() {
    let report = changed("ring-01-defaults", |index, mut row| {
        if index == 17 {
            row["endpoint"] = json!("127.0.0.1:1");
            row["unstable"] = json!(true);
        }
        row
    });
    assert_eq!(report.failed(), 0, "{report}");
    let report = changed("ring-01-defaults", |index, mut row| {
        if index == 17 {
            row["endpoint"] = Value::Null;
            row["status"] = json!(503);
            row["unstable"] = json!(true);
        }
        row
    });
    assert_fault(&report, "row 17: expected 503 without a host");
}

#[test]
fn shares_that_do_not_fit_fail() {
    // Swaps the counts of two hosts of P0 and two hosts of P1.
    let observed =
        fs::read_to_string(vectors().join("oracle/stat-01-priority-50-100/observed.jsonl"));
    let rows: Vec<Value> = observed
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let of_priority = |priority: u64| -> Vec<usize> {
        let indices = (0..rows.len()).filter(|index| rows[*index]["priority"] == priority);
        indices.take(2).collect()
    };
    let pairs: BTreeMap<usize, usize> = of_priority(0)
        .into_iter()
        .zip(of_priority(1))
        .flat_map(|(first, second)| [(first, second), (second, first)])
        .collect();
    let report = changed("stat-01-priority-50-100", |index, mut row| {
        if let Some(other) = pairs.get(&index) {
            row["count"] = rows[*other]["count"].clone();
        }
        row
    });
    assert_fault(&report, "shares by endpoints: chi-square");
}

#[test]
fn an_impossible_member_of_an_aggregate_fails() {
    let report = changed(
        "aggregate-03-priority-repick-ring_hash",
        |index, mut row| {
            if index == 0 {
                row["priority"] = json!(7);
            }
            row
        },
    );
    assert_fault(&report, "priority 7), found one of");
}

#[test]
fn a_missing_observation_fails() {
    let report = changed("ring-01-defaults", |index, mut row| {
        if index == 17 {
            row["i"] = json!(100_000);
        }
        row
    });
    assert_fault(&report, "row 17: 1 requested, 0 observed");
    assert!(
        report
            .to_string()
            .contains("row 100000: observed, but not in requests.jsonl")
    );
}

#[test]
fn a_scenario_without_a_file_fails() {
    let folder = scratch("half-a-scenario");
    fs::write(folder.join("requests.jsonl"), "{\"i\":0,\"path\":\"/\"}\n").unwrap();
    assert_fault(&run_one(&folder), "envoy.yaml: input/unreadable");
}
