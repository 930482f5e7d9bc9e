//! Runs the catalog of the rules for mesh documents.

use alloc::vec::Vec;

use spillgate_config::mesh::MeshDocuments;
use spillgate_core::order;

use super::{catalog::MESH_RULES, context::MeshContext, rule::MeshFinding};
use crate::sink::Sink;

/// All findings in the documents of a mesh, in the order of files and text.
///
/// Rules that need endpoints report only what the documents show: without Dataplanes, EndpointSlices
/// or other endpoints they are silent.
///
/// # Examples
/// ```
/// use spillgate_config::{envoy::Format, mesh::read};
/// use spillgate_lint::lint_mesh;
///
/// let text = "
/// type: MeshLoadBalancingStrategy
/// name: local
/// spec:
///   to:
///   - targetRef: {kind: Mesh}
///     default: {localityAwareness: {}}
/// ";
/// let findings = lint_mesh(&read(text, Format::Yaml, 0)?);
/// assert_eq!(findings[0].finding.rule, "kuma-empty-block");
/// # Ok::<(), Vec<spillgate_config::Diagnostic>>(())
/// ```
#[must_use]
pub fn lint_mesh(documents: &MeshDocuments) -> Vec<MeshFinding> {
    let context = MeshContext::new(documents);
    let findings = MESH_RULES
        .iter()
        .flat_map(|rule| Sink::collect(rule.id, rule.severity, |sink| (rule.check)(&context, sink)))
        .map(|(file, finding)| MeshFinding { file, finding });
    order::sorted(findings.collect(), |a: &MeshFinding, b| {
        (a.file, a.finding.position).cmp(&(b.file, b.finding.position))
    })
}
