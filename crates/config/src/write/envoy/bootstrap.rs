//! A whole bootstrap.

use alloc::vec::Vec;

use spillgate_core::model::{LocalInfo, Model};

use super::{
    super::tree::{Fields, within},
    assignment::locality,
    cluster::cluster,
    listener::listeners,
};
use crate::{envoy::ListenerConfig, proto::Report};

/// The bootstrap of these listeners and clusters, with the proxy's own location. `more` has the fields
/// of a cluster that are not in the model.
pub(crate) fn bootstrap(
    model: &Model,
    listeners: &[ListenerConfig],
    more: &dyn Fn(&str) -> Fields,
    report: &mut Report,
) -> Fields {
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
    let clusters: Vec<Fields> = model
        .clusters()
        .iter()
        .map(|one| cluster(one, report).and(more(&one.name)))
        .collect();
    let listeners = self::listeners(listeners, model, report);
    let resources = Fields::new()
        .with_list("listeners", listeners)
        .with_list("clusters", clusters);
    Fields::new()
        .with_some("node", node)
        .with_some("cluster_manager", local)
        .with("static_resources", resources)
}
