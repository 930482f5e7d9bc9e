//! What existing filters of Envoy say about subsets and sessions.

use serde_json::{Map, Value, json};
use spillgate_config::Diagnostic;

use super::{files::Files, place::Place};

/// Criteria from the rules of `header_to_metadata` that write into `envoy.lb`.
pub(super) fn criteria(
    files: Files<'_>,
    manager: &Place<'_>,
) -> Result<Vec<Value>, Vec<Diagnostic>> {
    let (mut criteria, mut faults) = (Vec::new(), unknown(files, manager));
    for rule in header_filters(manager)
        .iter()
        .flat_map(|filter| filter.items("request_rules"))
    {
        let present = rule.field("on_header_present");
        let missing = rule.field("on_header_missing");
        let subset =
            |to: &&Place<'_>| to.text("metadata_namespace").unwrap_or("envoy.lb") == "envoy.lb";
        let (present, missing) = (
            present.as_ref().filter(subset),
            missing.as_ref().filter(subset),
        );
        if let Some(missing) = missing {
            match (missing.text("key"), missing.text("value")) {
                (Some(key), Some(value)) => criteria.push(json!({"key": key, "value": value})),
                _ => faults.push(missing.fault(files, "on_header_missing without key and value")),
            }
        }
        let Some(present) = present else {
            continue;
        };
        let is_text = present.text("type").is_none_or(|kind| kind == "STRING");
        let plain = ["value", "regex_value_rewrite", "encode"]
            .iter()
            .all(|name| present.field(name).is_none());
        match (rule.text("header"), present.text("key")) {
            (Some(header), Some(key)) if is_text && plain => {
                criteria.push(json!({"key": key, "header": header}));
            }
            _ => faults.push(present.fault(
                files,
                "a criterion is the whole value of a header, as text; this rule is something else",
            )),
        }
    }
    if faults.is_empty() {
        Ok(criteria)
    } else {
        Err(faults)
    }
}

/// Criteria that are not those of a header.
fn unknown(files: Files<'_>, manager: &Place<'_>) -> Vec<Diagnostic> {
    let mut faults = Vec::new();
    let mut open: Vec<Place<'_>> = files.roots().collect();
    while let Some(place) = open.pop() {
        for (key, inner) in place.children() {
            if matches!(key, "typed_per_filter_config" | "typedPerFilterConfig")
                && inner.any(&|one| is_rules(one))
            {
                faults.push(inner.fault(files, "rules of header_to_metadata for single routes"));
            } else {
                open.push(inner);
            }
        }
    }
    for filter in manager.items("http_filters") {
        if is_header_filter(&filter) && is_off(&filter) {
            let what = "rules of a filter that is off, and that routes can turn on";
            faults.push(filter.fault(files, what));
        }
        let is_set = filter.at(&["typed_config", "@type"]).is_some_and(|url| {
            let url = url.value.as_str().unwrap_or_default();
            url.contains(".set_metadata.")
        });
        if is_set && filter.any(&|one| one.value.as_str() == Some("envoy.lb")) {
            faults.push(filter.fault(files, "set_metadata sets criteria"));
        }
    }
    faults
}

/// Whether a filter runs only where a route turns it on.
fn is_off(filter: &Place<'_>) -> bool {
    filter.field("disabled").map(|off| off.value) == Some(&Value::Bool(true))
}

/// Whether a value is a configuration of `header_to_metadata`.
fn is_rules(place: &Place<'_>) -> bool {
    let url = place.value.get("@type").and_then(Value::as_str);
    url.is_some_and(|url| url.contains(".header_to_metadata."))
}

/// The `typed_config` of all filters `header_to_metadata`.
fn header_filters<'v>(manager: &Place<'v>) -> Vec<Place<'v>> {
    let filters = manager
        .items("http_filters")
        .into_iter()
        .filter(|filter| is_header_filter(filter));
    filters
        .filter_map(|filter| filter.field("typed_config"))
        .collect()
}

/// Whether a filter copies headers into metadata.
pub(super) fn is_header_filter(filter: &Place<'_>) -> bool {
    filter
        .field("typed_config")
        .is_some_and(|config| is_rules(&config))
}

/// The sessions of `stateful_session` for the filter, and the filter.
pub(super) fn sessions<'v>(
    files: Files<'_>,
    manager: &Place<'v>,
) -> Result<Option<(Value, Place<'v>)>, Vec<Diagnostic>> {
    let filters = manager.items("http_filters");
    let mut found = filters
        .iter()
        .filter(|filter| filter.is_type("StatefulSession"));
    if let Some(off) = found.clone().find(|filter| is_off(filter)) {
        let what = "sessions of a filter that is off, and that routes can turn on";
        return Err(vec![off.fault(files, what)]);
    }
    let Some(filter) = found.next() else {
        return Ok(None);
    };
    let of_routes = |root: Place<'_>| root.any(&|one| one.is_message("StatefulSessionPerRoute"));
    if found.next().is_some() || files.roots().any(of_routes) {
        return Err(vec![
            filter.fault(files, "sessions of several filters or of single routes"),
        ]);
    }
    let Some(config) = filter.field("typed_config") else {
        return Ok(None);
    };
    let mut affinity = Map::new();
    let state = config.at(&["session_state", "typed_config"]);
    let cookie = state.as_ref().and_then(|state| state.field("cookie"));
    let header = state
        .as_ref()
        .filter(|state| state.is_type("HeaderBasedSessionState"));
    match (cookie, header) {
        (Some(cookie), _) if cookie.field("attributes").is_none() => {
            affinity.insert(
                "cookie".into(),
                json!({
                    "name": cookie.text("name").unwrap_or_default(),
                    "ttl": cookie.text("ttl").unwrap_or("0s"),
                    "path": cookie.text("path").unwrap_or("/"),
                    "secure": false,
                }),
            );
            affinity.insert("accept".into(), json!(["envoy_cookie"]));
        }
        (None, Some(state)) => {
            affinity.insert(
                "header".into(),
                json!({"name": state.text("name").unwrap_or_default()}),
            );
            affinity.insert("accept".into(), json!(["envoy_header"]));
        }
        _ => {
            return Err(vec![
                config.fault(files, "a session state that the filter does not have"),
            ]);
        }
    }
    if config
        .field("strict")
        .is_some_and(|strict| strict.value == &Value::Bool(true))
    {
        affinity.insert("on_lost".into(), json!({"status": 503}));
    }
    Ok(Some((affinity.into(), filter.clone())))
}
