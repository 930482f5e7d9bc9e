//! The right answers to questions of real users (`vectors/field/`).

use std::{collections::BTreeMap, fs, path::Path};

use serde::Deserialize;
use serde_json::Value;

use crate::run::{Ran, spillgate_at, vectors};

/// A `case.json`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    title: String,
    asked: String,
    source: String,
    checks: Vec<Check>,
}

/// A command and what its output must have.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Check {
    run: Vec<String>,
    #[serde(default)]
    stdin: String,
    #[serde(default)]
    exit: i32,
    #[serde(default)]
    has: Vec<String>,
    #[serde(default)]
    lacks: Vec<String>,
    #[serde(default)]
    shares: BTreeMap<String, f64>,
    within: Option<f64>,
    #[serde(default)]
    hosts: Vec<Option<String>>,
}

#[test]
fn every_field_case_has_the_right_answer() {
    let mut faults = Vec::new();
    let mut cases = 0;
    for group in folders(&vectors().join("field")) {
        for folder in folders(&group) {
            cases += 1;
            let text = fs::read_to_string(folder.join("case.json")).unwrap();
            let case: Case = serde_json::from_str(&text)
                .unwrap_or_else(|fault| panic!("{}: {fault}", folder.display()));
            let stated = [&case.title, &case.asked, &case.source];
            assert!(
                stated.iter().all(|text| !text.is_empty()),
                "{}",
                folder.display()
            );
            assert!(!case.checks.is_empty(), "{}", folder.display());
            for check in &case.checks {
                let arguments: Vec<&str> = check.run.iter().map(String::as_str).collect();
                let ran = spillgate_at(&folder, &arguments, check.stdin.as_bytes());
                let found = differences(check, &ran);
                if !found.is_empty() {
                    faults.push(format!(
                        "{}: spillgate {}\n  {}\n{}{}",
                        folder.display(),
                        check.run.join(" "),
                        found.join("\n  "),
                        ran.stdout,
                        ran.stderr
                    ));
                }
            }
        }
    }
    assert!(cases > 0);
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// The folders in a folder, by name.
fn folders(of: &Path) -> Vec<std::path::PathBuf> {
    let entries = fs::read_dir(of).unwrap().map(|entry| entry.unwrap().path());
    let mut folders: Vec<_> = entries.filter(|path| path.is_dir()).collect();
    folders.sort();
    folders
}

/// What is wrong with the output of a check.
fn differences(check: &Check, ran: &Ran) -> Vec<String> {
    let mut found = Vec::new();
    let output = format!("{}{}", ran.stdout, ran.stderr);
    if ran.status != check.exit {
        found.push(format!(
            "exit status {}, expected {}",
            ran.status, check.exit
        ));
    }
    for text in check.has.iter().filter(|text| !output.contains(*text)) {
        found.push(format!("lacks {text:?}"));
    }
    for text in check.lacks.iter().filter(|text| output.contains(*text)) {
        found.push(format!("has {text:?}"));
    }
    if !check.shares.is_empty() {
        let shares = shares(&ran.stdout);
        let all = check.shares.keys().chain(shares.keys());
        for host in all.collect::<std::collections::BTreeSet<_>>() {
            let share = |of: &BTreeMap<String, f64>| of.get(host).copied().unwrap_or(0.0);
            let (now, right) = (share(&shares), share(&check.shares));
            if (now - right).abs() > check.within.unwrap_or(0.05) {
                found.push(format!("{host} has {now} %, expected {right}"));
            }
        }
    }
    if !check.hosts.is_empty() {
        let rows = ran.stdout.lines().map(|line| {
            let row: Value = serde_json::from_str(line).unwrap();
            row["endpoint"].as_str().map(str::to_owned)
        });
        let rows: Vec<Option<String>> = rows.collect();
        if rows != check.hosts {
            found.push(format!("hosts {rows:?}, expected {:?}", check.hosts));
        }
    }
    found
}

/// The shares of hosts in the JSON of `split`, or in the first row of `pick`.
fn shares(output: &str) -> BTreeMap<String, f64> {
    let whole = serde_json::from_str(output);
    let value: Value = whole
        .or_else(|_| serde_json::from_str(output.lines().next().unwrap_or_default()))
        .unwrap_or(Value::Null);
    let mut shares = BTreeMap::new();
    let mut add = |host: &Value, share: &Value| {
        if let (Some(host), Some(share)) = (host.as_str(), share.as_f64()) {
            *shares.entry(host.to_owned()).or_insert(0.0) += share;
        }
    };
    for cluster in value["clusters"].as_array().into_iter().flatten() {
        for host in cluster["endpoints"].as_array().into_iter().flatten() {
            add(&host["address"], &host["share"]);
        }
    }
    for host in value["distribution"].as_array().into_iter().flatten() {
        add(&host["endpoint"], &host["share"]);
    }
    add(&value["endpoint"], &Value::from(100.0));
    shares
}
