//! What Envoy needs for `spillgate.wasm`.

use serde_json::{Value, json};
use spillgate_config::Diagnostic;

use super::{
    cluster::Clusters,
    filter::{ADMIN_CLUSTER, KEYS_VARIABLE},
    place::Place,
};
use crate::edit::{Change, EditStep, EditText};

pub(super) const HOST_HEADER: &str = "x-spillgate-host";
pub(super) const CLUSTER_HEADER: &str = "x-spillgate-cluster";

/// The port of an admin interface that the bootstrap does not have yet.
const ADMIN_PORT: u16 = 9901;

/// Labels for the metrics: names and regular expressions.
const STATS_TAGS: [(&str, &str); 4] = [
    (
        "spillgate.cluster",
        r"^wasmcustom\.spillgate\.(?:decisions|health)(\.cluster\.(.+?))\.(?:priority\.|(?:metadata_)?age_ms$|stale$)",
    ),
    (
        "spillgate.priority",
        r"^wasmcustom\.spillgate\.decisions\..+?(\.priority\.(\d+|none))\.",
    ),
    (
        "spillgate.step",
        r"^wasmcustom\.spillgate\.decisions\..+?(\.step\.(\d+|none))\.",
    ),
    (
        "spillgate.reason",
        r"^wasmcustom\.spillgate\.(?:decisions|sessions)\..+(\.reason\.([^.]+))$",
    ),
];

/// The virtual machine of the filter and the poller.
fn vm(file: &str, keys: bool) -> Value {
    let mut vm = json!({
        "vm_id": "spillgate",
        "runtime": "envoy.wasm.runtime.v8",
        "code": {"local": {"filename": file}},
    });
    if let (true, Value::Object(fields)) = (keys, &mut vm) {
        fields.insert(
            "environment_variables".into(),
            json!({"host_env_keys": [KEYS_VARIABLE]}),
        );
    }
    vm
}

/// The HTTP filters: ours, and the one that moves its list into metadata.
pub(super) fn filters(config: &Value, file: &str) -> [Value; 2] {
    let keys = config.get("affinity").is_some();
    [
        json!({"name": "spillgate", "typed_config": {
            "@type": "type.googleapis.com/envoy.extensions.filters.http.wasm.v3.Wasm",
            "config": {
                "name": "spillgate",
                "vm_config": vm(file, keys),
                "failure_policy": "FAIL_RELOAD",
                "configuration": {"@type": "type.googleapis.com/google.protobuf.Struct", "value": config},
            },
        }}),
        json!({"name": "spillgate_host", "typed_config": {
            "@type": "type.googleapis.com/envoy.extensions.filters.http.header_to_metadata.v3.Config",
            "request_rules": [{
                "header": HOST_HEADER,
                "on_header_present": {"metadata_namespace": "spillgate", "key": "host", "type": "STRING"},
                "remove": true,
            }],
        }}),
    ]
}

/// The removal of our headers before any filter runs.
pub(super) fn early_mutation() -> Value {
    json!({"name": "envoy.http.early_header_mutation.header_mutation", "typed_config": {
        "@type": "type.googleapis.com/envoy.extensions.http.early_header_mutation.header_mutation.v3.HeaderMutation",
        "mutations": [{"remove": HOST_HEADER}, {"remove": CLUSTER_HEADER}],
    }})
}

/// The changes outside of the listener.
pub(super) fn bootstrap(
    text: &EditText,
    config: &Value,
    clusters: &Clusters<'_>,
    file: &str,
) -> Result<Vec<Change>, Vec<Diagnostic>> {
    let root = Place::root(text);
    let restricted = ["criteria", "subset_chain", "metadata_match"];
    let restricted = restricted.iter().any(|name| config.get(name).is_some());
    let without_hosts: Vec<&Place<'_>> = clusters
        .owners
        .iter()
        .filter(|owner| owner.text("type").is_some_and(|kind| kind != "STATIC"))
        .collect();
    if restricted {
        let mut faults = Vec::new();
        for owner in &without_hosts {
            if owner.text("type").is_some_and(|kind| kind.ends_with("DNS")) {
                let what = "criteria need the metadata of hosts, which no filter in Wasm can read for DNS hosts; use --form module";
                faults.push(owner.fault(text, what));
            } else if owner.at(&["eds_cluster_config", "service_name"]).is_some() {
                let what = "criteria need the metadata of hosts, which a filter in Wasm does not find under another service_name; use --form module";
                faults.push(owner.fault(text, what));
            }
        }
        if !faults.is_empty() {
            return Err(faults);
        }
    }
    let metadata = restricted && !without_hosts.is_empty();
    let (mut changes, address) = admin(text, metadata)?;
    let targets: Value = clusters
        .owners
        .iter()
        .filter_map(|owner| owner.text("name"))
        .collect();
    let poll = json!({"cluster": ADMIN_CLUSTER, "targets": targets, "interval": "1s"});
    let poller = json!({"name": "envoy.bootstrap.wasm", "typed_config": {
        "@type": "type.googleapis.com/envoy.extensions.wasm.v3.WasmService",
        "singleton": true,
        "config": {
            "name": "spillgate-poller",
            "root_id": "spillgate-poller",
            "vm_config": vm(file, config.get("affinity").is_some()),
            "failure_policy": "FAIL_RELOAD",
            "configuration": {"@type": "type.googleapis.com/google.protobuf.Struct", "value": {"poll": [poll]}},
        },
    }});
    changes.push(add_item(&root, "bootstrap_extensions", poller));
    let tags: Vec<Value> = STATS_TAGS
        .iter()
        .map(|(name, regex)| json!({"tag_name": name, "regex": regex}))
        .collect();
    match root.field("stats_config") {
        None => changes.push(Change::AddEntry(
            Vec::new(),
            "stats_config".into(),
            json!({"stats_tags": tags}),
        )),
        Some(stats) if stats.field("stats_tags").is_none() => {
            changes.push(Change::AddEntry(
                stats.path,
                "stats_tags".into(),
                tags.into(),
            ));
        }
        Some(stats) => changes.extend(
            tags.into_iter()
                .map(|tag| add_item(&stats, "stats_tags", tag)),
        ),
    }
    let cluster = json!({
        "name": ADMIN_CLUSTER,
        "type": "STATIC",
        "connect_timeout": "1s",
        "load_assignment": {"cluster_name": ADMIN_CLUSTER, "endpoints": [
            {"lb_endpoints": [{"endpoint": {"address": address}}]},
        ]},
    });
    if let Some(resources) = root.field("static_resources") {
        changes.push(add_item(&resources, "clusters", cluster));
    }
    Ok(changes)
}

/// The changes of the admin interface, and the address at which the poller reaches it.
fn admin(text: &EditText, metadata: bool) -> Result<(Vec<Change>, Value), Vec<Diagnostic>> {
    let root = Place::root(text);
    let loopback =
        |port: &Value| json!({"socket_address": {"address": "127.0.0.1", "port_value": port}});
    let paths = if metadata {
        "clusters|config_dump"
    } else {
        "clusters"
    };
    let path = json!({"safe_regex": {"regex": format!(r"/({paths})(\?[^#]*)?")}});
    let Some(admin) = root.field("admin") else {
        let address = loopback(&ADMIN_PORT.into());
        let admin = json!({"address": address, "allow_paths": [path]});
        return Ok((
            vec![Change::AddEntry(Vec::new(), "admin".into(), admin)],
            address,
        ));
    };
    let mut changes = Vec::new();
    if let Some(allowed) = admin.field("allow_paths") {
        let written = allowed.value.to_string();
        let suffices =
            written.contains("clusters") && (!metadata || written.contains("config_dump"));
        if !suffices {
            changes.push(add_item(&admin, "allow_paths", path));
        }
    }
    let Some(address) = admin.field("address") else {
        return Err(vec![
            admin.fault(text, "the admin interface has no address"),
        ]);
    };
    let socket = address.field("socket_address");
    let Some(socket) = socket else {
        return Ok((changes, address.value.clone()));
    };
    match (socket.text("address"), socket.field("port_value")) {
        (Some(ip), Some(port)) if port.value != &json!(0) => Ok(match ip {
            "0.0.0.0" | "::" => (changes, loopback(port.value)),
            ip => (
                changes,
                json!({"socket_address": {"address": ip, "port_value": port.value}}),
            ),
        }),
        _ => Err(vec![address.fault(
            text,
            "the poller needs an admin interface with a fixed port",
        )]),
    }
}

/// Adds an item to a list, or the list.
pub(super) fn add_item(map: &Place<'_>, name: &str, item: Value) -> Change {
    match map.field(name) {
        Some(list) if list.value.as_array().is_some_and(|items| !items.is_empty()) => {
            Change::AddItem(list.path, usize::MAX, item)
        }
        Some(list) => match list.path.split_last() {
            Some((EditStep::Key(key), path)) => {
                Change::ReplaceEntry(path.to_vec(), key.clone(), key.clone(), json!([item]))
            }
            _ => Change::AddItem(list.path, 0, item),
        },
        None => Change::AddEntry(map.path.clone(), name.to_owned(), json!([item])),
    }
}
