//! What a version of Envoy does with the filter in both forms, with the recorded scenarios, and against the
//! engine over random topologies.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use serde_json::{Value, json};
use spillgate_config::filter::FilterForm::{DynamicModule, Wasm};
use spillgate_testkit::repository;

use crate::differential::{DifferentialSettings, Features, Predictor, run};
use crate::versions::{InstalledEnvoy, check_form};
use crate::{Need, Workdir, needed, spillgate};

/// The folders of recorded scenarios.
const RECORDED: [&str; 2] = ["oracle", "differential"];

/// Something that versions up to one lack. Topologies for these versions leave the features out.
struct Lack {
    last: (u32, u32),
    features: &'static str,
    reason: &'static str,
}

/// The features that differ from Envoy 1.40 in some topologies, or whose answer is not known.
const DIFFERING: &str = "-refresh_cluster_on_retry,-client_address_extension";

const LACKS: [Lack; 4] = [
    Lack {
        last: (1, 39),
        features: "-priority_group",
        reason: "there is no cluster specifier of priority groups",
    },
    Lack {
        last: (1, 38),
        features: "-empty_priority",
        reason: "a priority without hosts can end Envoy (SIGSEGV)",
    },
    Lack {
        last: (1, 37),
        features: "-stateful_session_cookie,-stateful_session_header,-stateful_session_route",
        reason: "`stateful_session` has no `status_on_strict_destination_not_found`",
    },
    Lack {
        last: (1, 36),
        features: "-client_side_weighted_round_robin",
        reason: "`load_balancing_policy` has no `wrr_locality`",
    },
];

/// The results of the Envoy in `ENVOY`, as JSON. `topologies` are compared with the engine.
///
/// # Errors
/// When the binary does not run. A difference is a result, not an error.
pub fn measure(topologies: usize) -> Result<Value> {
    let program = needed(Need::Envoy)?;
    let envoy = InstalledEnvoy::new(program.clone())?;
    let form = |form| match check_form(&envoy, form) {
        Ok(line) => json!({"ok": true, "text": line}),
        Err(error) => json!({"ok": false, "text": format!("{error:#}")}),
    };
    Ok(json!({
        "version": envoy.name,
        "wasm": form(Wasm),
        "native": form(DynamicModule),
        "recorded": recorded(&program)?,
        "differential": differential(topologies, envoy.version())?,
    }))
}

/// The recorded scenarios, replayed.
fn recorded(program: &Path) -> Result<Value> {
    let vectors = repository().join("vectors");
    let folders = RECORDED.map(|folder| vectors.join(folder));
    let [oracle, differential] = folders;
    let arguments: [PathBuf; 7] = [
        "conformance".into(),
        oracle,
        differential,
        "--format".into(),
        "json".into(),
        "--envoy".into(),
        program.to_owned(),
    ];
    let done = spillgate(arguments)?;
    let report: Value = serde_json::from_str(&done.output)?;
    let units = report["units"].as_array().context("no units")?;
    let failed = units.iter().filter(|unit| unit["outcome"] == "failed");
    let failed: Vec<Value> = failed
        .map(|unit| json!({"name": unit["name"], "fault": unit["faults"][0]}))
        .collect();
    Ok(json!({
        "passed": report["passed"],
        "failed": failed,
        "not_replayed": report["not_replayed"],
    }))
}

/// The engine against this Envoy over random topologies.
fn differential(topologies: usize, version: (u32, u32)) -> Result<Value> {
    let lacks: Vec<&Lack> = LACKS.iter().filter(|lack| version <= lack.last).collect();
    let without: Vec<&str> = lacks.iter().map(|lack| lack.features).collect();
    let workdir = Workdir::new("compatibility")?;
    let settings = DifferentialSettings {
        scenarios: topologies,
        requests: topologies * 100,
        seed: 1,
        features: Features::parse(&[&[DIFFERING][..], &without[..]].concat().join(","))?,
        limit: None,
        findings: workdir.path().join("findings"),
        shrunk: 0,
        predictor: Predictor::default(),
    };
    let summary = run(&settings, &workdir)?;
    let failures: Vec<Value> = summary
        .failures
        .iter()
        .map(|failure| json!(failure.what.to_string()))
        .collect();
    Ok(json!({
        "topologies": summary.scenarios,
        "deterministic": summary.determined,
        "random": summary.random,
        "ended": summary.ended.len(),
        "failures": failures,
        "left_out": lacks.iter().map(|lack| lack.reason).collect::<Vec<_>>(),
    }))
}

/// The table of the results of several versions, and the differences by name.
#[must_use]
pub fn table(results: &[Value]) -> String {
    let mut text = String::from(
        "| Envoy | `spillgate.wasm` | dynamic module | recorded scenarios | random topologies |\n\
         |---|---|---|---|---|\n",
    );
    for result in results {
        let recorded = &result["recorded"];
        let failed = count(&recorded["failed"]);
        let passed = recorded["passed"].as_u64().unwrap_or_default();
        let random = &result["differential"];
        let _ = writeln!(
            text,
            "| {} | {} | {} | {passed} of {} as recorded | {}: {} differ, {} end Envoy |",
            result["version"].as_str().unwrap_or_default(),
            form(&result["wasm"]),
            form(&result["native"]),
            passed + failed as u64,
            random["topologies"],
            count(&random["failures"]),
            random["ended"],
        );
    }
    let differences: String = results.iter().map(differences).collect();
    if !differences.is_empty() {
        let _ = write!(text, "\nDifferences:\n\n{differences}");
    }
    text
}

/// The end of the message of a binary that was built without the Wasm runtime.
const NO_WASM: &str = "Envoy was compiled without support for it";

fn form(result: &Value) -> &'static str {
    let text = result["text"].as_str().unwrap_or_default();
    if result["ok"] == true {
        if text.contains("refused") {
            "not supported by this Envoy"
        } else {
            "works"
        }
    } else if text.contains(NO_WASM) {
        "not tested: a binary without Wasm"
    } else {
        "fails"
    }
}

/// The lines about one version.
fn differences(result: &Value) -> String {
    let version = result["version"].as_str().unwrap_or_default();
    let mut text = String::new();
    let mut add = |what: &str| {
        // A message of Envoy can have several lines and a path of the machine.
        let line = what.lines().next().unwrap_or_default();
        let _ = writeln!(text, "- {version}: {}", line.replace('|', "\\|"));
    };
    for (form, name) in [
        ("wasm", "`spillgate.wasm`"),
        ("native", "the dynamic module"),
    ] {
        let reason = result[form]["text"].as_str().unwrap_or_default();
        if let Some((_, reason)) = reason.split_once("refused, ") {
            add(&format!("{name} is refused ({reason})"));
        } else if reason.contains(NO_WASM) {
            add("the measured binary was built without a Wasm runtime");
        } else if result[form]["ok"] != true {
            add(&format!("{name}: {reason}"));
        }
    }
    for unit in result["recorded"]["failed"]
        .as_array()
        .into_iter()
        .flatten()
    {
        let (name, fault) = (&unit["name"], &unit["fault"]);
        let [name, fault] = [name, fault].map(|value| value.as_str().unwrap_or_default());
        add(&format!("scenario `{name}`: {}", summary(fault)));
    }
    for reason in result["differential"]["left_out"]
        .as_array()
        .into_iter()
        .flatten()
    {
        let reason = reason.as_str().unwrap_or_default();
        add(&format!("{reason}; the random topologies do not use it"));
    }
    for failure in result["differential"]["failures"]
        .as_array()
        .into_iter()
        .flatten()
    {
        add(&format!(
            "random topology: {}",
            failure.as_str().unwrap_or_default()
        ));
    }
    text
}

/// The first line of a fault, and the message that this Envoy lacks, if that is the reason.
fn summary(fault: &str) -> String {
    let line = fault.lines().next().unwrap_or_default();
    let lacks = fault.rsplit_once("could not find @type '");
    let message = lacks.and_then(|(_, rest)| rest.split(['\'', '…']).next());
    match message.and_then(|message| message.rsplit('/').next()) {
        Some(message) => format!("{line}: it has no `{message}`"),
        None => line.to_owned(),
    }
}

fn count(list: &Value) -> usize {
    list.as_array().map_or(0, Vec::len)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_counts_and_names_what_differs() {
        let result = json!({
            "version": "1.36.4",
            "wasm": {"ok": true, "text": "1.36.4: 1000 requests"},
            "native": {"ok": true, "text": "1.36.4: refused, `no such type`"},
            "recorded": {"passed": 50, "failed": [
                {"name": "a", "fault": "row 1\nmore"},
                {"name": "b", "fault": "ended\n | could not find @type 'x/y.Z': {}"},
            ]},
            "differential": {"topologies": 96, "ended": 2, "failures": [], "left_out": ["no x"]},
        });
        assert_eq!(
            table(&[result]),
            "| Envoy | `spillgate.wasm` | dynamic module | recorded scenarios | random topologies |\n\
             |---|---|---|---|---|\n\
             | 1.36.4 | works | not supported by this Envoy | 50 of 52 as recorded | 96: 0 differ, 2 end Envoy |\n\
             \nDifferences:\n\n\
             - 1.36.4: the dynamic module is refused (`no such type`)\n\
             - 1.36.4: scenario `a`: row 1\n\
             - 1.36.4: scenario `b`: ended: it has no `y.Z`\n\
             - 1.36.4: no x; the random topologies do not use it\n"
        );
    }
}
