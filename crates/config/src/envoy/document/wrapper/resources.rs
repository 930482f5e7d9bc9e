//! Resources by xDS: discovery responses, the files of `path_config_source`, resources by their
//! kind or type, Kuma's inspect API.

use super::{Part, Parts};
use crate::{envoy::document::kind::MessageKind, node::NodeValue, proto::Report};

/// The prefix of type URLs.
const TYPE_URL: &str = "type.googleapis.com/";

/// The type of scoped routes, which are not read.
const SCOPED_ROUTES: &str = "envoy.config.route.v3.ScopedRouteConfiguration";

/// The lists of resources by kind, as control planes print their snapshots.
const LISTS: [(&str, MessageKind, &str); 13] = [
    ("clusters", MessageKind::Cluster, "Cluster"),
    (
        "endpoints",
        MessageKind::Assignment,
        "ClusterLoadAssignment",
    ),
    (
        "load_assignments",
        MessageKind::Assignment,
        "ClusterLoadAssignment",
    ),
    ("listeners", MessageKind::Listener, "Listener"),
    ("routes", MessageKind::Routes, "RouteConfiguration"),
    ("routers", MessageKind::Routes, "RouteConfiguration"),
    ("route_configs", MessageKind::Routes, "RouteConfiguration"),
    (
        "route_configurations",
        MessageKind::Routes,
        "RouteConfiguration",
    ),
    ("secrets", MessageKind::Unrelated, "Secret"),
    ("runtimes", MessageKind::Unrelated, "Runtime"),
    ("runtime", MessageKind::Unrelated, "Runtime"),
    ("scoped_routes", MessageKind::Unrelated, SCOPED_ROUTES),
    (
        "extension_configs",
        MessageKind::Extension,
        "TypedExtensionConfig",
    ),
];

pub(super) fn open<'n, 'a>(part: &Part<'n, 'a>, report: &mut Report) -> Option<Parts<'n, 'a>> {
    response(part)
        .or_else(|| resource(part))
        .or_else(|| status(part, report))
        .or_else(|| by_type(part, report))
        .or_else(|| by_kind(part))
}

/// `{"resources": [...]}` with or without version, nonce and `type_url`, which is the type of
/// resources without `@type`.
fn response<'n, 'a>(part: &Part<'n, 'a>) -> Option<Parts<'n, 'a>> {
    let type_url = part.text("type_url");
    let Some(resources) = part.field("resources") else {
        let is_empty = type_url.is_some() && part.text("version_info").is_some();
        return is_empty.then(Parts::new);
    };
    let resources = match type_url.and_then(name_in) {
        Some(name) => resources.typed(name),
        None => resources,
    };
    resources.items()
}

/// `{"name": ..., "version": ..., "resource": {...}}`: `envoy.service.discovery.v3.Resource`; or
/// `{"type_url": ..., "value": {...}}`: `google.protobuf.Any`, decoded; some programs name the field
/// `data`.
fn resource<'n, 'a>(part: &Part<'n, 'a>) -> Option<Parts<'n, 'a>> {
    let resource = part.field("resource").filter(Part::is_map).or_else(|| {
        let name = part.text("type_url").and_then(name_in)?;
        let value = part.field("value").or_else(|| part.field("data"))?;
        value.is_map().then(|| value.typed(name))
    })?;
    Some(Parts::from([resource]))
}

/// `{"generic_xds_configs": [{"xds_config": {...}}]}`: `envoy.service.status.v3.ClientConfig` with the
/// resources that a client of xDS accepted, in a response of CSDS (`{"config": [...]}`) or alone. Older
/// clients have sections of a dump instead: `{"xds_config": [{"cluster_config": {...}}]}`.
fn status<'n, 'a>(part: &Part<'n, 'a>, report: &mut Report) -> Option<Parts<'n, 'a>> {
    if let Some(clients) = part.field("config").and_then(|clients| clients.items()) {
        let is_client = |client: &Part<'_, '_>| {
            client.field("generic_xds_configs").is_some() || client.field("xds_config").is_some()
        };
        return clients.iter().all(is_client).then_some(clients);
    }
    if let Some(configs) = part.field("generic_xds_configs").and_then(|it| it.items()) {
        report.found_delivered();
        let configs = configs.iter();
        return Some(configs.filter_map(|it| it.field("xds_config")).collect());
    }
    let sections = part.field("xds_config")?.items()?;
    const SECTIONS: [&str; 4] = [
        "cluster_config",
        "endpoint_config",
        "listener_config",
        "route_config",
    ];
    let of = |section: &Part<'n, 'a>| SECTIONS.iter().find_map(|name| section.field(name));
    Some(sections.iter().filter_map(of).collect())
}

/// `{TYPE_URL: {name: {...}}}`, the resources of a proxy in Kuma's inspect API.
fn by_type<'n, 'a>(part: &Part<'n, 'a>, report: &mut Report) -> Option<Parts<'n, 'a>> {
    let types = part.entries();
    let is_type = |(name, _): &(&str, _)| name.starts_with(TYPE_URL);
    if types.is_empty() || !types.iter().all(is_type) {
        return None;
    }
    report.found_delivered();
    let mut parts = Parts::new();
    for (url, resources) in types {
        let resources = resources.typed(name_in(url)?);
        match resources.items() {
            Some(items) => parts.extend(items),
            None => parts.extend(resources.entries().into_iter().map(|(_, part)| part)),
        }
    }
    Some(parts)
}

/// `{"clusters": [...], "listeners": [...]}` or `{"Clusters": [...]}`: lists or objects of resources,
/// or of resources in a field `value`. Other fields may be next to lists of two kinds or more.
pub(super) fn by_kind<'n, 'a>(part: &Part<'n, 'a>) -> Option<Parts<'n, 'a>> {
    let NodeValue::Map(entries) = &part.node.value else {
        return None;
    };
    let mut known = 0;
    let mut parts = Parts::new();
    for (field, kind, name) in LISTS {
        let Some(list) = part.field(field).or_else(|| part.exported(field)) else {
            continue;
        };
        let list = list.typed(name);
        let items = list
            .items()
            .unwrap_or_else(|| list.entries().into_iter().map(|(_, part)| part).collect());
        let items: Parts<'n, 'a> = items.into_iter().map(value_of).collect();
        let is_kind = |item: &Part<'_, '_>| {
            item.is_map()
                && (kind == MessageKind::Unrelated
                    || item.node.get("@type").is_some()
                    || MessageKind::recognized(item.node) == Some(kind))
        };
        if !items.iter().all(is_kind) {
            return None;
        }
        known += 1;
        parts.extend(items);
    }
    let is_snapshot = known > 1 || known == entries.len();
    (is_snapshot && !parts.is_empty()).then_some(parts)
}

/// `{"type": "cluster", "value": {...}}`: a resource whose type is the singular of its list's name.
pub(super) fn named<'n, 'a>(part: Part<'n, 'a>) -> Option<Part<'n, 'a>> {
    let kind = part.text("type")?;
    let mut lists = LISTS.iter();
    let (_, _, name) = lists.find(|(list, ..)| list.strip_suffix('s') == Some(kind))?;
    Some(part.field("value")?.typed(name))
}

/// The field `value` of a resource with a name or a type next to it, or else the resource itself.
fn value_of<'n, 'a>(part: Part<'n, 'a>) -> Part<'n, 'a> {
    part.field("value").filter(Part::is_map).unwrap_or(part)
}

/// The name after the slash of a type URL.
fn name_in(url: &str) -> Option<&str> {
    url.rsplit('/').next()
}
