//! The routes, as the filter's configuration and their metadata have them.

use serde_json::{Value, json};
use spillgate_config::Diagnostic;

use super::{
    super::{
        files::{Edit, Files},
        place::Place,
        route::route_config,
        wasm::CLUSTER_HEADER,
    },
    removal::{of_items, removed},
};

/// The changes of all routes.
pub(super) fn edits(
    files: Files<'_>,
    manager: &Place<'_>,
    config: &Value,
) -> Result<Vec<Edit>, Vec<Diagnostic>> {
    let hosts = route_config(files, manager)?.items("virtual_hosts");
    let routes = hosts.iter().flat_map(|host| host.items("routes"));
    Ok(routes.flat_map(|route| of_route(&route, config)).collect())
}

fn of_route(route: &Place<'_>, config: &Value) -> Vec<Edit> {
    let mut edits = of_items(route, "request_headers_to_remove", |name| {
        name.value.as_str() == Some(CLUSTER_HEADER)
    });
    let settings = route.at(&["metadata", "filter_metadata", "spillgate"]);
    let own = settings
        .as_ref()
        .and_then(|settings| settings.text("target"));
    if let Some(action) = route.field("route")
        && let Some(key) = chosen(&action)
    {
        let (new, value) = destination(own, config);
        edits.push(action.replace_entry(&key, new, value));
    }
    edits.extend(of_metadata(route, config));
    edits.extend(removed(route, &["typed_per_filter_config", "spillgate"]));
    edits
}

/// The field by which a route follows the filter.
fn chosen(action: &Place<'_>) -> Option<String> {
    if action.text("cluster_header") == Some(CLUSTER_HEADER) {
        return action.key("cluster_header");
    }
    let plugin = action.at(&["inline_cluster_specifier_plugin", "extension"])?;
    let is_ours = plugin.text("name") == Some("spillgate");
    is_ours.then(|| action.key("inline_cluster_specifier_plugin"))?
}

/// Where a route led: to the cluster in its metadata, or to the target.
fn destination(own: Option<&str>, config: &Value) -> (&'static str, Value) {
    if let Some(own) = own {
        return ("cluster", own.into());
    }
    let Some(parts) = config.get("weighted").and_then(Value::as_array) else {
        return ("cluster", config.get("target").cloned().unwrap_or_default());
    };
    let parts = parts
        .iter()
        .map(|part| json!({"name": part.get("cluster"), "weight": part.get("weight")}));
    (
        "weighted_clusters",
        json!({"clusters": parts.collect::<Value>()}),
    )
}

/// The metadata of a route that only the filter reads.
fn of_metadata(route: &Place<'_>, config: &Value) -> Vec<Edit> {
    let Some(own) = route.at(&["metadata", "filter_metadata"]) else {
        return Vec::new();
    };
    let criteria = config.get("criteria").and_then(Value::as_array);
    let by_route = json!({"route_metadata": true});
    let is_read = criteria.is_some_and(|criteria| criteria.contains(&by_route));
    let wanted = route.at(&["route", "metadata_match", "filter_metadata", "envoy.lb"]);
    let written = own
        .field("envoy.lb")
        .filter(|_| is_read)
        .filter(|own| wanted.is_some_and(|wanted| wanted.value == own.value));
    let mut names: Vec<&str> = own
        .field("spillgate")
        .map(|_| "spillgate")
        .into_iter()
        .collect();
    names.extend(written.map(|_| "envoy.lb"));
    if names.len() == own.children().len() {
        removed(route, &["metadata", "filter_metadata"])
            .into_iter()
            .collect()
    } else {
        let edits = names
            .iter()
            .filter_map(|name| Some(own.remove_entry(&own.key(name)?)));
        edits.collect()
    }
}
