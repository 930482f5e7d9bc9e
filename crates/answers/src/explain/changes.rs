//! The steps of `explain` about request headers that change before a host is chosen.

use spillgate_core::{
    names::Names,
    route::{ChangedHeaders, Headers},
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

/// All values of a header.
fn text<H: Headers>(headers: &H, name: &str) -> Option<String> {
    let values: Vec<_> = headers.values(name).map(String::from_utf8_lossy).collect();
    (!values.is_empty()).then(|| values.join(", "))
}
