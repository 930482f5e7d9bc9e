//! The answer to documents of Kuma or Istio.

use alloc::{sync::Arc, vec::Vec};

use spillgate_codec::import::{FaultSeverity, ImportAnswer, ImportFault, ImportField, view_name};
use spillgate_config::{
    Diagnostic,
    clusters::{self, ClusterStatus},
    envoy::Format,
    mesh::{
        MeshKind, MeshOutbound, MeshZone, apply_health, assignment_line, is_mesh, read,
        row_sentence, zone_warnings,
    },
    node::decode,
};
use spillgate_core::{model::Cluster, order::sorted};
use spillgate_mesh::Compat;

use crate::{limits, report, verdicts};

/// Reads documents of Kuma or Istio and the output of Envoy's `/clusters`, which may be empty and sets
/// health. The bytes are an [`ImportAnswer`] whose clusters are those that the proxies of each zone
/// receive, named `CLUSTER from ZONE`. No bytes if the text has no such documents.
#[must_use]
pub fn mesh_answer(documents: &[u8], clusters: &[u8]) -> Vec<u8> {
    let Ok(text) = decode(documents) else {
        return Vec::new();
    };
    let format = Format::guess("", text);
    if !format.parse(text).is_ok_and(|document| is_mesh(&document)) {
        return Vec::new();
    }
    let mut faults = Vec::new();
    let in_text = |fault| report::diagnostic(fault, ImportField::Config);
    let read = read(text, format, 0).map_err(|found| faults.extend(found.into_iter().map(in_text)));
    let statuses = statuses(clusters).map_err(|found| {
        let in_clusters = |fault| report::diagnostic(fault, ImportField::Clusters);
        faults.extend(found.into_iter().map(in_clusters));
    });
    let mut answer = ImportAnswer::default();
    if let (Ok(documents), Ok(statuses)) = (read, statuses) {
        faults.extend(documents.warnings.iter().cloned().map(in_text));
        let without_effect = documents.policy_warnings();
        faults.extend(without_effect.into_iter().map(|(_, fault)| in_text(fault)));
        match MeshOutbound::zones(&documents, MeshKind::of(&documents), Compat::Kuma) {
            Ok(zones) => answer.clusters = Some(seen_from(zones, &statuses, &mut faults)),
            Err(fault) => faults.push(in_text(fault)),
        }
    }
    let clusters = answer.clusters.as_deref().unwrap_or_default();
    if let Some(error) = limits::too_many_hosts(clusters) {
        answer.clusters = None;
        faults = Vec::from([in_text(error)]);
    } else {
        let too_large = limits::too_large_tables(clusters).into_iter();
        faults.extend(too_large.map(|(cluster, warning)| {
            let cluster = cluster.and_then(|at| clusters.get(at));
            in_text(warning.at(cluster.map_or("", |cluster| &cluster.name), None))
        }));
        answer.verdicts = verdicts::of(clusters, &[]);
    }
    let place = |fault: &ImportFault| (fault.field, fault.position.is_none(), fault.position);
    let faults = sorted(faults, |a, b| place(a).cmp(&place(b)));
    answer.with_faults(faults).to_bytes()
}

/// The clusters of all zones, with the health of `/clusters`. Adds what the user should know.
fn seen_from(
    zones: Vec<MeshZone>,
    statuses: &[ClusterStatus<'_>],
    faults: &mut Vec<ImportFault>,
) -> Vec<Arc<Cluster>> {
    let mut clusters = Vec::new();
    let warnings = zone_warnings(&zones).into_iter();
    faults.extend(warnings.map(|warning| report::diagnostic(warning, ImportField::Config)));
    for MeshZone { name, outbound } in zones {
        for mut cluster in outbound.clusters {
            apply_health(&cluster.name, cluster.hosts.iter_mut(), statuses);
            let title = view_name(&cluster.name, &name);
            faults.extend(cluster.differences.iter().map(|difference| ImportFault {
                severity: FaultSeverity::Info,
                field: ImportField::Config,
                code: "mesh/compat".into(),
                path: title.clone(),
                position: None,
                message: row_sentence(difference.row).into(),
                found: Some(assignment_line(&difference.kuma)),
                expected: Some(assignment_line(&difference.madr)),
                suggestion: None,
                fix: None,
            }));
            clusters.push(Arc::new(Cluster {
                name: title,
                ..cluster.model()
            }));
        }
    }
    clusters
}

/// The output of `/clusters`; no cluster if it is empty.
fn statuses(text: &[u8]) -> Result<Vec<ClusterStatus<'_>>, Vec<Diagnostic>> {
    let text = decode(text).map_err(|fault| Vec::from([fault]))?;
    match text.trim() {
        "" => Ok(Vec::new()),
        _ => clusters::read(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const POLICY: &str = "type: MeshLoadBalancingStrategy
name: p
mesh: default
spec:
  to:
  - targetRef: {kind: MeshService, name: backend}
    default:
      localityAwareness:
        crossZone: {failover: [{to: {type: Only, zones: [zone-9]}}, {to: {type: Any}}]}
---
- {address: '10.1.0.1:80', zone: zone-1, service: backend}
- {address: '10.2.0.1:80', zone: zone-2, service: backend}
";

    #[test]
    fn settings_without_an_effect_are_findings() {
        let answer = mesh_answer(POLICY.as_bytes(), b"");
        let answer = ImportAnswer::from_bytes(&answer).unwrap();
        assert_eq!(answer.clusters.unwrap().len(), 2);
        let codes: Vec<&str> = answer.faults.iter().map(|fault| &*fault.code).collect();
        let warned = codes
            .iter()
            .filter(|code| **code == "mesh/zone-without-endpoints");
        assert_eq!(warned.count(), 1, "{codes:?}");
    }
}
