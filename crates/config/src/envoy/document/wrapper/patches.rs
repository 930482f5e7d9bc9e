//! Patches of generated resources: Istio's EnvoyFilter, Envoy Gateway's EnvoyPatchPolicy, Kuma's
//! MeshProxyPatch and ProxyTemplate. Only patches that add a whole resource are read.

use alloc::format;

use super::{Part, Parts};
use crate::proto::Report;

/// The resources that an EnvoyFilter adds.
pub(super) fn envoy_filter<'n, 'a>(
    part: &Part<'n, 'a>,
    report: &mut Report,
) -> Option<Parts<'n, 'a>> {
    let mut parts = Parts::new();
    for entry in part.field("spec")?.field("configPatches")?.items()? {
        let target = entry.text("applyTo").unwrap_or("INVALID");
        let Some(patch) = entry.field("patch") else {
            continue;
        };
        let operation = patch.text("operation").unwrap_or("INVALID");
        let type_name = match (target, operation) {
            ("CLUSTER", "ADD") => "Cluster",
            ("LISTENER", "ADD") => "Listener",
            ("ROUTE_CONFIGURATION", "ADD") => "RouteConfiguration",
            // The lists of both bootstraps are joined.
            ("BOOTSTRAP", "MERGE") => "Bootstrap",
            _ => {
                note(&entry, &format!("{operation} of {target}"), report);
                continue;
            }
        };
        let value = patch.field("value");
        parts.extend(value.map(|value| value.typed(type_name)));
    }
    Some(parts)
}

/// The resources that an EnvoyPatchPolicy adds.
pub(super) fn patch_policy<'n, 'a>(
    part: &Part<'n, 'a>,
    report: &mut Report,
) -> Option<Parts<'n, 'a>> {
    let mut parts = Parts::new();
    for patch in part.field("spec")?.field("jsonPatches")?.items()? {
        let target = patch.text("type").unwrap_or_default();
        let Some(operation) = patch.field("operation") else {
            continue;
        };
        let op = operation.text("op").unwrap_or_default();
        let path = operation.text("path").unwrap_or_default();
        let type_name = target.rsplit('/').next().unwrap_or(target);
        match operation.field("value").filter(Part::is_map) {
            Some(value) if op == "add" && path.is_empty() => parts.push(value.typed(type_name)),
            _ => {
                let what = match type_name {
                    "" => format!("{op} of {path}"),
                    name => format!("{op} of {path} in {name}"),
                };
                note(&patch, &what, report);
            }
        }
    }
    Some(parts)
}

/// The resources that a MeshProxyPatch adds.
pub(super) fn mesh_proxy_patch<'n, 'a>(
    part: &Part<'n, 'a>,
    report: &mut Report,
) -> Option<Parts<'n, 'a>> {
    let default = part.field("spec")?.field("default")?;
    let items = default.field("appendModifications")?.items()?;
    Some(modifications(items, report))
}

/// The resources of a ProxyTemplate, and those that its modifications add.
pub(super) fn proxy_template<'n, 'a>(
    part: &Part<'n, 'a>,
    report: &mut Report,
) -> Option<Parts<'n, 'a>> {
    let conf = match part.field("spec") {
        Some(spec) => spec.field("conf")?,
        None => part.field("conf")?,
    };
    let items = |name| conf.field(name).and_then(|it| it.items());
    let resources = items("resources").unwrap_or_default();
    let mut parts: Parts<'n, 'a> = resources
        .iter()
        .filter_map(|entry| entry.field("resource"))
        .collect();
    parts.extend(modifications(
        items("modifications").unwrap_or_default(),
        report,
    ));
    Some(parts)
}

/// The resources that modifications of Kuma add.
fn modifications<'n, 'a>(entries: Parts<'n, 'a>, report: &mut Report) -> Parts<'n, 'a> {
    let mut parts = Parts::new();
    for (target, modification) in entries.iter().flat_map(Part::entries) {
        let operation = modification.text("operation").unwrap_or_default();
        let type_name = match target {
            "cluster" => Some("Cluster"),
            "listener" => Some("Listener"),
            _ => None,
        };
        match type_name {
            Some(type_name) if operation.eq_ignore_ascii_case("add") => {
                let value = modification.field("value");
                parts.extend(value.map(|value| value.typed(type_name)));
            }
            _ => note(&modification, &format!("{operation} of {target}"), report),
        }
    }
    parts
}

/// Reports a patch of a resource that the input does not contain.
fn note(patch: &Part<'_, '_>, what: &str, report: &mut Report) {
    let message = format!("{what} changes a generated resource; patch skipped");
    report.note("config/patch", message, &patch.path, patch.node.position);
}
