//! Sorts the messages of an input by kind: a bootstrap, single messages, dumps, wrapped ones.

use alloc::{format, string::String, vec::Vec};

use super::{
    dump::{Dump, is_dump},
    kind::MessageKind,
    local::{Local, read_local},
    source::ParsedText,
    wrapper::{Part, Wrapped, is_status, open},
};
#[cfg(feature = "yaml")]
use crate::envoy::{runtime::is_runtime, schema::SIMULATION};
use crate::{
    Diagnostic,
    envoy::{
        common::{check_version, type_name},
        running::ClusterStatus,
        schema::{BOOTSTRAP, STATIC_RESOURCES},
    },
    node::{Node, NodeValue},
    proto::{Message, Path, Report, TextOrigin},
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
    /// Filters from ECDS.
    pub(crate) extensions: Vec<(Path, &'n Node<'a>)>,
    /// Run-time hosts as `/clusters` prints them.
    pub(crate) statuses: Vec<(Path, &'n Node<'a>)>,
    /// The same from texts in the format of `/clusters`.
    pub(crate) text_statuses: Vec<&'n ClusterStatus<'a>>,
    /// The final runtime values of a running Envoy; of several responses, the last one.
    #[cfg(feature = "yaml")]
    pub(crate) runtime: Option<(Path, &'n Node<'a>)>,
    /// Whether the messages are additions to others, so that names may refer to the latter.
    pub(crate) partial: bool,
    /// The types of messages that are not read by themselves.
    unread: Vec<String>,
}

/// Sorts the documents of all texts of an input, without their wrappers. Paths start at a document of one
/// text.
pub(crate) fn sort<'n, 'a>(texts: &'n [ParsedText<'a>], report: &mut Report) -> Roots<'n, 'a> {
    let mut roots = Roots::default();
    let mut dump = None;
    let mut found = Wrapped::default();
    for (file, text) in texts.iter().enumerate() {
        if text.document.roots.is_empty() && text.statuses.is_empty() {
            report.refuse(nothing().at("", report.sources().start(file)));
        }
        limit_documents(&text.document.roots, report);
        roots.documents(&text.document.roots, &mut found, &mut dump, report);
        roots.text_statuses.extend(&text.statuses);
    }
    let is_dump = dump.is_some();
    if let Some(dump) = dump {
        roots.add(dump);
        report.found_origin(if roots.live.is_empty() {
            TextOrigin::Dump
        } else {
            TextOrigin::DumpWithHosts
        });
    }
    if roots.is_empty() && !is_dump && !report.is_refused() {
        found.skipped.append(&mut roots.unread);
        report.refuse(no_resources(&found.skipped));
    }
    roots.partial = found.partial;
    roots
}

impl<'n, 'a> Roots<'n, 'a> {
    /// Sorts the documents of one text.
    fn documents(
        &mut self,
        documents: &'n [Node<'a>],
        found: &mut Wrapped,
        dump: &mut Option<Dump<'n, 'a>>,
        report: &mut Report,
    ) {
        let documents = documents.iter().enumerate().map(|(index, node)| {
            let path = match documents {
                [_] => Path::root(),
                _ => Path::root().index(index),
            };
            Part::new(node, path)
        });
        // Parts are opened depth first, so that messages are in input order.
        let mut parts: Vec<Part<'n, 'a>> = documents.rev().collect();
        while let Some(part) = parts.pop() {
            if report.is_full() {
                break;
            }
            match open(&part, found, report) {
                Some(inside) => parts.extend(inside.into_iter().rev()),
                None => self.message(part, dump, report),
            }
        }
    }

    /// Whether the input has no message that is read.
    pub(super) fn is_empty(&self) -> bool {
        !self.local.stated
            && self.clusters.is_empty()
            && self.assignments.is_empty()
            && self.listeners.is_empty()
            && self.route_configurations.is_empty()
            && !self.has_statuses()
    }

    /// Whether the input has run-time hosts as `/clusters` prints them.
    pub(crate) fn has_statuses(&self) -> bool {
        !self.statuses.is_empty() || !self.text_statuses.is_empty()
    }

    fn message(
        &mut self,
        part: Part<'n, 'a>,
        dump: &mut Option<Dump<'n, 'a>>,
        report: &mut Report,
    ) {
        let Part {
            node,
            path,
            type_name: of_wrapper,
            is_foreign,
        } = part;
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
        if is_status(node) {
            self.statuses.push((path, node));
            return;
        }
        #[cfg(feature = "yaml")]
        if is_runtime(node) {
            self.unread.push("runtime values".into());
            self.runtime = Some((path, node));
            return;
        }
        let type_name = type_name(node).or(of_wrapper);
        match MessageKind::of(node, type_name) {
            Some(MessageKind::Bootstrap) => self.bootstrap(node, path, report),
            Some(MessageKind::Cluster) => self.clusters.push((path, node)),
            Some(MessageKind::Assignment) => self.assignments.push((path, node)),
            Some(MessageKind::Listener) => self.listeners.push((path, node)),
            Some(MessageKind::Routes) => self.route_configurations.push((path, node)),
            Some(MessageKind::Extension) => {
                self.unread.push("TypedExtensionConfig".into());
                self.extensions.push((path, node));
            }
            Some(MessageKind::Unrelated) => {
                self.unread.extend(type_name.map(String::from));
            }
            Some(MessageKind::Other) => {
                let name = type_name.unwrap_or_default();
                self.unread.push(name.into());
                let what = format!("{name} is not read outside other messages; skipped");
                report.note("config/resource-type", what, &path, node.position);
            }
            None if is_foreign => {
                report.push(Diagnostic::skipped(&path.text(), "", node.position));
            }
            None => {
                let fault = Diagnostic::error("config/unknown-shape", "unknown shape")
                    .at(path.text(), node.position)
                    .found(node.describe());
                report.refuse(fault.expected(
                    "an Envoy bootstrap, one of its messages, or another supported shape \
                     (spillgate explain-code config/unknown-shape)",
                ));
            }
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
        self.extensions.append(&mut dump.extensions);
        self.statuses.append(&mut dump.statuses);
        #[cfg(feature = "yaml")]
        if dump.runtime.is_some() {
            self.runtime = dump.runtime.take();
        }
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

/// Names the further documents of a bootstrap's file: they are read here.
fn limit_documents(documents: &[Node<'_>], report: &mut Report) {
    let is_bootstrap = |node: &Node<'_>| {
        MessageKind::of(node, type_name(node)) == Some(MessageKind::Bootstrap) && !is_dump(node)
    };
    if let [_, second, ..] = documents
        && documents.iter().any(is_bootstrap)
    {
        const EFFECT: &str =
            "Envoy reads only the first document of a bootstrap's file, here all are read";
        let path = Path::root().index(1);
        report.limit("config/several-documents", EFFECT, &path, second.position);
    }
}

/// Whether a message is a scenario of `spillgate simulate` with clusters of its own.
#[cfg(feature = "yaml")]
#[must_use]
pub fn is_simulation(node: &Node<'_>) -> bool {
    // A scenario without further fields is one of the other messages, written with a mistake.
    node.get("clusters").is_some() && SIMULATION.known_fields(node) > 1
}

/// The error of an input in which nothing is read.
fn no_resources(unread: &[String]) -> Diagnostic {
    const SHOWN: usize = 5;
    let mut names: Vec<&str> = unread.iter().map(String::as_str).collect();
    let more = names.len().saturating_sub(SHOWN);
    names.truncate(SHOWN);
    let mut fault = Diagnostic::error(
        "config/no-resources",
        "input has no clusters, endpoints, listeners or routes of Envoy",
    )
    .expected("a supported shape (spillgate explain-code config/unknown-shape)");
    if !names.is_empty() {
        fault = fault.found(match more {
            0 => names.join(", "),
            more => format!("{} and {more} more", names.join(", ")),
        });
    }
    fault
}

fn nothing() -> Diagnostic {
    Diagnostic::error("config/empty", "input is empty")
        .expected("an Envoy bootstrap, a Cluster, a config_dump, or a list of them")
}
