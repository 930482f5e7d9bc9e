//! The vector of a rule, changed.

use serde_json::{Value, json};
use spillgate_lint::{Finding, Severity};

use super::{lint_json, vectors};

/// The findings of a rule in its vector, changed.
pub(crate) fn findings(rule: &str, change: impl FnOnce(&mut Value)) -> Vec<Finding> {
    let vector = vectors().into_iter().find(|vector| vector.rule == rule);
    let mut config = vector.unwrap().json().unwrap();
    change(&mut config);
    let found = lint_json(&config).into_iter();
    found.filter(|finding| finding.rule == rule).collect()
}

pub(crate) fn flagged(rule: &str, change: impl FnOnce(&mut Value)) -> bool {
    !findings(rule, change).is_empty()
}

/// The severity of the only finding.
pub(crate) fn severity(rule: &str, change: impl FnOnce(&mut Value)) -> Severity {
    let found = findings(rule, change);
    assert_eq!(found.len(), 1, "{found:#?}");
    found[0].severity
}

pub(crate) fn cluster(config: &mut Value) -> &mut Value {
    &mut config["static_resources"]["clusters"][0]
}

pub(crate) fn entries(config: &mut Value) -> &mut Value {
    &mut cluster(config)["load_assignment"]["endpoints"]
}

pub(crate) fn routes(config: &mut Value) -> &mut Value {
    let routes = "/static_resources/listeners/0/filter_chains/0/filters/0/typed_config/route_config\
                  /virtual_hosts/0/routes";
    config.pointer_mut(routes).unwrap()
}

pub(crate) fn endpoint(port: u16) -> Value {
    json!({"endpoint": {"address": {"socket_address": {"address": "127.0.0.1", "port_value": port}}}})
}
