//! Reads, reshapes and fixes configurations in tests.

pub(crate) mod changed;
mod fix;
mod golden;
mod shapes;
mod yaml;

use std::{fs, path::PathBuf};

use serde_json::Value;
use spillgate_config::envoy::{self, Format, ReadOptions};
use spillgate_lint::{Finding, Severity, lint};
use spillgate_testkit::repository;

pub(crate) use fix::fix;
pub(crate) use golden::{assert_golden, shown};
pub(crate) use shapes::{camel_case, dump, typed};
pub(crate) use yaml::yaml;

/// The findings of a text.
pub(crate) fn lint_text(text: &str, format: Format) -> Vec<Finding> {
    match envoy::read_for_lint(text, format, &ReadOptions::default()) {
        Ok(config) => lint(&config),
        Err(faults) => panic!("{faults:#?}\n{text}"),
    }
}

pub(crate) fn lint_json(value: &Value) -> Vec<Finding> {
    lint_text(&serde_json::to_string_pretty(value).unwrap(), Format::Json)
}

/// A table of rules by their severity, worst first, with links to their sections.
pub(crate) fn by_severity<'a>(rules: impl Iterator<Item = (&'a str, Severity)>) -> String {
    let rules: Vec<(&str, Severity)> = rules.collect();
    let mut table = String::from("| severity | rules |\n|---|---|\n");
    for severity in [Severity::Error, Severity::Warning, Severity::Info] {
        let of = rules.iter().filter(|(_, own)| *own == severity);
        let links: Vec<String> = of
            .map(|(id, _)| format!("[`{id}`](../cli/src/explain_code/rules.md#{id})"))
            .collect();
        if !links.is_empty() {
            table += &format!("| {severity} | {} |\n", links.join(", "));
        }
    }
    table
}

/// The distinct ids of findings, in order.
pub(crate) fn rules(findings: &[Finding]) -> Vec<&'static str> {
    let mut rules: Vec<_> = findings.iter().map(|finding| finding.rule).collect();
    rules.sort_unstable();
    rules.dedup();
    rules
}

/// A file of the project.
pub(crate) fn file(path: &str) -> PathBuf {
    repository().join(path)
}

/// A recorded fault: the file's name, its rule and its text.
pub(crate) struct Vector {
    pub(crate) name: String,
    pub(crate) rule: String,
    pub(crate) text: String,
}

/// Every file of `vectors/lint`; the name, after its number, is the rule's.
pub(crate) fn vectors() -> Vec<Vector> {
    let mut vectors = Vec::new();
    for entry in fs::read_dir(file("vectors/lint")).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            continue;
        }
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        let (stem, ending) = name.rsplit_once('.').unwrap();
        if ending == "md" {
            continue;
        }
        let number = |c: char| c.is_ascii_digit() || c == '-';
        let rule = stem.trim_start_matches(number).split('.').next().unwrap();
        vectors.push(Vector {
            rule: rule.to_owned(),
            text: fs::read_to_string(&path).unwrap(),
            name,
        });
    }
    vectors.sort_by(|a, b| a.name.cmp(&b.name));
    vectors
}

impl Vector {
    /// The value of a JSON vector.
    pub(crate) fn json(&self) -> Option<Value> {
        serde_json::from_str(&self.text).ok()
    }
}
