//! `request_headers_to_add`, `request_headers_to_remove`, and lists of `HeaderMutation`.

use alloc::{format, string::String, vec::Vec};

use spillgate_core::route::{
    AddedHeader, AppendAction, HeaderMutation, HeaderMutations, RETRY_HEADERS,
};

use super::read_format;
use crate::{
    envoy::schema::{HEADER_MUTATION_STEP, HEADER_VALUE, HEADER_VALUE_OPTION},
    node::{Node, NodeValue, quote},
    proto::{Message, Path, Report},
};

/// The values of `HeaderValueOption.HeaderAppendAction`.
pub(crate) const APPEND_ACTION: [(&str, i64, AppendAction); 4] = [
    (
        "APPEND_IF_EXISTS_OR_ADD",
        0,
        AppendAction::AppendIfExistsOrAdd,
    ),
    ("ADD_IF_ABSENT", 1, AppendAction::AddIfAbsent),
    (
        "OVERWRITE_IF_EXISTS_OR_ADD",
        2,
        AppendAction::OverwriteIfExistsOrAdd,
    ),
    ("OVERWRITE_IF_EXISTS", 3, AppendAction::OverwriteIfExists),
];

/// Whose headers change, for messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MutatedPlace {
    /// The requests of the whole listener.
    Listener,
    /// The requests of a route.
    Route,
}

/// Reads the header changes of a route or one of its parents.
pub(crate) fn read_header_mutations(
    message: &Message<'_, '_>,
    place: MutatedPlace,
    report: &mut Report,
) -> HeaderMutations {
    let mut mutations = HeaderMutations::default();
    let field = "request_headers_to_remove";
    for node in message.strings(field, report) {
        if let NodeValue::String(name) = &node.value {
            let path = message.path.field(field);
            mutations
                .removed
                .extend(changeable(name, node, &path, report));
        }
    }
    for (path, node) in message.list("request_headers_to_add", report) {
        mutations
            .added
            .extend(read_added(node, path, place, report));
    }
    mutations
}

/// Reads changes that are applied one after the other.
pub(crate) fn read_mutation_list(
    message: &Message<'_, '_>,
    field: &'static str,
    place: MutatedPlace,
    report: &mut Report,
) -> Vec<HeaderMutation> {
    let mut mutations = Vec::new();
    for (path, node) in message.list(field, report) {
        let Some(step) = Message::open(node, path, &HEADER_MUTATION_STEP, report) else {
            continue;
        };
        step.one_of(&["remove", "append", "remove_on_match"], report);
        if step.has("remove_on_match") {
            report.missing_feature(
                "config/header-change-not-modeled",
                "remove_on_match of a header mutation",
                &format!("{} can have headers that Envoy removes", place.requests()),
                &step.path.field("remove_on_match"),
                step.position_of("remove_on_match"),
            );
        } else if let Some(append) = step.get("append") {
            let path = step.path.field("append");
            let added = read_added(append, path, place, report);
            mutations.extend(added.map(HeaderMutation::Append));
        } else if let Some(name) = step.required_string("remove", report) {
            let path = step.path.field("remove");
            let name = changeable(name, node, &path, report);
            mutations.extend(name.map(HeaderMutation::Remove));
        }
    }
    mutations
}

fn read_added(
    node: &Node<'_>,
    path: Path,
    place: MutatedPlace,
    report: &mut Report,
) -> Option<AddedHeader> {
    let option = Message::open(node, path, &HEADER_VALUE_OPTION, report)?;
    let action = option.enumeration("append_action", &APPEND_ACTION, report);
    let append = option.bool("append", report);
    if append.is_some() && action.unwrap_or_default() != AppendAction::default() {
        option.one_of(&["append", "append_action"], report);
    }
    let action = match append {
        Some(false) => AppendAction::OverwriteIfExistsOrAdd,
        Some(true) => AppendAction::AppendIfExistsOrAdd,
        None => action.unwrap_or_default(),
    };
    let keep_empty = option.bool("keep_empty_value", report).unwrap_or(false);
    option.require("header", report);
    let header = option.message("header", &HEADER_VALUE, report)?;
    header.one_of(&["value", "raw_value"], report);
    let key = header.required_string("key", report)?;
    let key_path = header.path.field("key");
    let name = changeable(key, header.get("key").unwrap_or(node), &key_path, report)?;
    if RETRY_HEADERS.contains(&name.as_str()) {
        let effect = format!(
            "the header {} is not modeled; {} can have other retries",
            quote(&name),
            place.requests()
        );
        let position = header.position_of("key");
        report.limit(
            "config/header-change-not-modeled",
            effect,
            &key_path,
            position,
        );
    }
    if header.has("raw_value") {
        const WHAT: &str = "raw_value has no effect: Envoy adds value, which is empty";
        let path = header.path.field("raw_value");
        report.note(
            "config/no-effect",
            WHAT,
            &path,
            header.position_of("raw_value"),
        );
    }
    let value = read_format(header.string("value", report).unwrap_or_default());
    if let Some(command) = value.unmodeled() {
        let effect = format!(
            "{} in the value of the header {} is not modeled; {} can go to another host",
            quote(command),
            quote(&name),
            place.requests(),
        );
        let position = header.position_of("value");
        let code = "config/header-change-not-modeled";
        report.limit_if_read(
            name.clone(),
            code,
            effect,
            &header.path.field("value"),
            position,
        );
    }
    Some(AddedHeader {
        name,
        value,
        action,
        keep_empty,
    })
}

/// The lower-case name of a header that Envoy lets change.
fn changeable(name: &str, node: &Node<'_>, path: &Path, report: &mut Report) -> Option<String> {
    let name = name.to_ascii_lowercase();
    if name.starts_with(':') || name == "host" {
        let what = "this header must not be changed";
        crate::Diagnostic::error("config/value", what)
            .at(path.text(), node.position)
            .found(quote(&name))
            .expected("a header without \":\", and not \"host\"")
            .push_to(report);
        return None;
    }
    Some(name)
}

impl MutatedPlace {
    const fn requests(self) -> &'static str {
        match self {
            Self::Listener => "requests of this listener",
            Self::Route => "requests of this route",
        }
    }
}
