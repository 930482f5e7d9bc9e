//! The steps of `explain` about request headers that change before a host is chosen.

use spillgate_core::{
    model::OverrideHostSource,
    names::Names,
    route::{ChangedHeaders, HashPolicy, Headers},
    snapshot::{ClusterId, ClusterSnapshotKind, Snapshot},
    trace::{RequestChanger, Step, StepData},
};

use super::routing::step;

/// The steps of those changes that something `reads`.
pub(super) fn header_changes<B: Headers, A: Headers>(
    before: &B,
    after: &ChangedHeaders<'_, A>,
    by: RequestChanger,
    reads: &Names,
) -> Vec<Step> {
    let names = after.changes().names().filter(|name| reads.contains(name));
    let changes = names.filter_map(|name| {
        let (before, after) = (text(before, name), text(after, name));
        (before != after).then(|| {
            step(StepData::HeaderChanged {
                name: name.to_owned(),
                before,
                after,
                by,
            })
        })
    });
    changes.collect()
}

/// The headers that a cluster reads.
pub(crate) fn read_by(snapshot: &Snapshot, cluster: ClusterId) -> Vec<&str> {
    if let Some(ClusterSnapshotKind::OriginalDst(original)) =
        snapshot.cluster(cluster).map(|cluster| &cluster.kind)
    {
        return original.http_header.as_deref().into_iter().collect();
    }
    let Some(plain) = snapshot.plain(cluster) else {
        return Vec::new();
    };
    let hosts = plain
        .settings
        .override_hosts
        .iter()
        .filter_map(|source| match source {
            OverrideHostSource::Header(name) => Some(name.as_str()),
            OverrideHostSource::Metadata { .. } => None,
        });
    let hashed = plain.settings.hash_policies.iter();
    hosts.chain(hashed.filter_map(HashPolicy::header)).collect()
}

/// All values of a header.
fn text<H: Headers>(headers: &H, name: &str) -> Option<String> {
    let values: Vec<_> = headers.values(name).map(String::from_utf8_lossy).collect();
    (!values.is_empty()).then(|| values.join(", "))
}
