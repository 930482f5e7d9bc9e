//! A whole bootstrap.

use spillgate_core::model::{LocalInfo, Model};

use super::{
    super::tree::{Fields, within},
    assignment::locality,
    cluster::cluster,
};
use crate::proto::Report;

/// The bootstrap of these clusters, and where the proxy stands.
pub(in crate::write) fn bootstrap(model: &Model, report: &mut Report) -> Fields {
    let LocalInfo {
        locality: place,
        cluster: local,
    } = model.local();
    let node = place
        .as_ref()
        .map(|place| within("locality", locality(place)));
    let local = local
        .as_deref()
        .map(|name| within("local_cluster_name", name));
    let clusters = model.clusters().iter().map(|one| cluster(one, report));
    let resources = Fields::new().with_list("clusters", clusters);
    Fields::new()
        .with_some("node", node)
        .with_some("cluster_manager", local)
        .with("static_resources", resources)
}
