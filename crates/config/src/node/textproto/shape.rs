//! From fields to the tree that JSON of the same message has.

use alloc::{borrow::Cow, vec::Vec};

use crate::node::{Entry, Key, Node, NodeValue};

/// Fields that are maps: each occurrence is an entry with `key` and `value`.
const MAPS: [&str; 7] = [
    "extension_protocol_options",
    "fields",
    "filter_metadata",
    "named_endpoints",
    "typed_extension_protocol_options",
    "typed_filter_metadata",
    "typed_per_filter_config",
];
/// Repeated fields: a single one is a list, too. The names of others are also those of single fields.
const LISTS: [&str; 63] = [
    "access_log",
    "additional_addresses",
    "alpn_protocols",
    "application_protocols",
    "cluster_names",
    "cluster_statuses",
    "clusters",
    "configs",
    "cookies",
    "direct_source_prefix_ranges",
    "domains",
    "drop_overloads",
    "dynamic_active_clusters",
    "dynamic_endpoint_configs",
    "dynamic_listeners",
    "dynamic_route_configs",
    "dynamic_warming_clusters",
    "early_header_mutation_extensions",
    "endpoints",
    "expected_statuses",
    "fallback_keys_subset",
    "filter_chains",
    "filters",
    "hash_policy",
    "headers",
    "health_checks",
    "host_statuses",
    "http_filters",
    "keys",
    "layers",
    "lb_endpoints",
    "listener_filters",
    "listeners",
    "metric_names_for_computing_utilization",
    "policies",
    "prefix_ranges",
    "priority_groups",
    "query_parameters",
    "request_headers_to_add",
    "request_headers_to_remove",
    "request_mirror_policies",
    "resources",
    "response_headers_to_add",
    "response_headers_to_remove",
    "retriable_headers",
    "retriable_request_headers",
    "retriable_status_codes",
    "retry_host_predicate",
    "retry_options_predicates",
    "routes",
    "server_names",
    "source_ports",
    "source_prefix_ranges",
    "static_clusters",
    "static_endpoint_configs",
    "static_listeners",
    "static_route_configs",
    "statuses",
    "subset_selectors",
    "thresholds",
    "transport_socket_matches",
    "upgrade_configs",
    "virtual_hosts",
];
/// Messages with only a number `value`, which JSON writes as a message: all other such messages are wrappers.
const PERCENTS: [&str; 9] = [
    "budget_percent",
    "client_sampling",
    "default_value",
    "healthy_panic_threshold",
    "min_weight_percent",
    "overall_sampling",
    "percentage",
    "random_sampling",
    "routing_enabled",
];

/// The fields of a message, each once: the occurrences of a repeated field are a list, those of a map an
/// object.
pub(super) fn repeated<'a>(found: Vec<(Key<'a>, Vec<Node<'a>>)>) -> Vec<Entry<'a>> {
    let mut fields: Vec<(Key<'a>, Vec<Node<'a>>, bool)> = Vec::new();
    let mut places = alloc::collections::BTreeMap::new();
    for (key, values) in found {
        let listed = values.len() != 1;
        match places
            .get(&key.name)
            .and_then(|at: &usize| fields.get_mut(*at))
        {
            Some((_, known, is_list)) => {
                known.extend(values);
                *is_list = true;
            }
            None => {
                places.insert(key.name.clone(), fields.len());
                fields.push((key, values, listed));
            }
        }
    }
    let entries = fields.into_iter().map(|(key, mut values, listed)| {
        // The path of a metadata key is a list of messages.
        let of_key = |value: &Node<'_>| value.get("key").is_some();
        let is_list = listed
            || LISTS.contains(&key.name.as_ref())
            || (key.name == "path" && values.iter().all(of_key));
        let position = values.first().map_or(key.position, |first| first.position);
        let value = if MAPS.contains(&key.name.as_ref()) {
            NodeValue::Map(values.into_iter().filter_map(entry).collect())
        } else {
            match (is_list, values.len()) {
                (false, 1) => values.pop().map_or(NodeValue::Null, |only| only.value),
                _ => NodeValue::List(values),
            }
        };
        Entry {
            key,
            node: Node { value, position },
        }
    });
    entries.collect()
}

/// An entry of a map; `None` without a readable key.
fn entry(of: Node<'_>) -> Option<Entry<'_>> {
    let NodeValue::Map(fields) = of.value else {
        return None;
    };
    let mut key = None;
    let mut value = None;
    for field in fields {
        match (field.key.name.as_ref(), field.node.value) {
            ("key", NodeValue::String(name)) => {
                key = Some(Key {
                    name,
                    position: field.node.position,
                });
            }
            ("value", of_value) => {
                value = Some(Node {
                    value: of_value,
                    position: field.node.position,
                });
            }
            _ => {}
        }
    }
    let key = key?;
    Some(Entry {
        node: value.unwrap_or(Node {
            value: NodeValue::Map(Vec::new()),
            position: of.position,
        }),
        key,
    })
}

/// The value of a field with a message.
pub(super) fn message<'a>(name: &str, mut entries: Vec<Entry<'a>>) -> NodeValue<'a> {
    if let [only] = entries.as_slice() {
        let is_any = only.key.name.starts_with('[');
        let unwraps = match (only.key.name.as_ref(), &only.node.value) {
            ("value", NodeValue::Bool(_) | NodeValue::String(_)) => name != "fields",
            ("value", NodeValue::Int(_) | NodeValue::Uint(_) | NodeValue::Decimal(_)) => {
                !PERCENTS.contains(&name)
            }
            // google.protobuf.Struct and Value.
            ("fields" | "struct_value", NodeValue::Map(_)) => true,
            ("string_value" | "number_value" | "bool_value", _) => is_of_struct(name),
            ("list_value", NodeValue::Map(_)) => is_of_struct(name),
            ("null_value", _) => is_of_struct(name),
            _ => false,
        };
        if is_any || unwraps {
            let Some(only) = entries.pop() else {
                return NodeValue::Map(entries);
            };
            return if is_any { any(only) } else { unwrapped(only) };
        }
    }
    NodeValue::Map(entries)
}

/// Whether a message with this name can be a value of a `Struct`: in an entry of a map, or in a list.
fn is_of_struct(name: &str) -> bool {
    matches!(name, "value" | "values")
}

fn unwrapped(only: Entry<'_>) -> NodeValue<'_> {
    match (only.key.name.as_ref(), only.node.value) {
        ("null_value", _) => NodeValue::Null,
        ("list_value", NodeValue::Map(entries)) => {
            let values = entries.into_iter().find(|of| of.key.name == "values");
            match values.map(|of| of.node.value) {
                Some(NodeValue::List(values)) => NodeValue::List(values),
                Some(value) => NodeValue::List(alloc::vec![Node {
                    value,
                    position: only.node.position,
                }]),
                None => NodeValue::List(Vec::new()),
            }
        }
        (_, value) => value,
    }
}

/// `[type.googleapis.com/NAME] { ... }` as an object with `@type`.
fn any(only: Entry<'_>) -> NodeValue<'_> {
    let name = only.key.name.trim_matches(['[', ']']);
    let url = Entry {
        key: Key {
            name: Cow::Borrowed("@type"),
            position: only.key.position,
        },
        node: Node {
            value: NodeValue::String(Cow::Owned(name.into())),
            position: only.key.position,
        },
    };
    let mut entries = alloc::vec![url];
    match only.node.value {
        NodeValue::Map(fields) => entries.extend(fields),
        // A type whose JSON is no object, such as a wrapper.
        value => entries.push(Entry {
            key: Key {
                name: Cow::Borrowed("value"),
                position: only.node.position,
            },
            node: Node {
                value,
                position: only.node.position,
            },
        }),
    }
    NodeValue::Map(entries)
}
