//! The readers, and what must hold for every text.

use std::sync::LazyLock;

use arbitrary::{Arbitrary as _, Unstructured};
use spillgate::pick::{Answerer, CountField, read_requests, routes_of};
use spillgate_config::envoy::{EnvoyConfig, Format, ReadOptions, read_with};
use spillgate_config::{Diagnostic, clusters, filter};
use spillgate_core::model::{ClusterKind, Endpoint, Model};
use spillgate_core::snapshot::Snapshot;

use super::{FuzzInput, session};

/// A kind of text that users provide.
#[derive(Debug)]
pub struct FuzzTarget {
    /// Its name, that of the libFuzzer target too.
    pub name: &'static str,
    /// Small legal texts that edits begin with.
    pub seeds: &'static [&'static str],
    read: fn(&str),
}

/// Every target.
pub static TARGETS: [FuzzTarget; 6] = [
    FuzzTarget {
        name: "yaml",
        seeds: &[
            include_str!("../../seeds/yaml.yaml"),
            include_str!("../../seeds/scalars.yaml"),
        ],
        read: yaml,
    },
    FuzzTarget {
        name: "proto_json",
        seeds: &[
            include_str!("../../seeds/bootstrap.json"),
            include_str!("../../seeds/policies.json"),
            include_str!("../../seeds/filter.json"),
        ],
        read: proto_json,
    },
    FuzzTarget {
        name: "clusters",
        seeds: &[
            include_str!("../../seeds/clusters.txt"),
            include_str!("../../seeds/clusters.json"),
        ],
        read: clusters,
    },
    FuzzTarget {
        name: "config_dump",
        seeds: &[include_str!("../../seeds/config_dump.json")],
        read: config_dump,
    },
    FuzzTarget {
        name: "requests",
        seeds: &[include_str!("../../seeds/requests.jsonl")],
        read: requests,
    },
    FuzzTarget {
        name: "session",
        seeds: &[include_str!("../../seeds/cookies.txt")],
        read: session::read,
    },
];

impl FuzzTarget {
    /// The target of that name.
    ///
    /// # Panics
    /// When the name is unknown.
    #[must_use]
    pub fn named(name: &str) -> &'static Self {
        let found = TARGETS.iter().find(|target| target.name == name);
        found.expect("a target of that name")
    }

    /// Makes a text of the bytes and reads it.
    ///
    /// # Panics
    /// When the result is wrong.
    pub fn run(&self, bytes: &[u8]) {
        if let Some(text) = self.text(bytes) {
            self.read(&text);
        }
    }

    /// The text that the bytes make, if they make one.
    #[must_use]
    pub fn text(&self, bytes: &[u8]) -> Option<String> {
        let case = FuzzInput::arbitrary_take_rest(Unstructured::new(bytes)).ok()?;
        Some(case.text(self.seeds))
    }

    /// Reads a text.
    ///
    /// # Panics
    /// When the result is wrong.
    pub fn read(&self, text: &str) {
        (self.read)(text);
    }
}

fn yaml(text: &str) {
    for format in [Format::Yaml, Format::YamlAsJson] {
        configuration(text, format);
    }
}

fn proto_json(text: &str) {
    configuration(text, Format::Json);
    match filter::read(text) {
        Ok(config) => check(&config.warnings, text),
        Err(faults) => refused(&faults, text),
    }
}

fn config_dump(text: &str) {
    configuration(text, Format::Json);
}

fn configuration(text: &str, format: Format) {
    let options = ReadOptions {
        regex: Some(spillgate::compile_regex),
    };
    match read_with(text, format, &options) {
        Ok(config) => {
            check(&config.warnings, text);
            places(&config);
            let again = Model::new(config.model.into_clusters());
            assert!(again.is_ok(), "an invalid model: {again:?}");
        }
        Err(faults) => refused(&faults, text),
    }
}

/// Every host and locality has its place.
fn places(config: &EnvoyConfig) {
    for cluster in config.model.clusters() {
        let marks = config.marks.cluster(&cluster.name);
        let marks = marks.expect("the places of a cluster");
        if let ClusterKind::Plain(plain) = &cluster.kind {
            let hosts = plain
                .priorities
                .iter()
                .map(|priority| priority.endpoints.len());
            assert!(
                hosts.eq(marks.priorities.iter().map(Vec::len)),
                "{}",
                cluster.name
            );
            let localities = plain
                .priorities
                .iter()
                .map(|priority| priority.localities.len());
            assert!(
                localities.eq(marks.localities.iter().map(Vec::len)),
                "{}",
                cluster.name
            );
            for priority in &plain.priorities {
                let known = |endpoint: &Endpoint| endpoint.locality < priority.localities.len();
                assert!(priority.endpoints.iter().all(known), "{priority:?}");
            }
        }
    }
}

static SHOP: LazyLock<EnvoyConfig> = LazyLock::new(|| {
    let options = ReadOptions {
        regex: Some(spillgate::compile_regex),
    };
    let text = include_str!("../../seeds/bootstrap.json");
    read_with(text, Format::Json, &options).expect("a legal seed")
});

fn clusters(text: &str) {
    match clusters::read(text) {
        Ok(statuses) => {
            let mut config = EnvoyConfig {
                model: SHOP.model.clone(),
                listeners: Vec::new(),
                marks: SHOP.marks.clone(),
                facts: SHOP.facts.clone(),
                warnings: SHOP.warnings.clone(),
            };
            let found = clusters::lay_over(&statuses, &mut config);
            check(&found, text);
            places(&config);
            assert_eq!(config.model.clusters().len(), SHOP.model.clusters().len());
            for status in &statuses {
                let cluster = config.model.cluster(&status.name);
                if let Some(ClusterKind::Plain(plain)) = cluster.map(|cluster| &cluster.kind) {
                    let hosts = plain
                        .priorities
                        .iter()
                        .map(|priority| priority.endpoints.len());
                    assert_eq!(hosts.sum::<usize>(), status.hosts.len(), "{}", status.name);
                }
            }
        }
        Err(faults) => refused(&faults, text),
    }
}

static SNAPSHOT: LazyLock<Snapshot> = LazyLock::new(|| Snapshot::build(&SHOP.model));

fn requests(text: &str) {
    /// Enough to have rows that depend on each other.
    const ANSWERED: usize = 4;
    match read_requests(text, "localhost", CountField::Rejected) {
        Ok(rows) => {
            let (routes, _) = routes_of(&SHOP, None).expect("routes");
            let mut answerer = Answerer::new(&SNAPSHOT, routes);
            for row in rows.iter().take(ANSWERED) {
                let line = answerer.answer(&row.request).to_json(&row.i);
                let value = serde_json::from_str::<serde_json::Value>(&line);
                assert!(value.is_ok(), "not JSON: {line}");
            }
        }
        Err(faults) => refused(&faults, text),
    }
}

fn refused(faults: &[Diagnostic], text: &str) {
    assert!(!faults.is_empty(), "refused without a diagnostic");
    check(faults, text);
}

/// Every finding has words, and a place that is one of the text.
fn check(findings: &[Diagnostic], text: &str) {
    // YAML ends lines in more ways than the standard library.
    let breaks = |c: char| "\n\r\u{85}\u{2028}\u{2029}".contains(c);
    let lines = text.matches(breaks).count() + 1;
    let columns = text.chars().count() + 1;
    for finding in findings {
        let has_words = !finding.message.is_empty() && finding.code.contains('/');
        let is_inside = finding.position.is_none_or(|position| {
            let (line, column) = (position.line as usize, position.column as usize);
            (1..=lines).contains(&line) && (1..=columns).contains(&column)
        });
        assert!(has_words && is_inside, "{finding:?} of {lines} lines");
    }
}
