//! `spillgate lint --format sarif`: findings as SARIF 2.1.0, which code hosting shows as annotations.

use serde_json::{Value, json};
use spillgate_lint::{Finding, MESH_RULES, RULES, Severity};

use super::json::FileFindings;

/// The schema of SARIF 2.1.0.
const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// A rule of either catalog.
struct Described {
    id: &'static str,
    summary: &'static str,
    severity: Severity,
}

/// All rules, those for Envoy first.
fn described() -> impl Iterator<Item = Described> {
    let envoy = RULES.iter().map(|rule| Described {
        id: rule.id,
        summary: rule.summary,
        severity: rule.severity,
    });
    let mesh = MESH_RULES.iter().map(|rule| Described {
        id: rule.id,
        summary: rule.summary,
        severity: rule.severity,
    });
    envoy.chain(mesh)
}

/// One run over all files, with all rules.
#[must_use]
pub fn to_sarif(files: &[FileFindings]) -> String {
    let rules: Vec<Value> = described()
        .map(|rule| {
            json!({
                "id": rule.id,
                "shortDescription": {"text": rule.summary},
                "defaultConfiguration": {"level": level(rule.severity)},
            })
        })
        .collect();
    let results: Vec<Value> = files
        .iter()
        .flat_map(|file| {
            let findings = file.findings.iter();
            findings.map(|finding| result(finding, &file.name))
        })
        .collect();
    let log = json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {
                "name": "spillgate lint",
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": rules,
            }},
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    });
    // Strings and numbers always have a JSON form.
    let mut text = serde_json::to_string_pretty(&log).unwrap_or_default();
    text.push('\n');
    text
}

/// One finding as a SARIF result.
fn result(finding: &Finding, file: &str) -> Value {
    let text = format!("{}. Fix: {}.", finding.message(), finding.fix);
    json!({
        "ruleId": finding.rule,
        "ruleIndex": described().position(|rule| rule.id == finding.rule),
        "level": level(finding.severity),
        "message": {"text": text},
        "locations": [{
            "physicalLocation": {
                "artifactLocation": {"uri": uri(file)},
                "region": {
                    "startLine": finding.position.line,
                    "startColumn": finding.position.column,
                },
            },
            "logicalLocations": [{"fullyQualifiedName": finding.path, "kind": "member"}],
        }],
    })
}

/// The SARIF level of a severity.
const fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "note",
    }
}

/// A file name as a relative or absolute URI reference.
fn uri(file: &str) -> String {
    let mut uri = String::new();
    for byte in file.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' | b'~' => {
                uri.push(byte.into());
            }
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}
