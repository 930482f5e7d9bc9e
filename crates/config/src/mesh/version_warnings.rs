//! Warnings about settings that the version of Istio does not have, or does not accept together.

use alloc::{format, vec::Vec};

use spillgate_mesh::istio::IstioVersion;

use super::{place::ValuePlace, read::MeshDocuments};
use crate::Diagnostic;

/// Each with the number of its file, in document order.
pub(super) fn version_warnings(documents: &MeshDocuments) -> Vec<(usize, Diagnostic)> {
    let mut found = Vec::new();
    let version = documents.istio_version;
    let known = version >= IstioVersion::V1_31;
    let mut add = |warning: Diagnostic, place: ValuePlace| {
        found.push((place.file, warning.at(place.path, place.position)));
    };
    for read in &documents.istio.destination_rules {
        for part in read.policies() {
            let balancer = part.load_balancer;
            let setting = balancer.filter(|of| of.zone_aware_lb_setting.is_some());
            let Some(balancer) = setting else { continue };
            let path = format!("{}.loadBalancer.zoneAwareLbSetting", part.path);
            let place = read.value_place(&path);
            if !known {
                add(newer(version), place);
            } else if balancer.locality_lb_setting.is_some() {
                add(
                    Diagnostic::warning(
                        "mesh/zone-aware-and-locality",
                        "Istio rejects a rule with localityLbSetting and zoneAwareLbSetting; \
                         showing it without localityLbSetting",
                    )
                    .expected("one of them"),
                    place,
                );
            }
        }
    }
    for read in &documents.istio.mesh_configs {
        if !known && read.config.zone_aware_lb_setting.is_some() {
            add(newer(version), read.value_place("zoneAwareLbSetting"));
        }
    }
    found
}

fn newer(version: IstioVersion) -> Diagnostic {
    let version = version.name();
    let message = format!("Istio {version} does not have zoneAwareLbSetting and ignores it");
    Diagnostic::warning("mesh/newer-setting", message).expected("Istio 1.31 or later")
}
