//! The kind of a message: named by its type, or recognized by its fields.

use crate::{
    envoy::schema::{
        BOOTSTRAP, CLUSTER, LISTENER, LOAD_ASSIGNMENT, ROUTE_CONFIGURATION, TYPED_EXTENSION_CONFIG,
    },
    node::Node,
    proto::Schema,
};

/// A kind of message that an input consists of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MessageKind {
    Bootstrap,
    Cluster,
    Assignment,
    Listener,
    Routes,
    /// A filter with its name, as sent by ECDS.
    Extension,
    /// A resource without effect on load balancing.
    Unrelated,
    /// A type of Envoy that is not read by itself.
    Other,
}

use MessageKind::{Assignment, Bootstrap, Cluster, Extension, Listener, Other, Routes, Unrelated};

/// The kinds that are recognized by their fields.
const RECOGNIZED: [(MessageKind, &Schema); 6] = [
    (Bootstrap, &BOOTSTRAP),
    (Cluster, &CLUSTER),
    (Assignment, &LOAD_ASSIGNMENT),
    (Routes, &ROUTE_CONFIGURATION),
    (Listener, &LISTENER),
    (Extension, &TYPED_EXTENSION_CONFIG),
];

impl MessageKind {
    /// The kind of a message whose type may be named; `None` if neither its type nor its fields are
    /// Envoy's.
    pub(super) fn of(node: &Node<'_>, type_name: Option<&str>) -> Option<Self> {
        let named = type_name.and_then(|name| {
            Self::named(name).or_else(|| name.starts_with("envoy.").then_some(Other))
        });
        named.or_else(|| Self::recognized(node))
    }

    /// Whether a value has the fields of the message that a custom resource's kind names.
    pub(super) fn is_named_and_recognized(name: &str, node: &Node<'_>) -> bool {
        Self::named(name).is_some_and(|kind| Self::recognized(node) == Some(kind))
    }

    /// The kind of a type such as `envoy.config.cluster.v3.Cluster`.
    fn named(type_name: &str) -> Option<Self> {
        let name = type_name.rsplit('.').next()?;
        let mut recognized = RECOGNIZED.iter();
        if let Some((kind, _)) = recognized.find(|(_, schema)| schema.name == name) {
            return Some(*kind);
        }
        matches!(name, "Secret" | "Runtime").then_some(Unrelated)
    }

    /// The kind with the most known fields; on a tie, the earlier one. One or two known fields must be
    /// more than half of all, or another field must be misspelled. So an unknown or misspelled field does
    /// not change the kind and is reported against the right message.
    pub(super) fn recognized(node: &Node<'_>) -> Option<Self> {
        let mut best = (Bootstrap, &BOOTSTRAP, 0);
        for (kind, schema) in RECOGNIZED {
            let known = schema.known_fields(node);
            if known > best.2 {
                best = (kind, schema, known);
            }
        }
        let (kind, schema, known) = best;
        let all = Schema::counted_fields(node);
        // Many messages of other programs have a name, too.
        let is_likely = known > 2 || known * 2 > all;
        (is_likely || schema.is_near(node)).then_some(kind)
    }
}
