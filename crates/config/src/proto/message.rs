//! One message: its fields by name; each fault is reported with path and position.

#[cfg(feature = "types")]
mod api_types;
#[cfg(feature = "types")]
mod unread;

use alloc::{borrow::Cow, format, string::String, vec::Vec};

use super::{Path, Report, Schema, list::Elements, schema::Fate};
#[cfg(feature = "mesh")]
use crate::DiagnosticSeverity;
use crate::field_name::same_name;
use crate::{
    Diagnostic, Position,
    node::{Entry, Node, NodeValue},
};

/// A message whose fields have been checked against its [`Schema`].
///
/// # Examples
/// ```
/// use spillgate_config::{node::read_json, proto::{Irrelevance, Message, Path, Report, Schema}};
///
/// static COOKIE: Schema = Schema::new("Cookie", "name ttl")
///     .ignored(&[(Irrelevance::Response, "path")]);
///
/// let document = read_json(r#"{"name": "user", "ttl": "60s", "pth": "/"}"#).unwrap();
/// let mut report = Report::default();
/// let message = Message::open(&document.roots[0], Path::root(), &COOKIE, &mut report).unwrap();
/// assert_eq!(message.required_string("name", &mut report), Some("user"));
/// assert_eq!(message.duration("ttl", &mut report).unwrap().as_secs(), 60);
///
/// // The misspelled field is reported with a suggestion.
/// let faults = report.finish().unwrap_err();
/// assert_eq!(faults[0].suggestion.as_deref(), Some("path"));
/// ```
#[derive(Debug, Clone)]
pub struct Message<'n, 'a> {
    pub(crate) entries: &'n [Entry<'a>],
    /// Its path in the input.
    pub path: Path,
    /// Its position.
    pub position: Position,
}

/// A message behind `@type`.
#[derive(Debug)]
pub struct Any<'n, 'a> {
    /// The full message name, without the prefix before the slash.
    pub type_name: &'n str,
    /// The message itself; `@type` is one of its entries.
    pub node: &'n Node<'a>,
    /// Its path.
    pub path: Path,
}

/// Messages that contain another one as a Struct and name its type.
const TYPED_STRUCTS: [&str; 2] = ["xds.type.v3.TypedStruct", "udpa.type.v1.TypedStruct"];

impl<'n, 'a> Any<'n, 'a> {
    /// The message of a value with `@type`; `None` without.
    pub fn of(node: &'n Node<'a>, path: Path) -> Option<Self> {
        match &node.get("@type")?.value {
            NodeValue::String(url) => Some(Self::named(url, node, path)),
            _ => None,
        }
    }

    /// Whether it is a `TypedStruct` that could not be unpacked.
    pub fn is_packed(&self) -> bool {
        TYPED_STRUCTS.contains(&self.type_name)
    }

    /// The message of a type URL. A `TypedStruct` with nothing else is the message in it.
    fn named(url: &'n str, node: &'n Node<'a>, path: Path) -> Self {
        let type_name = url.rsplit('/').next().unwrap_or_default();
        if TYPED_STRUCTS.contains(&type_name)
            && matches!(&node.value, NodeValue::Map(entries) if entries.len() == 3)
            && let Some(NodeValue::String(url)) = field_of(node, "type_url").map(|node| &node.value)
            && let Some(value) = field_of(node, "value")
        {
            return Self::named(url, value, path.field("value"));
        }
        Self {
            type_name,
            node,
            path,
        }
    }
}

impl<'n, 'a> Message<'n, 'a> {
    /// Opens a value as a message and reports all unknown fields. `None` also if the report is full,
    /// which ends the reading of such an input.
    pub fn open(
        node: &'n Node<'a>,
        path: Path,
        schema: &Schema,
        report: &mut Report,
    ) -> Option<Self> {
        let entries: &'n [Entry<'a>] = match &node.value {
            NodeValue::Map(entries) => entries,
            NodeValue::Null => &[],
            _ => {
                report.push(wrong_type(
                    node,
                    &path,
                    format!("an object ({})", schema.name),
                ));
                return None;
            }
        };
        let message = Self {
            entries,
            path,
            position: node.position,
        };
        #[cfg(feature = "mesh")]
        if schema.is_partial() {
            return Some(message);
        }
        for entry in entries {
            if report.is_full() {
                return None;
            }
            message.check_field(entry, schema, report);
        }
        Some(message)
    }

    /// Opens a value as a message of this name without checking its fields: most of them are
    /// unrelated to load balancing.
    #[cfg(feature = "mesh")]
    pub fn open_partly(
        node: &'n Node<'a>,
        path: Path,
        name: &'static str,
        report: &mut Report,
    ) -> Option<Self> {
        Self::open(node, path, &Schema::partial(name), report)
    }

    /// Opens a value as a message of this name without checking its fields, which the types of unread fields are for.
    #[cfg(feature = "health")]
    pub(crate) fn unchecked(
        node: &'n Node<'a>,
        path: Path,
        name: &'static str,
        report: &mut Report,
    ) -> Option<Self> {
        let entries: &'n [Entry<'a>] = match &node.value {
            NodeValue::Map(entries) => entries,
            NodeValue::Null => &[],
            _ => {
                report.push(wrong_type(node, &path, format!("an object ({name})")));
                return None;
            }
        };
        Some(Self {
            entries,
            path,
            position: node.position,
        })
    }

    fn check_field(&self, entry: &Entry<'_>, schema: &Schema, report: &mut Report) {
        let name = entry.key.name.as_ref();
        let fate = schema.fate(name);
        if entry.node.value == NodeValue::Null && !matches!(fate, Fate::Unknown) {
            return;
        }
        #[cfg(feature = "types")]
        if !matches!(fate, Fate::Unknown) {
            unread::check_unread(self, schema.message(), name, report);
        }
        #[cfg(feature = "yaml")]
        for limit in schema.limits_over_time(name) {
            let path = self.path.field(limit.field);
            report.limited_over_time(limit, &entry.node, &path, entry.key.position);
        }
        #[cfg(feature = "unread")]
        if report.is_judged() {
            report.note_unread(schema, name, &entry.node);
        }
        #[cfg(all(feature = "mesh", feature = "unread"))]
        report.note_in_document(schema, (&self.path, self.entries), entry);
        match fate {
            Fate::Read | Fate::Ignored => {}
            Fate::Limited(limit) => {
                let path = self.path.field(limit.field);
                report.limited(limit, &entry.node, &path, entry.key.position);
            }
            Fate::Unknown => {
                let message = if name == "<<" {
                    "Envoy does not support merge keys (<<)".into()
                } else {
                    format!("unknown field in {}", schema.name)
                };
                let fault = Diagnostic::error("config/unknown-field", message)
                    .at(
                        self.path.field(String::from(name)).text(),
                        entry.key.position,
                    )
                    .suggest(schema.nearest(name));
                #[cfg(feature = "mesh")]
                if schema.is_lenient() {
                    let severity = DiagnosticSeverity::Warning;
                    return report.push(Diagnostic { severity, ..fault });
                }
                // Envoy ignores fields of other versions in what it received.
                report.tolerate(fault);
            }
        }
    }

    /// The value below these fields, one in the other, with its path.
    pub(crate) fn nested(&self, fields: &[&'static str]) -> Option<(&'n Node<'a>, Path)> {
        let (first, rest) = fields.split_first()?;
        let mut node = self.get(first)?;
        let mut path = self.path.field(*first);
        for field in rest {
            node = field_of(node, field)?;
            path = path.field(*field);
        }
        Some((node, path))
    }

    /// The field's value; of duplicates the last one, `None` if it is null.
    pub fn get(&self, field: &'static str) -> Option<&'n Node<'a>> {
        last_of(self.entries, field)
    }

    /// Whether the field has a value.
    pub fn has(&self, field: &'static str) -> bool {
        self.get(field).is_some()
    }

    /// The position of the field's value, or else of the message.
    pub fn position_of(&self, field: &'static str) -> Position {
        self.get(field).map_or(self.position, |node| node.position)
    }

    /// An error about a field, at its value, or at the message if the field is missing.
    pub fn error(
        &self,
        field: &'static str,
        code: &'static str,
        message: impl Into<String>,
    ) -> Diagnostic {
        let diagnostic = Diagnostic::error(code, message)
            .at(self.path.field(field).text(), self.position_of(field));
        match self.get(field) {
            Some(node) => diagnostic.found(node.describe()),
            None => diagnostic,
        }
    }

    /// Reports a value out of range, with the allowed range.
    pub fn out_of_range(
        &self,
        field: &'static str,
        expected: impl Into<String>,
        report: &mut Report,
    ) {
        let fault = self.error(field, "config/value", "out of range");
        report.push(fault.expected(expected));
    }

    /// Reports a required field that is missing.
    pub fn require(&self, field: &'static str, report: &mut Report) {
        if !self.has(field) {
            self.missing(field).push_to(report);
        }
    }

    /// The error of a missing required field.
    pub fn missing(&self, field: &'static str) -> Diagnostic {
        self.error(field, "config/missing", "required field is missing")
    }

    /// A message in a field.
    pub fn message(
        &self,
        field: &'static str,
        schema: &Schema,
        report: &mut Report,
    ) -> Option<Self> {
        Self::open(self.get(field)?, self.path.field(field), schema, report)
    }

    /// A typed message in a field, with its type name in `@type`.
    pub fn any(&self, field: &'static str, report: &mut Report) -> Option<Any<'n, 'a>> {
        let node = self.get(field)?;
        let path = self.path.field(field);
        let type_node = node.get("@type");
        let Some(NodeValue::String(url)) = type_node.map(|node| &node.value) else {
            let at = type_node.unwrap_or(node);
            Diagnostic::error("config/missing", "typed message without @type")
                .at(path.field("@type").text(), at.position)
                .found(at.describe())
                .expected("a message name in \"@type\"")
                .push_to(report);
            return None;
        };
        Some(Any::named(url, node, path))
    }

    /// The elements of a list. A single value is read as a list of one, as in Envoy.
    pub fn list(&self, field: &'static str, report: &mut Report) -> Elements<'n, 'a> {
        let path = self.path.field(field);
        let nodes = match self.get(field) {
            None => &[],
            Some(Node {
                value: NodeValue::List(nodes),
                ..
            }) => nodes.as_slice(),
            Some(node) => {
                Diagnostic::warning("config/no-list", "single value instead of a list")
                    .at(path.text(), node.position)
                    .found(node.describe())
                    .expected("a list")
                    .push_to(report);
                core::slice::from_ref(node)
            }
        };
        Elements::new(path, nodes)
    }

    /// A list of strings.
    pub fn strings(&self, field: &'static str, report: &mut Report) -> Vec<&'n Node<'a>> {
        let mut texts = Vec::new();
        for (path, node) in self.list(field, report) {
            match &node.value {
                NodeValue::String(_) => texts.push(node),
                _ => report.push(wrong_type(node, &path, "a string")),
            }
        }
        texts
    }

    /// Reports an error if several of these fields are set, as in a proto oneof.
    pub fn one_of(&self, fields: &[&'static str], report: &mut Report) {
        let mut set = fields.iter().copied().filter(|field| self.has(field));
        if let (Some(first), Some(second)) = (set.next(), set.next()) {
            Diagnostic::error(
                "config/one-of",
                format!("{first} and {second} are mutually exclusive"),
            )
            .at(self.path.field(second).text(), self.position_of(second))
            .push_to(report);
        }
    }
}

impl<'n, 'a> Any<'n, 'a> {
    /// Opens it as the message of its type. The schema lists `@type` among its fields.
    pub fn open(self, schema: &Schema, report: &mut Report) -> Option<Message<'n, 'a>> {
        Message::open(self.node, self.path, schema, report)
    }
}

/// A field of a value that is not opened as a message; like [`Message::get`].
pub fn field_of<'n, 'a>(node: &'n Node<'a>, field: &str) -> Option<&'n Node<'a>> {
    match &node.value {
        NodeValue::Map(entries) => last_of(entries, field),
        _ => None,
    }
}

fn last_of<'n, 'a>(entries: &'n [Entry<'a>], field: &str) -> Option<&'n Node<'a>> {
    entries
        .iter()
        .rfind(|entry| same_name(&entry.key.name, field))
        .map(|entry| &entry.node)
        .filter(|node| node.value != NodeValue::Null)
}

/// The fault of a value of the wrong type.
pub(crate) fn wrong_type(
    node: &Node<'_>,
    path: &Path,
    expected: impl Into<Cow<'static, str>>,
) -> Diagnostic {
    Diagnostic::error("config/type", "wrong type")
        .at(path.text(), node.position)
        .found(node.describe())
        .expected(expected.into())
}
