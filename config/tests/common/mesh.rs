//! All findings in documents of a mesh, seen from zone `z1`.

use std::collections::BTreeSet;

use spillgate_config::{
    Diagnostic,
    envoy::Format,
    mesh::{IstioInputs, KumaInputs, MeshDocuments, PointOfView, read},
};
use spillgate_mesh::kuma::kuma_warnings;

/// The faults of the documents, or else everything that reading and assembling them reports.
pub(crate) fn findings(text: &str) -> Vec<Diagnostic> {
    let documents = match read(text, Format::Yaml, 0) {
        Ok(documents) => documents,
        Err(faults) => return faults,
    };
    let view = PointOfView::Zone("z1".into());
    let mut found = documents.warnings.clone();
    let mut zones = BTreeSet::new();
    match KumaInputs::new(&documents, &view) {
        Ok(inputs) => {
            let endpoints = inputs.destinations.iter().flat_map(|d| &d.endpoints);
            zones.extend(endpoints.map(|endpoint| endpoint.zone.clone()));
            found.extend(inputs.warnings);
        }
        Err(fault) => found.push(fault),
    }
    for policy in &documents.kuma.policies {
        for (index, entry) in policy.policy.to.iter().enumerate() {
            let warnings = kuma_warnings(&entry.conf, &zones);
            found.extend(
                warnings
                    .iter()
                    .map(|fault| policy.conf_diagnostic(index, fault)),
            );
        }
    }
    found.extend(IstioInputs::new(&documents, &view).err());
    found
}

/// Faults of a point of view.
pub(crate) fn staged() -> Vec<Diagnostic> {
    let documents = MeshDocuments::default();
    let fault = |view| KumaInputs::new(&documents, &view).err();
    let views = [
        PointOfView::Name("shop".into()),
        PointOfView::Documents(MeshDocuments::default()),
    ];
    views.into_iter().filter_map(fault).collect()
}
