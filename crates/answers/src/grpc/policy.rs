//! The load-balancing policy that gRPC reads from a cluster.

use spillgate_config::node::{Node, NodeValue};
use spillgate_core::model::{HashFunction, RingHashConfig};
use spillgate_grpc::shares::{FieldErrors, HostPicking, LeafPolicy, UNSUPPORTED};

use super::messages::{inside, name_of, number_of, text_of, type_of};

const LB_POLICIES: [&str; 8] = [
    "ROUND_ROBIN",
    "LEAST_REQUEST",
    "RING_HASH",
    "RANDOM",
    "",
    "MAGLEV",
    "CLUSTER_PROVIDED",
    "LOAD_BALANCING_POLICY_CONFIG",
];
const PREFIX: &str = "envoy.extensions.load_balancing_policies.";
const MOST_RING: u64 = 8_388_608;
/// A policy that is registered under the name of the type in a `TypedStruct`.
const STRUCTS: [&str; 2] = ["xds.type.v3.TypedStruct", "udpa.type.v1.TypedStruct"];

/// The policy that a client uses.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum ReadPolicy {
    /// It supports this one.
    Known(LeafPolicy),
    /// It is not known which, for this reason.
    Unknown(String),
}

/// Reads the policy; errors are added for one that gRPC rejects.
pub(super) fn read_policy(cluster: &Node<'_>, errors: &mut FieldErrors) -> Option<ReadPolicy> {
    const TYPED: &str = "load_balancing_policy";
    if let Some(list) = inside(cluster, &[TYPED]) {
        return typed(list, TYPED, errors);
    }
    let lb_policy = inside(cluster, &["lb_policy"]);
    let name = lb_policy.map_or(Some("ROUND_ROBIN"), |node| name_of(node, &LB_POLICIES));
    match name {
        Some("ROUND_ROBIN") => Some(ReadPolicy::Known(LeafPolicy::ROUND_ROBIN)),
        Some("RING_HASH") => ring(
            inside(cluster, &["ring_hash_lb_config"]),
            "ring_hash_lb_config",
            "invalid hash function",
            errors,
        ),
        _ => {
            errors.add("lb_policy", UNSUPPORTED);
            None
        }
    }
}

/// The first entry of a `LoadBalancingPolicy` that gRPC supports; it skips the others (A52).
fn typed(list: &Node<'_>, path: &str, errors: &mut FieldErrors) -> Option<ReadPolicy> {
    let policies = match inside(list, &["policies"]).map(|node| &node.value) {
        Some(NodeValue::List(policies)) => policies.as_slice(),
        _ => &[],
    };
    for (at, policy) in policies.iter().enumerate() {
        let config = inside(policy, &["typed_extension_config", "typed_config"]);
        let Some((config, name)) = config.and_then(|of| Some((of, type_of(of)?))) else {
            continue;
        };
        let path = format!("{path}.policies[{at}].typed_extension_config.typed_config");
        if STRUCTS.contains(&name) {
            if let Some(custom) = custom_policy(config) {
                let why = format!("the custom policy {custom} is not modeled");
                return Some(ReadPolicy::Unknown(why));
            }
            continue;
        }
        match name.strip_prefix(PREFIX).unwrap_or_default() {
            "round_robin.v3.RoundRobin" => return bare(HostPicking::RoundRobin),
            "client_side_weighted_round_robin.v3.ClientSideWeightedRoundRobin" => {
                return bare(HostPicking::WeightedRoundRobin);
            }
            "pick_first.v3.PickFirst" => {
                let shuffles = inside(config, &["shuffle_address_list"])
                    .is_some_and(|node| node.value == NodeValue::Bool(true));
                return bare(HostPicking::PickFirst { shuffles });
            }
            "ring_hash.v3.RingHash" => {
                const FUNCTION: &str = "unsupported value (must be XX_HASH)";
                return ring(Some(config), &path, FUNCTION, errors);
            }
            "wrr_locality.v3.WrrLocality" => {
                let path = format!("{path}.endpoint_picking_policy");
                let Some(inner) = inside(config, &["endpoint_picking_policy"]) else {
                    errors.add(path, "field not present");
                    return None;
                };
                return Some(match typed(inner, &path, errors)? {
                    ReadPolicy::Known(inner) if inner.by_locality => ReadPolicy::Unknown(
                        "wrr_locality inside wrr_locality is not modeled".into(),
                    ),
                    ReadPolicy::Known(inner) => ReadPolicy::Known(LeafPolicy {
                        by_locality: true,
                        ..inner
                    }),
                    unknown => unknown,
                });
            }
            _ => {}
        }
    }
    errors.add(path, "no supported load balancing policy config found");
    None
}

const fn bare(picking: HostPicking) -> Option<ReadPolicy> {
    Some(ReadPolicy::Known(LeafPolicy {
        by_locality: false,
        picking,
    }))
}

/// The name of a policy in a `TypedStruct`. The types of Envoy's own policies are no names of gRPC's.
fn custom_policy<'n>(config: &'n Node<'_>) -> Option<&'n str> {
    let url = text_of(inside(config, &["type_url"])?)?;
    let name = url.rsplit('/').next().unwrap_or(url);
    (!name.starts_with(PREFIX)).then_some(name)
}

fn ring(
    config: Option<&Node<'_>>,
    path: &str,
    function_error: &str,
    errors: &mut FieldErrors,
) -> Option<ReadPolicy> {
    let size = |field, default| {
        let node = config.and_then(|config| inside(config, &[field]));
        node.map_or(Some(default), number_of)
    };
    let (least, most) = (
        size("minimum_ring_size", 1024)?,
        size("maximum_ring_size", MOST_RING)?,
    );
    for (field, size) in [("minimum_ring_size", least), ("maximum_ring_size", most)] {
        if size == 0 || size > MOST_RING {
            let error = format!("must be in the range of 1 to {MOST_RING}");
            errors.add(format!("{path}.{field}"), error);
        }
    }
    if least > most {
        let field = format!("{path}.minimum_ring_size");
        errors.add(field, "cannot be greater than maximum_ring_size");
    }
    let function = config.and_then(|config| inside(config, &["hash_function"]));
    let is_xx = function.is_none_or(|node| match text_of(node) {
        Some(name) => matches!(name, "XX_HASH" | "DEFAULT_HASH"),
        // XX_HASH is 0 in the classic enum and 1 in the typed one, where 0 is the default.
        None => number_of(node).is_some_and(|number| number < 2) || node.value == NodeValue::Null,
    });
    if !is_xx {
        errors.add(format!("{path}.hash_function"), function_error);
    }
    let config = RingHashConfig::new(least, most, HashFunction::XxHash).ok()?;
    bare(HostPicking::RingHash(config))
}
