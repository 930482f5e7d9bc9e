//! Where the filter is in the new configuration, and what it is configured to do.

use serde_json::Value;

use super::fields::{at, get, get_mut, items, items_mut, set, text, type_of};

/// The filter and its connection manager.
#[derive(Debug)]
pub(super) struct Steering {
    listener: usize,
    /// The index of the filter chain, or the default one.
    chain: Option<usize>,
    /// The index of the connection manager in the chain.
    manager: usize,
    /// The configuration of the filter.
    pub(super) config: Value,
}

impl Steering {
    /// Finds the filter.
    pub(super) fn find(bootstrap: &Value) -> Option<Self> {
        let resources = get(bootstrap, "static_resources")?;
        let listeners = items(resources, "listeners").iter().enumerate();
        for (listener, value) in listeners {
            let chains = items(value, "filter_chains")
                .iter()
                .enumerate()
                .map(|(at, chain)| (Some(at), chain));
            let default = get(value, "default_filter_chain").map(|chain| (None, chain));
            for (chain, value) in chains.chain(default) {
                for (manager, value) in items(value, "filters").iter().enumerate() {
                    let config = get(value, "typed_config").and_then(ours);
                    if let Some(config) = config {
                        return Some(Self {
                            listener,
                            chain,
                            manager,
                            config,
                        });
                    }
                }
            }
        }
        None
    }

    /// The cluster that reaches the admin interface.
    pub(super) fn admin_cluster(&self) -> Option<&str> {
        at(&self.config, &["health", "cluster"])?.as_str()
    }

    /// The filter chain in a configuration with the same listeners.
    pub(super) fn chain<'v>(&self, bootstrap: &'v Value) -> Option<&'v Value> {
        let listeners = items(get(bootstrap, "static_resources")?, "listeners");
        let listener = listeners.get(self.listener)?;
        match self.chain {
            Some(at) => items(listener, "filter_chains").get(at),
            None => get(listener, "default_filter_chain"),
        }
    }

    /// The connection manager in such a configuration.
    pub(super) fn manager<'v>(&self, bootstrap: &'v Value) -> Option<&'v Value> {
        let filters = items(self.chain(bootstrap)?, "filters");
        get(filters.get(self.manager)?, "typed_config")
    }

    /// The connection manager in its filter chain.
    pub(super) fn manager_mut<'v>(&self, chain: &'v mut Value) -> Option<&'v mut Value> {
        let filter = items_mut(chain, "filters").get_mut(self.manager)?;
        get_mut(filter, "typed_config")
    }
}

/// The configuration of our filter in a bootstrap.
pub(crate) fn filter_configuration(bootstrap: &Value) -> Option<Value> {
    Steering::find(bootstrap).map(|steering| steering.config)
}

/// The configuration of our filter in a connection manager.
fn ours(manager: &Value) -> Option<Value> {
    items(manager, "http_filters").iter().find_map(|filter| {
        let config = configuration(filter)?;
        let value = get(config, "value")?;
        let parsed = match value.as_str() {
            Some(text) => serde_json::from_str(text).ok()?,
            None => value.clone(),
        };
        get(&parsed, "clusters").is_some().then_some(parsed)
    })
}

/// The field with our configuration in an HTTP filter.
fn configuration(filter: &Value) -> Option<&Value> {
    let typed = get(filter, "typed_config")?;
    if type_of(filter).ends_with(".wasm.v3.Wasm") {
        return at(typed, &["config", "configuration"]);
    }
    (text(typed, "filter_name") == Some("spillgate"))
        .then(|| get(typed, "filter_config"))
        .flatten()
}

/// Replaces the configuration of our filter in a connection manager.
pub(super) fn configure(manager: &mut Value, config: &Value) {
    for filter in items_mut(manager, "http_filters") {
        if configuration(filter).is_none() || ours_alone(filter).is_none() {
            continue;
        }
        let Some(typed) = get_mut(filter, "typed_config") else {
            continue;
        };
        let field = match get(typed, "filter_name") {
            Some(_) => get_mut(typed, "filter_config"),
            None => get_mut(typed, "config").and_then(|own| get_mut(own, "configuration")),
        };
        if let Some(field) = field {
            let new = match get(field, "value") {
                Some(Value::String(_)) => config.to_string().into(),
                _ => config.clone(),
            };
            set(field, "value", new);
        }
    }
}

fn ours_alone(filter: &Value) -> Option<Value> {
    ours(&serde_json::json!({"http_filters": [filter]}))
}
