//! One bootstrap from several files: resources that Envoy reads from files become static.

use serde_json::{Map, Value, json};

use super::fields::{at, get, get_mut, items, items_mut, remove, set, text};

/// The bootstrap with the resources of the other documents.
pub(super) fn joined(documents: &[Value]) -> Value {
    let is_bootstrap = |document: &&Value| get(document, "static_resources").is_some();
    let mut bootstrap = documents
        .iter()
        .find(is_bootstrap)
        .cloned()
        .unwrap_or_else(|| json!({}));
    let others = || documents.iter().filter(|document| !is_bootstrap(document));
    let resources: Vec<&Value> = others()
        .flat_map(|document| match items(document, "resources") {
            [] => std::slice::from_ref(document),
            several => several,
        })
        .collect();
    let of = |message: &str| -> Vec<&Value> {
        let is_type = |value: &&&Value| {
            let url = value.get("@type").and_then(Value::as_str);
            url.and_then(|url| url.rsplit('.').next()) == Some(message)
        };
        resources.iter().filter(is_type).copied().collect()
    };
    if get(&bootstrap, "static_resources").is_none() {
        set(&mut bootstrap, "static_resources", json!({}));
    }
    let Some(own) = get_mut(&mut bootstrap, "static_resources") else {
        return bootstrap;
    };
    for (field, message) in [("listeners", "Listener"), ("clusters", "Cluster")] {
        let all = items(own, field)
            .iter()
            .cloned()
            .chain(of(message).into_iter().map(without_type));
        set(own, field, all.collect());
    }
    let (routes, extensions) = (of("RouteConfiguration"), of("TypedExtensionConfig"));
    for listener in items_mut(own, "listeners") {
        let mut chains = items(listener, "filter_chains").len();
        while let Some(at) = chains.checked_sub(1) {
            chains = at;
            if let Some(chain) = items_mut(listener, "filter_chains").get_mut(at) {
                inline(chain, &routes, &extensions);
            }
        }
        if let Some(chain) = get_mut(listener, "default_filter_chain") {
            inline(chain, &routes, &extensions);
        }
    }
    bootstrap
}

/// Puts routes and filters that come by discovery into the connection managers of a filter chain.
fn inline(chain: &mut Value, routes: &[&Value], extensions: &[&Value]) {
    let named = |all: &[&Value], name: &str| {
        let found = all.iter().find(|one| text(one, "name") == Some(name));
        found.map(|one| without_type(one))
    };
    for filter in items_mut(chain, "filters") {
        let Some(manager) = get_mut(filter, "typed_config") else {
            continue;
        };
        let name = at(manager, &["rds", "route_config_name"]).and_then(Value::as_str);
        if let Some(config) = name.and_then(|name| named(routes, name)) {
            remove(manager, "rds");
            set(manager, "route_config", config);
        }
        for filter in items_mut(manager, "http_filters") {
            let name = text(filter, "name").unwrap_or_default().to_owned();
            let discovered = get(filter, "config_discovery").is_some();
            if let Some(own) = named(extensions, &name).filter(|_| discovered) {
                *filter = own;
            }
        }
    }
}

fn without_type(resource: &Value) -> Value {
    let fields = resource.as_object().cloned().unwrap_or_default();
    let own = fields.into_iter().filter(|(key, _)| key != "@type");
    Value::Object(own.collect::<Map<_, _>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn resources_of_files_become_static() {
        let bootstrap = json!({"static_resources": {"listeners": [{"filter_chains": [{"filters": [{"typed_config": {
            "rds": {"route_config_name": "r"},
            "http_filters": [{"name": "f", "config_discovery": {}}],
        }}]}]}]}});
        let files = json!({"resources": [
            {"@type": "type.googleapis.com/envoy.config.cluster.v3.Cluster", "name": "c"},
            {"@type": "type.googleapis.com/envoy.config.route.v3.RouteConfiguration", "name": "r", "virtualHosts": []},
        ]});
        let extension = json!({"@type": "type.googleapis.com/envoy.config.core.v3.TypedExtensionConfig", "name": "f",
            "typed_config": {}});
        let joined = joined(&[bootstrap, files, extension]);
        let resources = &joined["static_resources"];
        assert_eq!(resources["clusters"], json!([{"name": "c"}]));
        let manager = &resources["listeners"][0]["filter_chains"][0]["filters"][0]["typed_config"];
        assert_eq!(manager["route_config"]["name"], "r");
        assert_eq!(
            manager["http_filters"],
            json!([{"name": "f", "typed_config": {}}])
        );
        assert!(manager.get("rds").is_none());
    }
}
