//! The point of view: which proxy receives the configuration.

use alloc::{collections::BTreeSet, format, string::String, vec::Vec};

use crate::{
    Affects, Diagnostic,
    mesh::{document::ResourceMeta, read::MeshDocuments},
    node::quote,
    proto::nearest,
};

/// Which proxy receives the configuration.
#[derive(Debug, Clone, PartialEq)]
#[allow(
    clippy::large_enum_variant,
    reason = "a command has one point of view, and builds it once"
)]
pub enum PointOfView {
    /// Any proxy of this zone, without tags and labels. For Istio: a zone, or `region/zone/sub-zone`.
    Zone(String),
    /// The Dataplane, Pod, WorkloadEntry or short proxy with this name, or `namespace/name`.
    Name(String),
    /// Istio: the proxies of the Gateway with this name, or `namespace/name`.
    Gateway(String),
    /// The first proxy in these documents, which are not part of the mesh otherwise.
    Documents(MeshDocuments),
}

/// Finds a document by its name, by the name that the author gave, by `namespace/name`, or by
/// `name.namespace` as Istio names proxies.
#[allow(clippy::result_large_err, reason = "called once")]
pub(super) fn by_name<'d, T>(
    documents: &'d [T],
    name: &str,
    meta: impl Fn(&T) -> &ResourceMeta,
) -> Result<Option<&'d T>, Diagnostic> {
    let is_full = |document: &&T| {
        let meta = meta(document);
        meta.full_name() == name || name == format!("{}.{}", meta.name, meta.namespace)
    };
    if let Some(found) = documents.iter().find(is_full) {
        return Ok(Some(found));
    }
    let mut found = documents.iter().filter(|document| {
        let meta = meta(document);
        meta.name == name || meta.display_name() == name
    });
    let Some(first) = found.next() else {
        return Ok(None);
    };
    let full = meta(first).full_name();
    match found
        .map(|other| meta(other).full_name())
        .find(|other| *other != full)
    {
        None => Ok(Some(first)),
        Some(other) => Err(Diagnostic::error(
            "mesh/ambiguous-proxy",
            "several proxies have this name",
        )
        .found(quote(name))
        .expected(format!(
            "a name with its namespace, such as {full} or {other}"
        ))),
    }
}

/// The error of a name that no proxy has.
pub(super) fn unknown_proxy<'d>(name: &str, known: impl Iterator<Item = &'d str>) -> Diagnostic {
    let known: Vec<&str> = known.collect();
    Diagnostic::error("mesh/unknown-proxy", "unknown proxy")
        .found(quote(name))
        .expected("the name of a Dataplane, a Pod or another proxy")
        .suggest(nearest(name, known.into_iter()))
}

/// The error of documents without a proxy.
pub(super) fn no_proxy() -> Diagnostic {
    Diagnostic::error(
        "mesh/no-proxy",
        "the document of the proxy contains no proxy",
    )
    .expected("a Dataplane, a Pod, a WorkloadEntry, or {zone, tags, labels}")
}

/// The warning or error of a zone without endpoints.
pub(super) fn unknown_zone(zone: &str, known: &[&str], fatal: bool) -> Diagnostic {
    let message = "no endpoint is in this zone";
    let known: Vec<&str> = known
        .iter()
        .copied()
        .filter(|zone| !zone.is_empty())
        .collect();
    let found = if fatal {
        Diagnostic::error("mesh/unknown-zone", message)
    } else {
        Diagnostic::warning("mesh/unknown-zone", message)
    };
    found
        .found(quote(zone))
        .expected(match known.as_slice() {
            [] => String::from("documents with endpoints"),
            _ => format!("one of {}", known.join(", ")),
        })
        .suggest(nearest(zone, known.into_iter()))
}

/// The limit of a zone that leaves open which of these documents and settings apply; `None` without any.
pub(super) fn open_in_zone(found: BTreeSet<String>, text: impl Into<String>) -> Option<Diagnostic> {
    const SHOWN: usize = 5;
    if found.is_empty() {
        return None;
    }
    let more = found.len().saturating_sub(SHOWN);
    let mut names: Vec<String> = found.into_iter().take(SHOWN).collect();
    if more > 0 {
        names.push(format!("{more} more"));
    }
    Some(
        Diagnostic::limit("mesh/zone-view", text, Affects::Everything)
            .found(names.join(", "))
            .expected("a proxy, for exact figures"),
    )
}
