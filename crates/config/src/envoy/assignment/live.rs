//! Endpoint assignments of a running Envoy: extracted by the poller, read by all workers.

use alloc::{string::String, vec::Vec};

use spillgate_core::model::Priority;

use super::{endpoint::EndpointContext, read::read_assignment};
use crate::{
    Diagnostic, Position,
    envoy::{marks::ClusterMarks, schema::LOAD_ASSIGNMENT},
    node::{NodeValue, Writer, read_json, write},
    proto::{Message, Path, Report, TextOrigin},
};

/// Changes with every poll and is part of `/clusters`.
const HEALTH: &str = "health_status";

/// Extracts the assignments from a response of `/config_dump?include_eds&resource=...`: cluster
/// name and message as JSON, without the health of endpoints.
///
/// # Errors
/// If the response is not JSON or has no list of configurations.
/// When the answer is no JSON, or has no list of configurations.
///
/// # Examples
/// ```
/// use spillgate_config::envoy::{cut_assignments, read_priorities};
///
/// let answer = r#"{"configs": [{"endpoint_config": {"cluster_name": "shop", "endpoints": [
///     {"priority": 1, "lb_endpoints": []}]}}]}"#;
/// let assignments = cut_assignments(answer)?;
/// let (cluster, json) = &assignments[0];
/// assert_eq!(cluster, "shop");
/// assert_eq!(read_priorities(json, false)?.len(), 2);
/// # Ok::<(), Vec<spillgate_config::Diagnostic>>(())
/// ```
pub fn cut_assignments(text: &str) -> Result<Vec<(String, String)>, Vec<Diagnostic>> {
    let document = read_json(text).map_err(|fault| Vec::from([fault]))?;
    // An empty response is an empty object.
    let configs = document.roots.first().and_then(|root| root.get("configs"));
    let configs = match configs.map(|node| &node.value) {
        None => &[],
        Some(NodeValue::List(configs)) => configs.as_slice(),
        Some(_) => {
            let fault =
                Diagnostic::error("config/type", "wrong type").at("configs", Position::START);
            return Err(Vec::from([fault.expected("a list")]));
        }
    };
    let assignments = configs
        .iter()
        .filter_map(|config| config.get("endpoint_config"));
    Ok(assignments
        .filter_map(|assignment| {
            let NodeValue::String(name) = &assignment.get("cluster_name")?.value else {
                return None;
            };
            let mut json = Writer::new();
            // `/clusters` reports the health of hosts.
            write(assignment, &mut json, &|entry| entry.key.name != HEALTH);
            Some((name.as_ref().into(), json.finish()))
        })
        .collect())
}

/// Reads the priorities of one assignment of a running Envoy; `hashes`: whether the cluster's
/// policy hashes.
///
/// # Errors
/// Every fault in text order; for a syntax error only that one.
pub fn read_priorities(json: &str, hashes: bool) -> Result<Vec<Priority>, Vec<Diagnostic>> {
    let document = read_json(json).map_err(|fault| Vec::from([fault]))?;
    let mut report = Report::default();
    report.found_origin(TextOrigin::DumpWithHosts);
    let root = document.roots.first();
    let message =
        root.and_then(|root| Message::open(root, Path::root(), &LOAD_ASSIGNMENT, &mut report));
    let priorities = message.map(|message| {
        let context = EndpointContext {
            names: false,
            hash_hostname: false,
            hashes,
            once: false,
            one_host: false,
        };
        let mut marks = ClusterMarks::new(Position::START);
        read_assignment(&message, context, &mut marks, &mut report).priorities
    });
    report.finish().map(|_| priorities.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use alloc::format;

    use super::*;

    const ANSWER: &str = r#"{"configs": [
      {"@type": "type.googleapis.com/envoy.admin.v3.EndpointsConfigDump.StaticEndpointConfig",
       "endpoint_config": {"cluster_name": "shop", "endpoints": [{"locality": {"zone": "a"},
         "load_balancing_weight": 3, "lb_endpoints": [
          {"endpoint": {"address": {"socket_address": {"address": "10.0.0.1", "port_value": 80}}},
           "health_status": "UNHEALTHY",
           "metadata": {"filter_metadata": {"envoy.lb": {"stage": "prod", "n": 1.5}}}}]}]}}]}"#;

    #[test]
    fn an_assignment_is_extracted_without_health() {
        let cut = cut_assignments(ANSWER).unwrap();
        let [(name, json)] = cut.as_slice() else {
            panic!("{cut:?}");
        };
        assert_eq!(name, "shop");
        assert!(!json.contains("UNHEALTHY"));
        let priorities = read_priorities(json, false).unwrap();
        let endpoint = &priorities[0].endpoints[0];
        assert_eq!(endpoint.address, "10.0.0.1:80");
        assert_eq!(format!("{}", endpoint.metadata), "n=1.5, stage=prod");
        assert_eq!(priorities[0].localities[0].weight, Some(3));
    }

    #[test]
    fn a_response_without_endpoints_has_no_assignments() {
        assert_eq!(cut_assignments("{}").unwrap(), []);
        assert_eq!(cut_assignments("{\"configs\": [{}, 1]}").unwrap(), []);
        assert!(cut_assignments("{\"configs\": 1}").is_err());
        assert!(cut_assignments("<html>").is_err());
    }
}
