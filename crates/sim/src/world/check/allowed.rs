//! An independent implementation of subsets, without an index: it checks one host at a time.

use spillgate_core::model::{ChainHosts, Metadata, SelectorFallback, SubsetFallback};

use super::super::{HostsUpdate, Layout};

/// Whether requests with these criteria may go to a host with this metadata.
pub(super) fn allowed(
    layout: &Layout,
    cluster: usize,
    update: &HostsUpdate,
    metadata: &Metadata,
    criteria: &Metadata,
) -> bool {
    let chain = layout.model.chain();
    if !chain.is_empty() {
        // Any step: a later one may have served when the session began.
        return chain.iter().any(|step| match &step.hosts {
            ChainHosts::Keys(keys) => keys.iter().all(|key| {
                let wanted = criteria.get(key);
                wanted.is_some() && wanted == metadata.get(key)
            }),
            ChainHosts::Match(values) => carries(metadata, values),
            ChainHosts::Any => true,
        });
    }
    let Some(config) = layout.subsets(cluster) else {
        return true;
    };
    let keys = || criteria.fields().iter().map(|field| &field.key);
    let mut selectors = config.selectors.iter();
    let selector = selectors.find(|selector| selector.keys().iter().eq(keys()));
    if let Some(selector) = selector {
        let mut hosts = update.hosts.iter();
        if hosts.any(|host| carries(&host.metadata, criteria)) {
            return carries(metadata, criteria);
        }
        match selector.fallback() {
            SelectorFallback::AnyEndpoint => return true,
            SelectorFallback::DefaultSubset => return carries(metadata, &config.default_subset),
            SelectorFallback::NoFallback | SelectorFallback::KeysSubset(_) => return false,
            SelectorFallback::NotDefined => {}
        }
    }
    match config.fallback {
        SubsetFallback::NoFallback => false,
        SubsetFallback::AnyEndpoint => true,
        SubsetFallback::DefaultSubset => carries(metadata, &config.default_subset),
    }
}

fn carries(metadata: &Metadata, values: &Metadata) -> bool {
    let mut fields = values.fields().iter();
    fields.all(|field| metadata.get(&field.key) == Some(&field.value))
}
