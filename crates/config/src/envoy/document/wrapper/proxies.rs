//! The configurations of several proxies, as `egctl config envoy-proxy` prints them.

use alloc::{format, string::String, vec::Vec};

use super::{Part, Parts};
use crate::{Diagnostic, envoy::document::dump::is_dump, node::quote, proto::Report};

/// `{"xds": ...}` next to other values, `{GATEWAY: DUMP}` or `{NAMESPACE: {POD: DUMP}}`. The parts
/// are those of the first proxy.
pub(super) fn open<'n, 'a>(part: &Part<'n, 'a>, report: &mut Report) -> Option<Parts<'n, 'a>> {
    if let Some(resources) = part.field("xds").filter(Part::is_map) {
        return Some(Parts::from([resources]));
    }
    let mut proxies = dumps_of(part).or_else(|| {
        let mut proxies = Vec::new();
        for (namespace, part) in part.entries() {
            let inside = dumps_of(&part)?.into_iter();
            proxies.extend(inside.map(|(name, dump)| (format!("{namespace}/{name}"), dump)));
        }
        Some(proxies)
    })?;
    if proxies.is_empty() {
        return None;
    }
    let others: Vec<String> = proxies.drain(1..).map(|(name, _)| quote(&name)).collect();
    let (name, dump) = proxies.pop()?;
    if !others.is_empty() {
        Diagnostic::warning(
            "config/other-proxies",
            format!("several proxies; reading only {}", quote(&name)),
        )
        .at(part.path.text(), part.node.position)
        .found(format!("also {}", others.join(", ")))
        .expected("the configuration of one proxy")
        .push_to(report);
    }
    Some(Parts::from([dump]))
}

/// The values of an object whose values are all dumps.
fn dumps_of<'n, 'a>(part: &Part<'n, 'a>) -> Option<Vec<(String, Part<'n, 'a>)>> {
    let entries = part.entries();
    let all = !entries.is_empty() && entries.iter().all(|(_, part)| is_dump(part.node));
    all.then(|| {
        let entries = entries.into_iter();
        entries.map(|(name, part)| (name.into(), part)).collect()
    })
}
