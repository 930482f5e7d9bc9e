//! The kind of an entry of `load_balancing_policy`, by its message type.

use alloc::{format, string::String};

use crate::{
    Diagnostic,
    envoy::schema::{POLICY, TYPED_EXTENSION, TYPED_STRUCT},
    node::{Node, quote},
    proto::{Any, Message, Path, Report, nearest},
};

const PREFIX: &str = "envoy.extensions.load_balancing_policies.";

/// The policies of Envoy 1.40.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    RoundRobin,
    Random,
    LeastRequest,
    RingHash,
    Maglev,
    ClientSideWeighted,
    WrrLocality,
    LoadAware,
    ClusterProvided,
    OverrideHost,
    Subset,
    /// The policy of a dynamic module: of ours, or of another one, which is not modeled.
    DynamicModule,
    /// A policy that the engine does not model.
    NotModeled,
}

impl Kind {
    /// Whether it chooses hosts by a policy inside it.
    pub(super) const fn wraps(self) -> bool {
        matches!(
            self,
            Self::WrrLocality | Self::LoadAware | Self::OverrideHost | Self::Subset
        )
    }
}

/// Their type names after [`PREFIX`].
const KINDS: [(&str, Kind); 12] = [
    ("round_robin.v3.RoundRobin", Kind::RoundRobin),
    ("random.v3.Random", Kind::Random),
    ("least_request.v3.LeastRequest", Kind::LeastRequest),
    ("ring_hash.v3.RingHash", Kind::RingHash),
    ("maglev.v3.Maglev", Kind::Maglev),
    (
        "client_side_weighted_round_robin.v3.ClientSideWeightedRoundRobin",
        Kind::ClientSideWeighted,
    ),
    ("wrr_locality.v3.WrrLocality", Kind::WrrLocality),
    ("cluster_provided.v3.ClusterProvided", Kind::ClusterProvided),
    ("override_host.v3.OverrideHost", Kind::OverrideHost),
    ("subset.v3.Subset", Kind::Subset),
    (
        "dynamic_modules.v3.DynamicModulesLoadBalancerConfig",
        Kind::DynamicModule,
    ),
    ("load_aware_locality.v3.LoadAwareLocality", Kind::LoadAware),
];

/// A policy of gRPC (A62). Envoy has no such type: it rejects a bootstrap with it, which is text, and skips
/// it in xDS responses, which are not.
const PICK_FIRST: &str = "pick_first.v3.PickFirst";

/// Policies of Envoy's builds with contrib extensions: the folder of the type name.
const CONTRIB: [&str; 2] = ["peak_ewma", "per_worker_subset"];

/// The full type name of a policy.
pub(crate) fn policy_type(kind: Kind) -> String {
    let found = KINDS.into_iter().find(|(_, known)| *known == kind);
    format!("{PREFIX}{}", found.map_or("", |(name, _)| name))
}

/// A policy of the list, not read yet.
pub(super) struct TypedPolicy<'n, 'a> {
    pub(super) any: Any<'n, 'a>,
    /// The message's name after [`PREFIX`], or the folder of a contrib policy.
    pub(super) name: &'static str,
    pub(super) kind: Kind,
}

/// Opens an element of the list; `None` after an error, or if Envoy skips it.
pub(super) fn open_policy<'n, 'a>(
    node: &'n Node<'a>,
    path: Path,
    report: &mut Report,
) -> Option<TypedPolicy<'n, 'a>> {
    let policy = Message::open(node, path, &POLICY, report)?;
    let extension = policy.message("typed_extension_config", &TYPED_EXTENSION, report)?;
    extension.required_string("name", report);
    if !extension.has("typed_config") {
        let fault = "policy without a config";
        report.push(extension.error("typed_config", "config/missing", fault));
        return None;
    }
    let any = extension.any("typed_config", report)?;
    if is_faulty_struct(&any, report) {
        return None;
    }
    let name = any.type_name.strip_prefix(PREFIX).unwrap_or_default();
    let folder = name.split('.').next().unwrap_or_default();
    if let Some(name) = CONTRIB.into_iter().find(|known| *known == folder) {
        let kind = Kind::NotModeled;
        return Some(TypedPolicy { any, name, kind });
    }
    let Some((name, kind)) = KINDS.into_iter().find(|(known, _)| *known == name) else {
        pass_over(&any, name, report);
        return None;
    };
    Some(TypedPolicy { any, name, kind })
}

/// Reports what is wrong with a `TypedStruct`: those without a fault are unpacked.
fn is_faulty_struct(any: &Any<'_, '_>, report: &mut Report) -> bool {
    if !any.is_packed() {
        return false;
    }
    if let Some(packed) = Message::open(any.node, any.path.clone(), &TYPED_STRUCT, report) {
        packed.required_string("type_url", report);
        if !packed.has("value") {
            report.push(packed.error("value", "config/missing", "policy without a config"));
        }
    }
    true
}

/// Reports a skipped entry. A misspelled Envoy policy is an error; Envoy skips other messages.
fn pass_over(any: &Any<'_, '_>, name: &str, report: &mut Report) {
    let meant = nearest(name, KINDS.into_iter().map(|(known, _)| known));
    let found = quote(any.type_name);
    let is_xds = !any.path.text().starts_with("static_resources");
    if any.type_name.starts_with(PREFIX) && !(name == PICK_FIRST && is_xds) {
        Diagnostic::error("config/unknown-policy", "unknown policy")
            .at(any.path.field("@type").text(), any.node.position)
            .found(found)
            .suggest(meant.filter(|_| name != PICK_FIRST))
            .push_to(report);
    } else {
        let why = format!("unknown policy {found}; using the next entry");
        report.note("config/unknown-policy", why, &any.path, any.node.position);
    }
}
