//! Recorded scenarios in every form of a configuration: as recorded, as
//! JSON, and as the dump of a real Envoy that runs it.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, anyhow};
use serde_json::{Map, Value, json};
use spillgate_answers::split;
use spillgate_answers::{
    limits::Limits,
    pick::{Answerer, CountField, RequestRow, read_requests, routes_of},
};
use spillgate_config::envoy::{Format, ReadOptions, read_with};
use spillgate_config::node::{self, Node, Scalars, read_yaml};
use spillgate_config::{Diagnostic, clusters};
use spillgate_core::model::Metadata;
use spillgate_core::snapshot::Snapshot;
use spillgate_testkit::repository;

/// A scenario folder of `vectors/oracle`.
#[derive(Debug)]
pub struct OracleScenario {
    /// The folder's name.
    pub name: String,
    /// The configuration as recorded.
    pub yaml: String,
    /// The same, as the recorder handed it to Envoy.
    pub json: Value,
    requests: Vec<RequestRow>,
}

/// What the commands answer about a scenario.
#[derive(Debug, Clone)]
pub struct CommandAnswers {
    /// `split`, cluster by cluster, sorted by name: a dump has an order of its own.
    pub split: Vec<Value>,
    /// `pick`, a line for each request.
    pub pick: Vec<String>,
    /// The codes of the warnings.
    pub warnings: Vec<&'static str>,
}

/// All scenarios.
///
/// # Errors
/// When one of them cannot be read.
pub fn scenarios() -> Result<Vec<OracleScenario>> {
    let vectors = repository().join("vectors");
    let mut folders: Vec<PathBuf> = fs::read_dir(vectors.join("oracle"))?
        .map(|entry| Ok(entry?.path()))
        .collect::<Result<_>>()?;
    folders.retain(|folder| folder.join("envoy.yaml").is_file());
    folders.sort();
    let mut scenarios = Vec::new();
    for folder in folders {
        let name = folder
            .file_name()
            .context("a folder without a name")?
            .to_string_lossy()
            .into_owned();
        scenarios.push(OracleScenario::read(&folder, name)?);
    }
    Ok(scenarios)
}

impl OracleScenario {
    fn read(folder: &Path, name: String) -> Result<Self> {
        let yaml = fs::read_to_string(folder.join("envoy.yaml"))?;
        let requests = fs::read_to_string(folder.join("requests.jsonl"))?;
        let list = read_requests(&requests, "oracle.test", CountField::Accepted)
            .map_err(|faults| anyhow!("{name}: {}", lines(&faults)))?;
        let document = read_yaml(&yaml, Scalars::Json)?;
        let json = document.roots.first().context("an empty configuration")?;
        Ok(Self {
            json: to_json(json)?,
            name,
            yaml,
            requests: list.rows,
        })
    }

    /// What an Envoy reads to run the scenario: its own ports and nothing else changed.
    ///
    /// # Errors
    /// When the scenario is no bootstrap with listeners.
    pub fn bootstrap(&self, node: &str, admin: u16) -> Result<Value> {
        let mut bootstrap = self.json.clone();
        let listeners = bootstrap
            .pointer_mut("/static_resources/listeners")
            .and_then(Value::as_array_mut);
        for listener in listeners.context("a scenario without listeners")? {
            // The system chooses the port; nothing connects.
            listener["address"]["socket_address"]["port_value"] = json!(0);
        }
        bootstrap["node"]["id"] = json!(node);
        bootstrap["node"]["cluster"] = json!("oracle");
        bootstrap["admin"] = json!({"address": {"socket_address":
            {"address": "127.0.0.1", "port_value": admin}}});
        Ok(bootstrap)
    }

    /// The same topology with endpoints that EDS brings: the configuration without them, and the
    /// assignments, one for each cluster that had its own. Envoy looks for them in `folder`, in
    /// `eds-0.json` and so on.
    #[must_use]
    pub fn with_eds(&self, folder: &Path) -> (Self, Vec<Value>) {
        let mut json = self.json.clone();
        let mut assignments = Vec::new();
        let clusters = json.pointer_mut("/static_resources/clusters");
        for cluster in clusters.and_then(Value::as_array_mut).into_iter().flatten() {
            let Some(fields) = cluster.as_object_mut() else {
                continue;
            };
            let is_static = fields.get("type").is_none_or(|kind| kind == "STATIC");
            if !is_static || fields.contains_key("cluster_type") {
                continue;
            }
            if let Some(mut assignment) = fields.remove("load_assignment") {
                assignment["cluster_name"] = fields["name"].clone();
                let path = folder.join(format!("eds-{}.json", assignments.len()));
                assignments.push(assignment);
                fields.insert("type".into(), json!("EDS"));
                let source =
                    json!({"resource_api_version": "V3", "path_config_source": {"path": path}});
                fields.insert("eds_cluster_config".into(), json!({"eds_config": source}));
            }
        }
        let scenario = Self {
            name: format!("{} with EDS", self.name),
            yaml: String::new(),
            json,
            requests: self.requests.clone(),
        };
        (scenario, assignments)
    }

    /// The answers from a text, with the answer of `/clusters` laid over it if there is one.
    ///
    /// # Errors
    /// When a text is refused, or lacks information for an answer.
    pub fn answers(
        &self,
        text: &str,
        format: Format,
        health: Option<&str>,
    ) -> Result<CommandAnswers> {
        let options = ReadOptions {
            regex: Some(spillgate_config::re2::compile),
            for_grpc: false,
        };
        let fault = |faults: Vec<Diagnostic>| anyhow!("{}: {}", self.name, lines(&faults));
        let mut config = read_with(text, format, &options).map_err(fault)?;
        if let Some(health) = health {
            let statuses = clusters::read(health).map_err(fault)?;
            let found = clusters::lay_over(&statuses, &mut config);
            anyhow::ensure!(found.is_empty(), "{}: {}", self.name, lines(&found));
        }
        let split = split::split(&config.model, &[], &Metadata::default()).map_err(fault)?;
        let split: Value = serde_json::from_str(&split::to_json(&split))?;
        let mut split = split["clusters"].as_array().cloned().unwrap_or_default();
        split.sort_by_key(|cluster| cluster["name"].to_string());
        let (routes, _) = routes_of(&config, None)?;
        let snapshot = Snapshot::build(&config.model);
        let mut answerer = Answerer::new(&snapshot, routes);
        let rows = self.requests.iter();
        let pick = rows
            .map(|row| {
                answerer
                    .answer(&row.request)
                    .to_json(&row.i, &Limits::default())
            })
            .collect();
        let warnings = config.warnings.iter().map(|warning| warning.code).collect();
        Ok(CommandAnswers {
            split,
            pick,
            warnings,
        })
    }
}

fn lines(faults: &[Diagnostic]) -> String {
    let lines: Vec<String> = faults.iter().map(ToString::to_string).collect();
    lines.join("\n")
}

fn to_json(node: &Node<'_>) -> Result<Value> {
    Ok(match &node.value {
        node::NodeValue::Null => Value::Null,
        node::NodeValue::Bool(value) => json!(value),
        node::NodeValue::Int(value) => json!(value),
        node::NodeValue::Uint(value) => json!(value),
        node::NodeValue::Decimal(text) => serde_json::from_str(text)?,
        node::NodeValue::String(text) => json!(text),
        node::NodeValue::List(items) => {
            Value::Array(items.iter().map(to_json).collect::<Result<_>>()?)
        }
        node::NodeValue::Map(entries) => {
            let mut fields = Map::new();
            for entry in entries {
                fields.insert(entry.key.name.clone().into_owned(), to_json(&entry.node)?);
            }
            Value::Object(fields)
        }
    })
}
