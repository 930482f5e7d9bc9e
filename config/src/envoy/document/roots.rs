//! Sorts the root messages of an input: a bootstrap, single messages, lists of them, dumps.

use alloc::vec::Vec;

use super::{
    dump::{Dump, is_dump},
    local::{Local, read_local},
};
#[cfg(feature = "yaml")]
use crate::envoy::schema::SIMULATION;
use crate::{
    Diagnostic,
    envoy::{
        common::{check_version, type_name},
        schema::{
            BOOTSTRAP, CLUSTER, LISTENER, LOAD_ASSIGNMENT, ROUTE_CONFIGURATION, STATIC_RESOURCES,
        },
    },
    node::{Document, Node, NodeValue},
    proto::{Message, Path, Report, Schema, TextOrigin},
};

/// The messages of an input by kind, each in input order.
#[derive(Debug, Default)]
pub(crate) struct Roots<'n, 'a> {
    pub(crate) clusters: Vec<(Path, &'n Node<'a>)>,
    pub(crate) assignments: Vec<(Path, &'n Node<'a>)>,
    pub(crate) listeners: Vec<(Path, &'n Node<'a>)>,
    pub(crate) route_configurations: Vec<(Path, &'n Node<'a>)>,
    /// The proxy's own location; of several bootstraps, the last one's.
    pub(crate) local: Local,
    /// Run-time endpoints from a dump.
    pub(crate) live: Vec<(Path, &'n Node<'a>)>,
    /// Filters from ECDS in a dump.
    pub(crate) extensions: Vec<(Path, &'n Node<'a>)>,
}

/// Sorts the documents of all texts of an input. Paths start at a document of one text.
pub(crate) fn sort<'n, 'a>(texts: &'n [Document<'a>], report: &mut Report) -> Roots<'n, 'a> {
    let mut roots = Roots::default();
    let mut dump = None;
    for (file, text) in texts.iter().enumerate() {
        if text.roots.is_empty() {
            report.push(nothing().at("", report.sources().start(file)));
        }
        roots.documents(&text.roots, &mut dump, report);
    }
    if let Some(dump) = dump {
        roots.add(dump);
        report.found_origin(if roots.live.is_empty() {
            TextOrigin::Dump
        } else {
            TextOrigin::DumpWithHosts
        });
    }
    roots
}

impl<'n, 'a> Roots<'n, 'a> {
    /// Sorts the documents of one text.
    fn documents(
        &mut self,
        documents: &'n [Node<'a>],
        dump: &mut Option<Dump<'n, 'a>>,
        report: &mut Report,
    ) {
        for (index, node) in documents.iter().enumerate() {
            let path = match documents {
                [_] => Path::root(),
                _ => Path::root().index(index),
            };
            match &node.value {
                NodeValue::List(items) => {
                    for (index, item) in items.iter().enumerate() {
                        self.message(item, path.index(index), dump, report);
                    }
                }
                _ => self.message(node, path, dump, report),
            }
        }
    }

    fn message(
        &mut self,
        node: &'n Node<'a>,
        path: Path,
        dump: &mut Option<Dump<'n, 'a>>,
        report: &mut Report,
    ) {
        if report.is_full() {
            return;
        }
        let NodeValue::Map(entries) = &node.value else {
            Diagnostic::error("config/type", "not an Envoy configuration")
                .at(path.text(), node.position)
                .found(node.describe())
                .expected("an Envoy bootstrap or one of its messages")
                .push_to(report);
            return;
        };
        if is_dump(node) {
            report.found_origin(TextOrigin::Dump);
            dump.get_or_insert_default().add(node, path, report);
            return;
        }
        if entries.is_empty() {
            report.push(nothing().at(path.text(), node.position));
            return;
        }
        if !check_version(node, &path, report) {
            return;
        }
        #[cfg(feature = "yaml")]
        if is_simulation(node) {
            self.simulation(node, path, report);
            return;
        }
        match kind(node) {
            Kind::Bootstrap => self.bootstrap(node, path, report),
            Kind::Cluster => self.clusters.push((path, node)),
            Kind::Assignment => self.assignments.push((path, node)),
            Kind::Listener => self.listeners.push((path, node)),
            Kind::Routes => self.route_configurations.push((path, node)),
        }
    }

    /// Adds the messages of a dump.
    fn add(&mut self, dump: Dump<'n, 'a>) {
        let mut dump = dump.complete();
        // Listeners already contain them, under names that no listener refers to.
        if dump.listeners.is_empty() && self.listeners.is_empty() {
            dump.routes.append(&mut dump.inline_routes);
        }
        self.clusters.append(&mut dump.clusters);
        self.assignments.extend(dump.endpoints.iter().cloned());
        self.listeners.append(&mut dump.listeners);
        self.route_configurations.append(&mut dump.routes);
        self.live = dump.endpoints;
        self.extensions = dump.extensions;
        self.local = dump.local.unwrap_or(core::mem::take(&mut self.local));
    }

    /// Adds the clusters of a scenario. The simulator checks its other fields.
    #[cfg(feature = "yaml")]
    fn simulation(&mut self, node: &'n Node<'a>, path: Path, report: &mut Report) {
        if let Some(scenario) = Message::open(node, path, &SIMULATION, report) {
            self.clusters.extend(scenario.list("clusters", report));
        }
    }

    fn bootstrap(&mut self, node: &'n Node<'a>, path: Path, report: &mut Report) {
        let Some(bootstrap) = Message::open(node, path, &BOOTSTRAP, report) else {
            return;
        };
        self.local = read_local(&bootstrap, report);
        let Some(resources) = bootstrap.message("static_resources", &STATIC_RESOURCES, report)
        else {
            return;
        };
        self.clusters.extend(resources.list("clusters", report));
        self.listeners.extend(resources.list("listeners", report));
    }
}

/// Whether a message is a scenario of `spillgate simulate` with clusters of its own.
#[cfg(feature = "yaml")]
#[must_use]
pub fn is_simulation(node: &Node<'_>) -> bool {
    // A scenario without further fields is one of the other messages, written with a mistake.
    node.get("clusters").is_some() && SIMULATION.known_fields(node) > 1
}

fn nothing() -> Diagnostic {
    Diagnostic::error("config/empty", "input is empty")
        .expected("an Envoy bootstrap, a Cluster, a config_dump, or a list of them")
}

#[derive(Debug, Clone, Copy)]
enum Kind {
    Bootstrap,
    Cluster,
    Assignment,
    Listener,
    Routes,
}

/// The kind with the most known fields; on a tie, the earlier one. So an unknown or misspelled
/// field does not change the kind and is reported against the right message.
fn kind(node: &Node<'_>) -> Kind {
    let kinds: [(Kind, &Schema); 5] = [
        (Kind::Bootstrap, &BOOTSTRAP),
        (Kind::Cluster, &CLUSTER),
        (Kind::Assignment, &LOAD_ASSIGNMENT),
        (Kind::Routes, &ROUTE_CONFIGURATION),
        (Kind::Listener, &LISTENER),
    ];
    let type_name = type_name(node).unwrap_or_default();
    let named = kinds
        .iter()
        .find(|(_, schema)| type_name.rsplit('.').next() == Some(schema.name));
    if let Some((kind, _)) = named {
        return *kind;
    }
    let mut best = (Kind::Bootstrap, 0);
    for (kind, schema) in kinds {
        let known = schema.known_fields(node);
        if known > best.1 {
            best = (kind, known);
        }
    }
    best.0
}
