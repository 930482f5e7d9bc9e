//! The hosts of all services, whichever proxies see them.

use alloc::{collections::BTreeSet, string::String};

use super::{service_entries, services};
use crate::mesh::read::MeshDocuments;

/// The hosts that the documents describe.
pub(in crate::mesh) fn known_hosts(documents: &MeshDocuments) -> BTreeSet<String> {
    let mut all = services::services(documents);
    all.extend(service_entries::services(documents));
    let short = services::short(documents, &all);
    let hosts = all.into_iter().chain(short).map(|of| of.service.host);
    hosts.collect()
}
