//! Whether a text has messages of Envoy, for the files of a folder.

use super::{Roots, SourceText, dump::is_dump, roots::sort};
use crate::{
    envoy::schema::{BOOTSTRAP, CLUSTER, LISTENER, LOAD_ASSIGNMENT, ROUTE_CONFIGURATION},
    node::{Node, NodeValue},
    proto::{Path, Report, Schema},
};

/// Whether a text has messages that [`read_sources`](crate::envoy::read_sources) reads. A text with a
/// syntax error counts as one, so that the error is reported.
///
/// # Examples
/// ```
/// use spillgate_config::envoy::{SourceText, has_messages};
///
/// let other = "{apiVersion: apps/v1, kind: Deployment, metadata: {name: shop}, spec: {}}";
/// assert!(!has_messages(&SourceText::guess("shop.yaml", other)));
/// assert!(has_messages(&SourceText::guess("cds.yaml", "{name: shop, type: EDS}")));
/// ```
#[must_use]
pub fn has_messages(source: &SourceText<'_>) -> bool {
    let Ok(document) = source.format.parse(source.text) else {
        return true;
    };
    let is_whole = |node: &Node<'_>| is_dump(node) || mostly(node, &BOOTSTRAP);
    let documents = [document];
    let [document] = &documents;
    document.roots.iter().any(is_whole) || has_resources(&sort(&documents, &mut Report::default()))
}

/// Whether a message looks like one of its kind. Every document is sorted as some message, so that its
/// wrong fields are reported.
fn has_resources(roots: &Roots<'_, '_>) -> bool {
    let any = |resources: &[(Path, &Node<'_>)], schema: &Schema| {
        resources.iter().any(|(_, node)| mostly(node, schema))
    };
    any(&roots.clusters, &CLUSTER)
        || any(&roots.assignments, &LOAD_ASSIGNMENT)
        || any(&roots.listeners, &LISTENER)
        || any(&roots.route_configurations, &ROUTE_CONFIGURATION)
        || !roots.live.is_empty()
        || !roots.extensions.is_empty()
}

/// Whether most fields of an object are those of a message.
fn mostly(node: &Node<'_>, schema: &Schema) -> bool {
    let NodeValue::Map(entries) = &node.value else {
        return false;
    };
    schema.known_fields(node).saturating_mul(2) > entries.len()
}
