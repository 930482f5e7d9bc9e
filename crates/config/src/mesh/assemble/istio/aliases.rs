//! Services that are names of other services (`type: ExternalName`).

use alloc::{collections::BTreeMap, string::String, vec::Vec};

use spillgate_mesh::istio::kube_host;

use super::service_input::IstioServiceInput;
use crate::mesh::read::MeshDocuments;

/// Makes services that name a known host aliases of it: its virtual host has their names, too, and they
/// have no cluster (`resolveAliases`). Others stay as they are.
pub(super) fn add_aliases(documents: &MeshDocuments, services: &mut Vec<IstioServiceInput>) {
    let aliases = documents.kube.services.iter().filter_map(|service| {
        let target = service.external_name.as_ref()?;
        let meta = &service.meta;
        let host = kube_host(&meta.name, &meta.namespace);
        Some((host, target.clone()))
    });
    let aliases: BTreeMap<String, String> = aliases.collect();
    let mut known: BTreeMap<String, String> = BTreeMap::new();
    for (alias, target) in &aliases {
        let mut target = target;
        // An alias can name an alias, at most once each.
        for _ in &aliases {
            match aliases.get(target) {
                Some(next) => target = next,
                None => break,
            }
        }
        let exists = services.iter().any(|of| of.service.host == *target);
        if exists && !aliases.contains_key(target) {
            known.insert(alias.clone(), target.clone());
        }
    }
    services.retain(|of| !known.contains_key(&of.service.host));
    for (alias, target) in &known {
        let of_target = services.iter_mut().filter(|of| of.service.host == *target);
        of_target.for_each(|of| of.aliases.push(alias.clone()));
    }
}
