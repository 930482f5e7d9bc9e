//! SARIF 2.1.0, which code hosting shows as annotations: the log of one run.

use serde_json::{Value, json};
use spillgate_config::Position;

/// The schema of SARIF 2.1.0.
const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// A level of SARIF.
#[derive(Debug, Clone, Copy)]
pub(crate) enum SarifLevel {
    Error,
    Warning,
    Note,
}

/// A rule of the tool.
#[derive(Debug)]
pub(crate) struct SarifRule {
    pub(crate) id: &'static str,
    pub(crate) summary: &'static str,
    pub(crate) level: SarifLevel,
}

/// A result of a rule.
#[derive(Debug)]
pub(crate) struct SarifResult<'r> {
    pub(crate) rule: &'static str,
    pub(crate) level: SarifLevel,
    /// One or more whole sentences.
    pub(crate) message: String,
    /// The file as given.
    pub(crate) file: &'r str,
    pub(crate) position: Position,
    /// The path of the member in the file.
    pub(crate) path: &'r str,
}

/// The log of one run of `tool` on `file`, with all its rules.
pub(crate) fn sarif_log<'r>(
    tool: &str,
    file: &str,
    rules: &[SarifRule],
    results: impl Iterator<Item = SarifResult<'r>>,
) -> String {
    let described: Vec<Value> = rules
        .iter()
        .map(|rule| {
            json!({
                "id": rule.id,
                "shortDescription": {"text": rule.summary},
                "defaultConfiguration": {"level": rule.level.name()},
            })
        })
        .collect();
    let results: Vec<Value> = results.map(|one| one.value(rules)).collect();
    let log = json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {
                "name": tool,
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": described,
            }},
            // Code hosting replaces earlier results of the same name: each file has one of its own.
            "automationDetails": {"id": format!("{}/{}/", tool.replace(' ', "-"), uri(file))},
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    });
    format!("{log:#}\n")
}

impl SarifLevel {
    const fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Note => "note",
        }
    }
}

impl SarifResult<'_> {
    fn value(&self, rules: &[SarifRule]) -> Value {
        json!({
            "ruleId": self.rule,
            "ruleIndex": rules.iter().position(|rule| rule.id == self.rule),
            "level": self.level.name(),
            "message": {"text": self.message},
            "locations": [{
                "physicalLocation": {
                    "artifactLocation": {"uri": uri(self.file)},
                    "region": {
                        "startLine": self.position.line,
                        "startColumn": self.position.column,
                    },
                },
                "logicalLocations": [{"fullyQualifiedName": self.path, "kind": "member"}],
            }],
        })
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
