//! What Envoy needs for `spillgate.wasm`.

use serde_json::{Value, json};
pub(crate) use spillgate_config::filter::{
    DEFAULT_CLUSTER_HEADER as CLUSTER_HEADER, DEFAULT_HOST_HEADER as HOST_HEADER,
};
use spillgate_config::{Diagnostic, envoy::RegexCompiler};

use super::{
    admin::{self, AdminAccess},
    cluster::Clusters,
    files::{Edit, Files},
    filter::{ADMIN_CLUSTER, KEYS_VARIABLE},
    place::Place,
    stats,
};

/// The name of the filter in the connection manager, in both forms.
pub(super) const FILTER: &str = "spillgate";
/// The name of the filter that moves the list into metadata.
pub(super) const LIST_FILTER: &str = "spillgate_host";

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
pub(crate) fn filters(config: &Value, file: &str) -> [Value; 2] {
    let keys = config.get("affinity").is_some();
    [
        json!({"name": FILTER, "typed_config": {
            "@type": "type.googleapis.com/envoy.extensions.filters.http.wasm.v3.Wasm",
            "config": {
                "name": "spillgate",
                "vm_config": vm(file, keys),
                "failure_policy": "FAIL_RELOAD",
                "configuration": {"@type": "type.googleapis.com/google.protobuf.Struct", "value": config},
            },
        }}),
        list_to_metadata(&[("host", HOST_HEADER)]),
    ]
}

/// The filter that moves headers of the filter into metadata of these names.
pub(crate) fn list_to_metadata(moved: &[(&str, &str)]) -> Value {
    let rules = moved.iter().map(|(key, header)| {
        json!({
            "header": header,
            "on_header_present": {"metadata_namespace": "spillgate", "key": key, "type": "STRING"},
            "remove": true,
        })
    });
    json!({"name": LIST_FILTER, "typed_config": {
        "@type": "type.googleapis.com/envoy.extensions.filters.http.header_to_metadata.v3.Config",
        "request_rules": rules.collect::<Value>(),
    }})
}

/// The removal of our headers before any filter runs.
pub(crate) fn early_mutation() -> Value {
    json!({"name": "envoy.http.early_header_mutation.header_mutation", "typed_config": {
        "@type": "type.googleapis.com/envoy.extensions.http.early_header_mutation.header_mutation.v3.HeaderMutation",
        "mutations": [{"remove": HOST_HEADER}, {"remove": CLUSTER_HEADER}],
    }})
}

/// The changes of the bootstrap.
#[derive(Debug)]
pub(super) struct WasmBootstrap {
    pub(super) edits: Vec<Edit>,
    /// The address of an admin interface that the bootstrap did not have.
    pub(super) admin: Option<String>,
}

/// The poller, its access to the admin interface, and labels for the metrics.
pub(super) fn bootstrap(
    files: Files<'_>,
    root: &Place<'_>,
    clusters: &Clusters<'_>,
    config: &Value,
    (file, regex): (&str, Option<RegexCompiler>),
) -> Result<WasmBootstrap, Vec<Diagnostic>> {
    let metadata = needs_metadata(files, clusters, config)?;
    let AdminAccess {
        address,
        mut edits,
        added,
    } = admin::access(files, root, metadata, regex)?;
    let names = clusters
        .owners
        .iter()
        .filter_map(|owner| owner.text("name"));
    edits.extend(poller(
        root,
        names.collect(),
        vm(file, config.get("affinity").is_some()),
    ));
    edits.extend(stats::visible(root, &stats::WASM));
    let cluster = admin_cluster(&address);
    let resources = root.field("static_resources");
    let present = resources
        .as_ref()
        .map_or_else(Vec::new, |own| own.items("clusters"));
    // Another listener is steered already.
    let is_there = present
        .iter()
        .any(|one| one.text("name") == Some(ADMIN_CLUSTER));
    match resources {
        _ if is_there => {}
        Some(resources) => edits.push(resources.add_item("clusters", None, cluster)),
        None => edits.push(root.add_entry("static_resources", json!({"clusters": [cluster]}))),
    }
    Ok(WasmBootstrap {
        edits,
        admin: added,
    })
}

/// The cluster that reaches the admin interface at an address.
pub(crate) fn admin_cluster(address: &Value) -> Value {
    json!({
        "name": ADMIN_CLUSTER,
        "type": "STATIC",
        "connect_timeout": "1s",
        "load_assignment": {"cluster_name": ADMIN_CLUSTER, "endpoints": [
            {"lb_endpoints": [{"endpoint": {"address": address}}]},
        ]},
    })
}

/// The configuration of a poller in the bootstrap.
fn present_poller<'v>(root: &Place<'v>) -> Option<Place<'v>> {
    let mut extensions = root.items("bootstrap_extensions").into_iter();
    extensions.find_map(|one| {
        let config = one.at(&["typed_config", "config"])?;
        (config.text("root_id") == Some("spillgate-poller")).then_some(config)
    })
}

/// Whether a bootstrap has a poller.
pub(super) fn has_poller(root: &Place<'_>) -> bool {
    present_poller(root).is_some()
}

/// The poller of these clusters; those that another listener's poller lacks.
fn poller(root: &Place<'_>, names: Vec<&str>, vm: Value) -> Vec<Edit> {
    let polls = present_poller(root).and_then(|config| config.at(&["configuration", "value"]));
    let poll = polls.and_then(|polls| polls.items("poll").into_iter().next());
    if let Some(poll) = poll {
        let polled = poll.items("targets");
        let is_new = |name: &&str| !polled.iter().any(|one| one.value.as_str() == Some(name));
        let new = names.into_iter().filter(is_new);
        return new
            .map(|name| poll.add_item("targets", None, name.into()))
            .collect();
    }
    let poll = json!({"cluster": ADMIN_CLUSTER, "targets": names, "interval": "1s"});
    let poller = json!({"name": "envoy.bootstrap.wasm", "typed_config": {
        "@type": "type.googleapis.com/envoy.extensions.wasm.v3.WasmService",
        "singleton": true,
        "config": {
            "name": "spillgate-poller",
            "root_id": "spillgate-poller",
            "vm_config": vm,
            "failure_policy": "FAIL_RELOAD",
            "configuration": {"@type": "type.googleapis.com/google.protobuf.Struct", "value": {"poll": [poll]}},
        },
    }});
    vec![root.add_item("bootstrap_extensions", None, poller)]
}

/// Whether the filter reads the metadata of hosts from the admin interface.
fn needs_metadata(
    files: Files<'_>,
    clusters: &Clusters<'_>,
    config: &Value,
) -> Result<bool, Vec<Diagnostic>> {
    let restricted = ["criteria", "subset_chain", "metadata_match"];
    if !restricted.iter().any(|name| config.get(name).is_some()) {
        return Ok(false);
    }
    let mut needed = false;
    let mut faults = Vec::new();
    for owner in &clusters.owners {
        let kind = owner.text("type").unwrap_or("STATIC");
        needed |= kind != "STATIC";
        if kind.ends_with("DNS") {
            let what = "criteria need the metadata of hosts, which no filter in Wasm can read for DNS hosts; use --form module";
            faults.push(owner.fault(files, what));
        } else if owner
            .at(&["eds_cluster_config", "service_name"])
            .is_some_and(|service| service.value.as_str() != owner.text("name"))
        {
            let what = "criteria need the metadata of hosts, which a filter in Wasm does not find under another service_name; use --form module";
            faults.push(owner.fault(files, what));
        }
    }
    if faults.is_empty() {
        Ok(needed)
    } else {
        Err(faults)
    }
}
