//! `spillgate lint` for the documents of a mesh.

use std::collections::BTreeSet;

use spillgate_answers::input::Faults;
use spillgate_config::{
    Diagnostic, NamedText,
    mesh::{MeshDocuments, MeshKind, MeshOutbound, zone_warnings},
};
use spillgate_lint::lint_mesh;
use spillgate_mesh::Compat;

use super::json::FileFindings;
use crate::{
    command::Done,
    mesh::{IstioArgs, documents_of, name_istio_version},
};

/// Warnings that a rule reports with figures.
const REPORTED: [&str; 13] = [
    "mesh/no-outlier-detection",
    "mesh/duplicate-key",
    "mesh/empty-zone",
    "mesh/zone-taken",
    "mesh/unreachable-rule",
    "mesh/none-has-no-effect",
    "mesh/zone-without-endpoints",
    "mesh/own-zone",
    "mesh/weight-sum",
    "mesh/too-many-tags",
    "mesh/threshold-truncated",
    "mesh/disabled-ignored",
    "mesh/empty-locality-awareness",
];

/// Warnings about the point of view, which `lint` does not have: it looks from every zone, also from
/// those without endpoints; and a warning that a rule reports.
const NOT_REPORTED: [&str; 3] = [
    "mesh/unknown-zone",
    "mesh/all-dropped",
    "mesh/unknown-subset",
];

/// The findings in each file.
///
/// # Errors
/// Every error of all files.
pub(super) fn findings(
    texts: Vec<NamedText>,
    istio: IstioArgs,
    done: &mut Done,
) -> Result<Vec<FileFindings>, Faults> {
    let mut documents = MeshDocuments::default();
    let mut faults = Faults::default();
    let mut files: Vec<FileFindings> = Vec::new();
    for (number, text) in texts.into_iter().enumerate() {
        match documents_of(&text, number) {
            Ok(mut own) => {
                let warnings = std::mem::take(&mut own.warnings).into_iter();
                done.warn(&text, &of_no_rule(warnings));
                name_skipped(&text.name, &own, done);
                documents.append(own);
            }
            Err(found) => faults.extend(found),
        }
        files.push(FileFindings {
            file: text,
            findings: Vec::new(),
        });
    }
    if !faults.is_empty() {
        return Err(faults);
    }
    let mesh = MeshKind::of(&documents);
    if let Some(first) = files.first() {
        istio.apply(&first.file.name, mesh, &mut documents)?;
    }
    if mesh == MeshKind::Istio {
        name_istio_version(done, Some(documents.istio_version));
    }
    for (file, warning) in documents.policy_warnings() {
        if let Some(file) = files.get(file) {
            done.warn(&file.file, &of_no_rule([warning].into_iter()));
        }
    }
    if let Some(first) = files.first() {
        done.warn(&first.file.name, &outbound_warnings(&documents));
    }
    for found in lint_mesh(&documents) {
        if let Some(file) = files.get_mut(found.file) {
            file.findings.push(found.finding);
        }
    }
    Ok(files)
}

/// The warnings that no rule reports.
fn of_no_rule(warnings: impl Iterator<Item = Diagnostic>) -> Vec<Diagnostic> {
    warnings
        .filter(|warning| !REPORTED.contains(&warning.code))
        .collect()
}

/// The warnings about what the proxies of all zones receive.
fn outbound_warnings(documents: &MeshDocuments) -> Vec<Diagnostic> {
    let (kuma, istio) = (&documents.kuma, &documents.istio);
    let meshes = [
        (
            MeshKind::Kuma,
            !kuma.policies.is_empty() || !kuma.routes.is_empty(),
        ),
        (
            MeshKind::Istio,
            !istio.destination_rules.is_empty() || !istio.virtual_services.is_empty(),
        ),
    ];
    let mut found = Vec::new();
    for (mesh, _) in meshes.into_iter().filter(|(_, given)| *given) {
        // `lint` also reads documents that allow no point of view.
        if let Ok(zones) = MeshOutbound::zones(documents, mesh, Compat::Kuma) {
            found.extend(zone_warnings(&zones));
        }
    }
    found.retain(|warning| !NOT_REPORTED.contains(&warning.code));
    found
}

/// Names the kinds of the documents that are not read.
fn name_skipped(file: &str, documents: &MeshDocuments, done: &mut Done) {
    let kinds = documents
        .skipped
        .iter()
        .map(|document| document.kind.as_str());
    let kinds: BTreeSet<&str> = kinds.collect();
    if !kinds.is_empty() {
        let kinds: Vec<&str> = kinds.into_iter().collect();
        let kinds = kinds.join(", ");
        done.warn_lines([format!(
            "{file}: documents of other kinds are ignored: {kinds}"
        )]);
    }
}
