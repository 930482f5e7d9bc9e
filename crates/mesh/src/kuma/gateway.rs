//! Built-in gateways: MeshGateways, and which of them a proxy has (`SelectGateway`).

use alloc::{collections::BTreeMap, string::String, vec::Vec};
use core::cmp::Ordering;

use super::{KumaMeta, KumaProxy, KumaProxyKind, meta::ResourceOrigin};

/// A MeshGateway.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KumaGateway {
    /// Name, mesh and labels.
    pub meta: KumaMeta,
    /// When it was created, as written; empty if unknown.
    pub created: String,
    /// The tags of its proxies (`selectors[].match`); none select every built-in gateway.
    pub selectors: Vec<BTreeMap<String, String>>,
    /// Tags of all its listeners.
    pub tags: BTreeMap<String, String>,
    /// The listeners, in order.
    pub listeners: Vec<KumaListener>,
}

/// One listener (`conf.listeners[]`).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KumaListener {
    /// Its port.
    pub port: u16,
    /// The host names that it serves: a name, `*.domain` or `*`.
    pub hostname: String,
    /// Whether it serves HTTP or HTTPS; MeshTCPRoutes are for the others.
    pub http: bool,
    /// Its own tags.
    pub tags: BTreeMap<String, String>,
}

/// The MeshGateway of a built-in gateway: the one whose selector has most tags, tags with `*` count
/// less; among equals the one that was created last, then the first by name.
pub fn select_gateway<'a>(
    gateways: impl Iterator<Item = &'a KumaGateway>,
    proxy: &KumaProxy,
) -> Option<&'a KumaGateway> {
    let mut best: Option<((usize, usize), &KumaGateway)> = None;
    for gateway in gateways.filter(|gateway| gateway.may_have(proxy)) {
        let ranks = gateway.selectors.iter().filter(|tags| has(proxy, tags));
        let rank = if gateway.selectors.is_empty() {
            Some((0, 0))
        } else {
            ranks.map(rank).max()
        };
        let Some(rank) = rank else { continue };
        let stronger = best.is_none_or(|(known, of)| {
            let later = gateway.created.cmp(&of.created);
            let first = of.meta.name.cmp(&gateway.meta.name);
            rank.cmp(&known).then(later).then(first) == Ordering::Greater
        });
        if stronger {
            best = Some((rank, gateway));
        }
    }
    best.map(|(_, gateway)| gateway)
}

impl KumaGateway {
    /// Whether it can be that of a proxy: a built-in gateway of its mesh, in its zone if it is of one.
    fn may_have(&self, proxy: &KumaProxy) -> bool {
        let zone = self.meta.zone_of_origin();
        proxy.kind == KumaProxyKind::BuiltinGateway
            && self.meta.mesh() == proxy.meta.mesh()
            && (self.meta.origin() != ResourceOrigin::Zone
                || zone.is_none_or(|zone| zone == proxy.zone))
    }

    /// The proxy with the tags of a listener, for policies and routes that select some listeners.
    #[must_use]
    pub fn proxy_of(&self, listener: &KumaListener, proxy: &KumaProxy) -> KumaProxy {
        let mut of = proxy.clone();
        for (key, value) in self.tags.iter().chain(&listener.tags) {
            of.tags.insert(key.clone(), [value.clone()].into());
        }
        of.gateway = Some(self.meta.clone());
        of
    }
}

/// Whether a proxy has these tags; `*` is any value.
fn has(proxy: &KumaProxy, tags: &BTreeMap<String, String>) -> bool {
    tags.iter().all(|(key, value)| {
        let found = proxy.tags.get(key);
        found.is_some_and(|found| value == "*" || found.contains(value))
    })
}

/// The number of tags with a value, and that of the others.
fn rank(tags: &BTreeMap<String, String>) -> (usize, usize) {
    let any = tags.values().filter(|value| *value == "*").count();
    (tags.len() - any, any)
}
