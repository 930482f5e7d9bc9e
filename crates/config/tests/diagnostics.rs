//! `codes.md` of `spillgate explain-code` lists the codes in the source, and its examples have their codes.

use std::collections::BTreeSet;

use spillgate_config::{
    Diagnostic, clusters,
    envoy::{EnvoyConfig, Format, read},
};
use spillgate_testkit::{codes_in, repository};

const DOCUMENT: &str = include_str!("../../../cli/src/explain_code/codes.md");

/// A row of a table: the code, its severity, and the example if it is a readable input.
struct Row {
    code: String,
    severity: String,
    example: Option<String>,
}

fn rows() -> Vec<Row> {
    let rows = DOCUMENT.lines().filter(|line| line.starts_with("| `"));
    rows.map(|line| {
        let cells: Vec<&str> = line.trim_matches('|').split(" | ").map(str::trim).collect();
        assert_eq!(cells.len(), 4, "{line}");
        let code = |cell: &str| Some(cell.strip_prefix('`')?.strip_suffix('`')?.to_owned());
        Row {
            code: code(cells[0]).unwrap(),
            severity: cells[1].to_owned(),
            example: code(cells[3]),
        }
    })
    .collect()
}

#[test]
fn the_document_lists_every_code_and_no_other() {
    let root = repository();
    let mut used = BTreeSet::new();
    for folder in [
        "crates/config/src",
        "crates/admin/src",
        "crates/adopt/src",
        "cli/src",
        "tests/conformance/src",
        "crates/answers/src",
        "crates/codec/src",
        "crates/export/src",
        "crates/exporter/src",
        "crates/incident/src",
        "filter/src",
        "crates/scenario/src",
        "playground/src",
        "playground/reader/src",
        "crates/sim/src",
        "crates/steer/src",
    ] {
        used.extend(codes_in(&root.join(folder)).unwrap());
    }
    // Media types, paths of files and units look like codes.
    used.retain(|code| {
        let media = ["application/", "text/", "docs/"];
        let units = ["/s", "/h", "/hour", "/request"];
        !(media.iter().any(|media| code.starts_with(media))
            || units.iter().any(|unit| code.ends_with(unit)))
    });
    let documented: BTreeSet<String> = rows().into_iter().map(|row| row.code).collect();
    assert!(used.len() > 80, "{used:?}");
    let missing: Vec<_> = used.difference(&documented).collect();
    let stale: Vec<_> = documented.difference(&used).collect();
    assert!(
        missing.is_empty() && stale.is_empty(),
        "not documented: {missing:?}; not in the code: {stale:?}"
    );
}

/// The findings in an example.
fn read_example(code: &str, example: &str) -> Vec<Diagnostic> {
    const HOST: &str =
        "{endpoint: {address: {socket_address: {address: 10.0.0.1, port_value: 80}}}}";
    let one =
        format!("load_assignment: {{cluster_name: c, endpoints: [{{lb_endpoints: [{HOST}]}}]}}");
    let text = example
        .replace("ONE", &one)
        .replace("HOST", HOST)
        .replace("\\n", "\n");
    if code.starts_with("clusters/") {
        return clusters::read(&text).err().unwrap_or_default();
    }
    if code.starts_with("mesh/") {
        return crate::common::mesh::findings(&text);
    }
    // JSON is also YAML, except for faults in its syntax.
    let json = code.starts_with("config/json-") || code == "config/truncated";
    let format = if code.starts_with("config/textproto-") {
        Format::TextProto
    } else if json {
        Format::Json
    } else {
        Format::Yaml
    };
    let found = |config: EnvoyConfig| [config.warnings, config.over_time].concat();
    read(&text, format).map_or_else(|faults| faults, found)
}

#[test]
fn every_example_has_its_code() {
    let mut read_examples = 0;
    let mut wrong = Vec::new();
    for row in rows() {
        let Some(example) = row.example else { continue };
        let found = read_example(&row.code, &example);
        let finding = found.iter().find(|finding| finding.code == row.code);
        let Some(finding) = finding else {
            let found: Vec<String> = found.iter().map(ToString::to_string).collect();
            wrong.push(format!("{}: {found:?}", row.code));
            continue;
        };
        let severity = format!("{:?}", finding.severity).to_lowercase();
        assert!(row.severity.contains(&severity), "{}: {severity}", row.code);
        read_examples += 1;
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(read_examples > 55, "{read_examples}");
}

/// Codes that no input of this build has, and why.
const WITHOUT_EXAMPLE: [(&str, &str); 5] = [
    ("config/format", "only builds without YAML have it"),
    ("config/model", "every known fault has its own code"),
    ("config/unusable", "every known fault has its own code"),
    ("mesh/rejected", "every known fault has its own code"),
    ("mesh/rule", "every known rule has its own code"),
];

#[test]
fn every_code_has_an_example_message() {
    let root = repository();
    let codes = codes_in(&root.join("crates/config/src")).unwrap();
    let mut found = crate::common::staged::examples();
    found.extend(crate::common::mesh::staged());
    for row in rows() {
        if let Some(example) = row.example {
            found.extend(read_example(&row.code, &example));
        }
    }
    let mut messages = String::new();
    for code in codes {
        let Some(finding) = found.iter().find(|finding| finding.code == code) else {
            let reason = WITHOUT_EXAMPLE.iter().find(|(name, _)| *name == code);
            let (_, reason) = reason.unwrap_or_else(|| panic!("{code} has no example"));
            messages += &format!("# {code}: {reason}\n");
            continue;
        };
        let severity = format!("{:?}", finding.severity).to_lowercase();
        let line = finding.to_string();
        let message = line.strip_prefix(&format!("{code}: ")).unwrap();
        messages += &format!("{severity}[{code}]: {message}\n");
    }
    crate::common::assert_golden("messages.txt", &messages);
}
