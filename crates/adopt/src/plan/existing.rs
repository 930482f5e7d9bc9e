//! What existing filters of Envoy say about subsets and sessions.

use serde_json::{Map, Value, json};
use spillgate_config::Diagnostic;

use super::{
    files::Files,
    http_filter::{HttpFilter, all_per_route, http_filters, per_route},
    place::Place,
    route::route_config,
};

/// The namespace of the metadata that selects hosts.
const CRITERIA: &str = "envoy.lb";

/// Filters that can set criteria with nothing but a configuration.
const SETTERS: [&str; 3] = [
    ".header_to_metadata.",
    ".json_to_metadata.",
    ".set_metadata.",
];

/// What Envoy reads criteria from, for an error.
const ONE_SOURCE: &str =
    "a header_to_metadata of the connection manager that applies to all its routes";

/// Criteria from the rules of `header_to_metadata` that write into `envoy.lb`.
pub(super) fn criteria(
    files: Files<'_>,
    manager: &Place<'_>,
) -> Result<Vec<Value>, Vec<Diagnostic>> {
    let filters = http_filters(files, manager);
    let (mut criteria, mut faults) = (Vec::new(), unknown(files, &filters));
    faults.extend(of_routes(files, manager, &filters)?);
    let copying = filters.iter().filter(|filter| filter.copies_headers());
    for rule in copying
        .filter_map(|filter| filter.config.as_ref())
        .flat_map(|config| config.items("request_rules"))
    {
        let present = rule.field("on_header_present");
        let missing = rule.field("on_header_missing");
        // Without a namespace, Envoy writes into that of the filter.
        let subset = |to: &&Place<'_>| to.text("metadata_namespace") == Some(CRITERIA);
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
fn unknown(files: Files<'_>, filters: &[HttpFilter<'_>]) -> Vec<Diagnostic> {
    let mut faults = Vec::new();
    for filter in filters {
        if filter.copies_headers() && filter.is_off() {
            let what = "rules of a filter that is off, and that routes can turn on";
            faults.push(filter.place.fault(files, what));
        }
        if filter.can_be(&SETTERS) {
            let what = "this filter comes by ECDS, and can set criteria";
            let fault = filter.place.fault(files, what);
            faults.push(fault.expected("the file with its configuration as a further CONFIG"));
        }
        // One that compares metadata can name it, too.
        let reads = filter.copies_headers() || filter.is(".rbac.");
        let config = filter.config.as_ref().filter(|_| !reads);
        if let Some(config) = config.filter(|config| config.any(&|one| names_criteria(one))) {
            let what =
                "this filter can set criteria (envoy.lb), which the filter does not take over";
            faults.push(config.fault(files, what).expected(ONE_SOURCE));
        }
    }
    faults
}

/// Settings of single routes that change which criteria a request has.
fn of_routes(
    files: Files<'_>,
    manager: &Place<'_>,
    filters: &[HttpFilter<'_>],
) -> Result<Vec<Diagnostic>, Vec<Diagnostic>> {
    let copies = |name: &str| {
        let mut copying = filters.iter().filter(|filter| filter.copies_headers());
        copying.any(|filter| filter.name() == Some(name))
    };
    let all = all_per_route(&route_config(files, manager)?).into_iter();
    let changing = all.filter(|(name, settings)| {
        copies(name) || settings.any(&|one| is_rules(one) || names_criteria(one))
    });
    let fault = |(_, settings): (&str, Place<'_>)| {
        let what = "rules of header_to_metadata, or other criteria, for single routes";
        settings.fault(files, what).expected(ONE_SOURCE)
    };
    Ok(changing.map(fault).collect())
}

/// Whether a text names the metadata with criteria, also within a script.
fn names_criteria(place: &Place<'_>) -> bool {
    place
        .value
        .as_str()
        .is_some_and(|text| text.contains(CRITERIA))
}

/// Whether a value is a configuration of `header_to_metadata`.
fn is_rules(place: &Place<'_>) -> bool {
    let url = place.value.get("@type").and_then(Value::as_str);
    url.is_some_and(|url| url.contains(".header_to_metadata."))
}

/// The sessions of `stateful_session` for the filter, and the filter.
pub(super) fn sessions<'v>(
    files: Files<'v>,
    manager: &Place<'v>,
) -> Result<Option<(Value, Place<'v>)>, Vec<Diagnostic>> {
    const KIND: &str = ".stateful_session.";
    let filters = http_filters(files, manager);
    let mut found = filters
        .iter()
        .filter(|filter| filter.is(KIND) || filter.can_be(&[KIND]));
    if let Some(one) = found.clone().find(|filter| filter.is_discovered()) {
        let what = "sessions of a filter that comes by ECDS, so they can change without the filter";
        let fault = one.place.fault(files, what);
        return Err(vec![
            fault.expected("its typed_config in the connection manager"),
        ]);
    }
    if let Some(off) = found.clone().find(|filter| filter.is_off()) {
        let what = "sessions of a filter that is off, and that routes can turn on";
        return Err(vec![off.place.fault(files, what)]);
    }
    let Some(one) = found.next() else {
        return Ok(None);
    };
    let filter = &one.place;
    if found.next().is_some() {
        return Err(vec![filter.fault(files, "sessions of several filters")]);
    }
    let routes = route_config(files, manager)?;
    if let Some(settings) = per_route(&routes, one.name()).first() {
        let what = "sessions that single routes turn off or change; the filter has one affinity";
        return Err(vec![settings.fault(files, what)]);
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
