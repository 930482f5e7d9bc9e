//! The admin interface, from which the Wasm filter reads its hosts.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use spillgate_config::{Diagnostic, envoy::RegexCompiler};
use spillgate_core::route::{Pattern, StringMatch, TextMatch};

use super::{
    files::{Edit, Files},
    place::Place,
};

/// The first port to try for an admin interface that the bootstrap does not have yet.
const FIRST_PORT: u16 = 9901;

/// What the poller reads.
const CLUSTERS: &str = "/clusters?filter=.";
const METADATA: [&str; 2] = [
    "/config_dump?include_eds&resource=dynamic_endpoint_configs&name_regex=.",
    "/config_dump?include_eds&resource=static_endpoint_configs&name_regex=.",
];

/// How the poller reaches the admin interface.
#[derive(Debug)]
pub(super) struct AdminAccess {
    /// The address as an endpoint.
    pub(super) address: Value,
    /// The changes of the interface.
    pub(super) edits: Vec<Edit>,
    /// The address of a new interface.
    pub(super) added: Option<String>,
}

/// The access to the admin interface; `metadata`: also to the metadata of hosts.
pub(super) fn access(
    files: Files<'_>,
    bootstrap: &Place<'_>,
    metadata: bool,
    regex: Option<RegexCompiler>,
) -> Result<AdminAccess, Vec<Diagnostic>> {
    let Some(admin) = bootstrap
        .field("admin")
        .filter(|admin| !admin.value.is_null())
    else {
        return Ok(added(files, bootstrap, metadata));
    };
    let mut edits = Vec::new();
    let allowed = admin.items("allow_paths");
    if !allowed.is_empty() {
        let matchers: Vec<StringMatch> = allowed
            .iter()
            .filter_map(|one| matcher(one, regex))
            .collect();
        let is_allowed = |path: &str| matchers.iter().any(|one| one.matches(path.as_bytes()));
        let clusters = !is_allowed(CLUSTERS);
        let metadata = metadata && !METADATA.iter().all(|path| is_allowed(path));
        edits.extend(
            allow(clusters, metadata).map(|path| admin.add_item("allow_paths", None, path)),
        );
    }
    let Some(address) = admin.field("address") else {
        let what = "the admin interface has no address, so the poller cannot reach it";
        return Err(vec![admin.fault(files, what)]);
    };
    let address = match address.field("socket_address") {
        None => address.value.clone(),
        Some(socket) => match (socket.text("address"), socket.field("port_value")) {
            (Some(ip), Some(port)) if port.value != &json!(0) => {
                let ip = match ip {
                    "0.0.0.0" => "127.0.0.1",
                    "::" => "::1",
                    ip => ip,
                };
                json!({"socket_address": {"address": ip, "port_value": port.value}})
            }
            _ => {
                let what = "the poller needs an admin interface with a fixed port";
                return Err(vec![address.fault(files, what)]);
            }
        },
    };
    Ok(AdminAccess {
        address,
        edits,
        added: None,
    })
}

/// A new admin interface: on loopback, only with the paths of the poller.
fn added(files: Files<'_>, bootstrap: &Place<'_>, metadata: bool) -> AdminAccess {
    let used = ports(files);
    let port = (FIRST_PORT..u16::MAX)
        .find(|port| !used.contains(&u64::from(*port)))
        .unwrap_or(FIRST_PORT);
    let address = json!({"socket_address": {"address": "127.0.0.1", "port_value": port}});
    let paths: Vec<Value> = allow(true, metadata).into_iter().collect();
    let admin = json!({"address": address, "allow_paths": paths});
    let edit = match bootstrap.key("admin") {
        Some(key) => bootstrap.replace_entry(&key, &key, admin),
        None => bootstrap.add_entry("admin", admin),
    };
    AdminAccess {
        address,
        edits: vec![edit],
        added: Some(format!("127.0.0.1:{port}")),
    }
}

/// A condition for the paths that are missing; `None` if none is.
fn allow(clusters: bool, metadata: bool) -> Option<Value> {
    let paths = match (clusters, metadata) {
        (true, true) => "(clusters|config_dump)",
        (true, false) => "clusters",
        (false, true) => "config_dump",
        (false, false) => return None,
    };
    Some(json!({"safe_regex": {"regex": format!(r"/{paths}(\?[^#]*)?")}}))
}

/// Whether a condition is one that `adopt` adds.
pub(super) fn is_condition(place: &Place<'_>) -> bool {
    let forms = [(true, true), (true, false), (false, true)];
    forms
        .iter()
        .any(|(clusters, metadata)| allow(*clusters, *metadata).as_ref() == Some(place.value))
}

/// A condition of `allow_paths`, as Envoy compares it with the path and its query.
fn matcher(place: &Place<'_>, regex: Option<RegexCompiler>) -> Option<StringMatch> {
    let ignore_case = place.field("ignore_case").map(|own| own.value) == Some(&Value::Bool(true));
    let of_text = |name: &str| place.text(name).map(str::to_owned);
    let text = of_text("exact")
        .map(TextMatch::Exact)
        .or_else(|| of_text("prefix").map(TextMatch::Prefix))
        .or_else(|| of_text("suffix").map(TextMatch::Suffix))
        .or_else(|| of_text("contains").map(TextMatch::Contains))
        .or_else(|| {
            let expression = place.field("safe_regex")?;
            let source = expression.text("regex")?;
            Some(TextMatch::Regex(Pattern::new(source, regex?(source).ok()?)))
        })?;
    Some(StringMatch { text, ignore_case })
}

/// All ports that the files name, of listeners and of hosts.
fn ports(files: Files<'_>) -> BTreeSet<u64> {
    let mut ports = BTreeSet::new();
    let mut open: Vec<Place<'_>> = files.roots().collect();
    while let Some(place) = open.pop() {
        for (key, inner) in place.children() {
            match (key, inner.value.as_u64()) {
                ("port_value" | "portValue", Some(port)) => {
                    ports.insert(port);
                }
                _ => open.push(inner),
            }
        }
    }
    ports
}
