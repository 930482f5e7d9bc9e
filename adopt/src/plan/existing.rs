//! What existing filters of Envoy say about subsets and sessions.

use serde_json::{Map, Value, json};
use spillgate_config::Diagnostic;

use super::place::Place;
use crate::edit::{Change, EditStep, EditText};

/// Criteria from the rules of `header_to_metadata` that write into `envoy.lb`.
pub(super) fn criteria(
    text: &EditText,
    manager: &Place<'_>,
) -> Result<Vec<Value>, Vec<Diagnostic>> {
    let (mut criteria, mut faults) = (Vec::new(), Vec::new());
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
                _ => faults.push(missing.fault(text, "on_header_missing without key and value")),
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
                text,
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

/// The `typed_config` of all filters `header_to_metadata`.
fn header_filters<'v>(manager: &Place<'v>) -> Vec<Place<'v>> {
    let filters = manager.items("http_filters").into_iter();
    let filters = filters.filter(|filter| is_header_filter(filter));
    filters
        .filter_map(|filter| filter.field("typed_config"))
        .collect()
}

/// Whether a filter copies headers into metadata.
pub(super) fn is_header_filter(filter: &Place<'_>) -> bool {
    let url = filter.at(&["typed_config", "@type"]);
    url.and_then(|url| url.value.as_str())
        .is_some_and(|url| url.contains(".header_to_metadata."))
}

/// The sessions of `stateful_session` for the filter, and the change that removes it.
pub(super) fn sessions(
    text: &EditText,
    manager: &Place<'_>,
) -> Result<Option<(Value, Change)>, Vec<Diagnostic>> {
    let filters = manager.items("http_filters");
    let mut found = filters
        .iter()
        .filter(|filter| filter.is_type("StatefulSession"));
    let Some(filter) = found.next() else {
        return Ok(None);
    };
    if found.next().is_some()
        || manager
            .value
            .to_string()
            .contains("StatefulSessionPerRoute")
    {
        return Err(vec![
            filter.fault(text, "sessions of several filters or of single routes"),
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
                config.fault(text, "a session state that the filter does not have"),
            ]);
        }
    }
    if config
        .field("strict")
        .is_some_and(|strict| strict.value == &Value::Bool(true))
    {
        affinity.insert("on_lost".into(), json!({"status": 503}));
    }
    match filter.path.split_last() {
        Some((EditStep::Item(index), list)) => Ok(Some((
            affinity.into(),
            Change::RemoveItem(list.to_vec(), *index),
        ))),
        _ => Ok(None),
    }
}
