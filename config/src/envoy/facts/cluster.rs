//! Clusters.

use alloc::{string::String, vec::Vec};

use super::{
    FieldPlace, HealthSignals, LocalityFacts, PolicyFacts, endpoints, policy, signals, view::View,
};
use crate::envoy::common::ByName;

/// The facts of a cluster.
#[derive(Debug, Clone, PartialEq)]
pub struct ClusterFacts {
    /// Its name.
    pub name: String,
    /// Its position.
    pub place: FieldPlace,
    /// Whether the input has only its endpoints, so that its settings are unknown.
    pub endpoints_only: bool,
    /// How it finds its hosts.
    pub discovery: Discovery,
    /// The members of an aggregate, including duplicate and unknown ones.
    pub members: Vec<MemberFacts>,
    /// How Envoy finds out the health of its hosts, and related settings.
    pub signals: HealthSignals,
    /// Its policy with nested policies.
    pub policy: PolicyFacts,
    /// The header with the destination of an `ORIGINAL_DST` cluster, lowercase.
    pub original_dst_header: Option<(String, FieldPlace)>,
    /// An `idle_timeout` in `typed_extension_protocol_options`.
    pub idle_timeout: Option<FieldPlace>,
    /// The entries of its assignment, in input order.
    pub localities: Vec<LocalityFacts>,
}

/// How a cluster finds its hosts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Discovery {
    /// From the configuration, including DNS names.
    Stated,
    /// From a control plane, with their health.
    Eds,
    /// From the members of the aggregate.
    Aggregate,
    /// From each request.
    OriginalDst,
    /// From another source.
    Other,
}

/// A member of an aggregate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MemberFacts {
    /// Its name.
    pub name: String,
    /// Place of the name.
    pub place: FieldPlace,
}

const AGGREGATE_TYPE: &str = "envoy.extensions.clusters.aggregate.v3.ClusterConfig";
const HTTP_OPTIONS: &str = "envoy.extensions.upstreams.http.v3.HttpProtocolOptions";
const ORIGINAL_DST_HEADER: &str = "x-envoy-original-dst-host";

/// Reads a cluster; `assignments` are those elsewhere in the input. `live`: they are run-time
/// endpoints.
pub(super) fn read(
    cluster: &View<'_, '_>,
    assignments: &ByName<'_, '_>,
    live: bool,
) -> ClusterFacts {
    let name = cluster.text("name").unwrap_or_default();
    let custom = cluster.get("cluster_type");
    let aggregate = custom
        .as_ref()
        .and_then(|custom| custom.any("typed_config"))
        .filter(|(type_name, _)| *type_name == AGGREGATE_TYPE);
    let discovery = match &aggregate {
        Some(_) => Discovery::Aggregate,
        None => discovery(cluster),
    };
    let members = aggregate.map(|(_, config)| config.list("clusters"));
    let members = members.unwrap_or_default().into_iter().filter_map(|view| {
        let name = view.as_text()?.into();
        let place = view.place();
        Some(MemberFacts { name, place })
    });
    let eds = discovery == Discovery::Eds;
    let service = cluster
        .get("eds_cluster_config")
        .and_then(|config| config.text("service_name"))
        .unwrap_or(name);
    let inside = cluster.get("load_assignment");
    let separate = assignments.get(service);
    let separate = separate.map(|(node, path)| View::new(node, path));
    let looked_up = live && is_dns(cluster);
    let assignment = if eds || looked_up {
        separate.or(inside)
    } else {
        inside.or(separate)
    };
    ClusterFacts {
        name: name.into(),
        place: cluster.place(),
        endpoints_only: false,
        discovery,
        members: members.collect(),
        signals: signals::read(cluster),
        policy: policy::read(cluster),
        original_dst_header: original_dst_header(cluster),
        idle_timeout: idle_timeout(cluster),
        localities: assignment.map_or_else(Vec::new, |found| endpoints::read(&found)),
    }
}

/// An assignment without a cluster, read as from EDS.
pub(super) fn read_lone(assignment: &View<'_, '_>) -> ClusterFacts {
    ClusterFacts {
        name: assignment.text("cluster_name").unwrap_or_default().into(),
        place: assignment.place(),
        endpoints_only: true,
        discovery: Discovery::Eds,
        members: Vec::new(),
        signals: HealthSignals::default(),
        policy: PolicyFacts::none(assignment.place()),
        original_dst_header: None,
        idle_timeout: None,
        localities: endpoints::read(assignment),
    }
}

fn discovery(cluster: &View<'_, '_>) -> Discovery {
    let custom = cluster.get("cluster_type");
    if let Some(custom) = custom {
        return match custom.text("name").unwrap_or_default() {
            "envoy.cluster.eds" => Discovery::Eds,
            "envoy.cluster.original_dst" => Discovery::OriginalDst,
            "envoy.cluster.static"
            | "envoy.cluster.strict_dns"
            | "envoy.cluster.logical_dns"
            | "envoy.cluster.dns"
            | "envoy.clusters.dns" => Discovery::Stated,
            _ => Discovery::Other,
        };
    }
    let text = cluster.text("type").unwrap_or_default();
    let is = |name: &str, number| {
        text.eq_ignore_ascii_case(name) || cluster.number("type") == Some(number)
    };
    if is("EDS", 3) {
        Discovery::Eds
    } else if is("ORIGINAL_DST", 4) {
        Discovery::OriginalDst
    } else {
        Discovery::Stated
    }
}

/// Whether DNS provides the hosts, so that the input has only their names.
fn is_dns(cluster: &View<'_, '_>) -> bool {
    let text = cluster
        .text("type")
        .unwrap_or_default()
        .to_ascii_uppercase();
    text.ends_with("_DNS") || matches!(cluster.number("type"), Some(1 | 2))
}

fn original_dst_header(cluster: &View<'_, '_>) -> Option<(String, FieldPlace)> {
    let config = cluster.get("original_dst_lb_config")?;
    if !config.flag("use_http_header") {
        return None;
    }
    let name = config.text("http_header_name");
    let place = config
        .get("http_header_name")
        .or(config.get("use_http_header"))?;
    let name = name.unwrap_or(ORIGINAL_DST_HEADER).to_ascii_lowercase();
    Some((name, place.place()))
}

fn idle_timeout(cluster: &View<'_, '_>) -> Option<FieldPlace> {
    let options = cluster.get("typed_extension_protocol_options")?;
    let (_, options) = options
        .entries()
        .into_iter()
        .find(|(name, _)| *name == HTTP_OPTIONS)?;
    let (_, options) = options.typed()?;
    let found = options.at(&["common_http_protocol_options", "idle_timeout"])?;
    Some(found.place())
}
