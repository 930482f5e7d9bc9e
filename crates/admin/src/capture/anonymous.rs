//! Replaces addresses and names by generated ones, the same value always by the same replacement.

use std::{
    collections::HashMap,
    net::{IpAddr, Ipv4Addr},
};

use serde_json::{Map, Value};

use super::walk::{each_object, in_text};

/// Messages whose `name` is a name of the proxy's owner, by the field that contains them, with the
/// beginning of the replacement.
const NAMED: [(&str, &str); 9] = [
    ("cluster", "cluster"),
    ("clusters", "cluster"),
    ("cluster_statuses", "cluster"),
    ("static_clusters", "cluster"),
    ("listener", "listener"),
    ("dynamic_listeners", "listener"),
    ("route_config", "routes"),
    ("virtual_hosts", "virtual-host"),
    ("routes", "route"),
];

/// Fields that contain such names.
const NAMES: [(&str, &str); 5] = [
    ("cluster_name", "cluster"),
    ("service_name", "cluster"),
    ("local_cluster_name", "cluster"),
    ("route_config_name", "routes"),
    ("stat_prefix", "statistics"),
];

/// Fields in which equal texts are not names: routing and subsets compare them with requests.
const KEPT: [&str; 9] = [
    "@type",
    "criteria",
    "filter_metadata",
    "headers",
    "locality",
    "metadata",
    "metadata_match",
    "subset_chain",
    "typed_filter_metadata",
];

/// Fields with names, paths of files and certificates. Only `hash_key` affects decisions: without it, the hash policies use
/// the address of a host.
const OMITTED: [&str; 8] = [
    "access_log",
    "alt_stat_name",
    "common_tls_context",
    "hash_key",
    "observability_name",
    "path_config_source",
    "transport_socket",
    "version_info",
];

/// The network of generated addresses, which no real host uses (RFC 2544).
const FIRST: Ipv4Addr = Ipv4Addr::new(198, 18, 0, 0);

/// Generated addresses and names by the original ones.
#[derive(Debug, Default)]
struct Replacements {
    names: HashMap<String, String>,
    hosts: HashMap<String, String>,
    domains: HashMap<String, String>,
}

/// Replaces, in a whole capture, addresses, host names and domains, and the names of clusters, listeners and
/// routes. Metadata, localities, header names, paths and settings stay.
pub(super) fn rename(captured: &mut Value) {
    let mut replacements = Replacements::default();
    each_object(captured, &mut |fields| {
        fields.retain(|field, _| !OMITTED.contains(&field.as_str()));
        replacements.collect(fields);
    });
    replacements.apply(captured);
}

impl Replacements {
    /// Chooses the replacements of the names in an object.
    fn collect(&mut self, fields: &Map<String, Value>) {
        for (field, value) in fields {
            let kind = |table: &[(&str, &'static str)]| {
                let found = table.iter().find(|(name, _)| *name == field);
                found.map(|(_, kind)| *kind)
            };
            if let (Some(kind), Value::String(name)) = (kind(&NAMES), value) {
                self.name(name, kind);
            }
            if let Some(kind) = kind(&NAMED) {
                let items = value
                    .as_array()
                    .map_or(std::slice::from_ref(value), Vec::as_slice);
                for item in items {
                    if let Some(name) = item.get("name").and_then(Value::as_str) {
                        self.name(name, kind);
                    }
                }
            }
        }
    }

    fn name(&mut self, name: &str, kind: &str) {
        let next = self.names.len() + 1;
        if !name.is_empty() {
            self.names
                .entry(name.to_owned())
                .or_insert_with(|| format!("{kind}-{next}"));
        }
    }

    fn apply(&mut self, value: &mut Value) {
        match value {
            Value::Object(fields) => {
                self.runtime_keys(fields);
                for (field, value) in fields {
                    if !KEPT.contains(&field.as_str()) {
                        self.field(field, value);
                    }
                }
            }
            Value::Array(items) => items.iter_mut().for_each(|item| self.apply(item)),
            Value::String(text) => {
                if let Some(name) = self.names.get(text.as_str()) {
                    text.clone_from(name);
                } else {
                    in_text(text, |inner| self.apply(inner));
                }
            }
            _ => {}
        }
    }

    /// Replaces the names of clusters in runtime keys, such as `upstream.maintenance_mode.CLUSTER`.
    fn runtime_keys(&self, fields: &mut Map<String, Value>) {
        if !fields.contains_key("layers") {
            return;
        }
        let Some(Value::Object(entries)) = fields.get_mut("entries") else {
            return;
        };
        let entries = std::mem::take(entries)
            .into_iter()
            .map(|(key, value)| {
                let names = self
                    .names
                    .iter()
                    .filter(|(name, _)| key.ends_with(&format!(".{name}")));
                match names.max_by_key(|(name, _)| name.len()) {
                    Some((name, new)) => {
                        let prefix = key.strip_suffix(name.as_str()).unwrap_or_default();
                        (format!("{prefix}{new}"), value)
                    }
                    None => (key, value),
                }
            })
            .collect();
        fields.insert("entries".to_owned(), Value::Object(entries));
    }

    fn field(&mut self, field: &str, value: &mut Value) {
        match (field, &mut *value) {
            ("address" | "hostname" | "host_rewrite_literal" | "sni", Value::String(host)) => {
                *host = self.host(host);
            }
            ("pipe", Value::Object(pipe)) => {
                if let Some(Value::String(path)) = pipe.get_mut("path") {
                    *path = format!("/{}", self.host(path));
                }
            }
            ("domains", Value::Array(domains)) => {
                for domain in domains {
                    if let Value::String(domain) = domain {
                        *domain = self.domain(domain);
                    }
                }
            }
            // A path or a runtime key can equal a name.
            ("prefix" | "path" | "runtime_key" | "runtime_key_prefix", Value::String(_)) => {}
            _ => self.apply(value),
        }
    }

    /// The replacement of an IP address or host name. Addresses of all hosts stay as such.
    fn host(&mut self, host: &str) -> String {
        if host.is_empty() {
            return String::new();
        }
        let next = self.hosts.len() + 1;
        let is_address = host.parse::<IpAddr>().is_ok();
        let replacement = || match (is_address, u32::try_from(next)) {
            (true, Ok(next)) => Ipv4Addr::from(FIRST.to_bits().saturating_add(next)).to_string(),
            _ => format!("host-{next}.example"),
        };
        self.hosts
            .entry(host.to_owned())
            .or_insert_with(replacement)
            .clone()
    }

    /// The replacement of a domain of a virtual host, with its wildcard and port.
    fn domain(&mut self, domain: &str) -> String {
        if domain == "*" {
            return domain.to_owned();
        }
        let (name, port) = match domain.rsplit_once(':') {
            Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => {
                (name, Some(port))
            }
            _ => (domain, None),
        };
        let (wildcard, name) = match name.strip_prefix("*.") {
            Some(rest) => ("*.", rest),
            None => ("", name),
        };
        let next = self.domains.len() + 1;
        let name = self
            .domains
            .entry(name.to_owned())
            .or_insert_with(|| format!("domain-{next}.example"));
        let port = port.map_or_else(String::new, |port| format!(":{port}"));
        format!("{wildcard}{name}{port}")
    }
}
