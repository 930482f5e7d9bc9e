//! The load-balancing policy of a cluster: classic fields if they can express all of it, else
//! typed.

use alloc::{format, string::String, vec::Vec};

use spillgate_core::model::{
    DEFAULT_CHOICE_COUNT, DEFAULT_MAGLEV_TABLE_SIZE, DEFAULT_MAXIMUM_RING_SIZE,
    DEFAULT_MINIMUM_RING_SIZE, HashFunction, LeastRequestConfig, OverrideHostSource, PlainCluster,
    Policy, RingHashConfig, SelectionMethod, SlowStart,
};

use super::{
    super::{
        duration::duration,
        names::name_of,
        tree::{Fields, Tree, within},
    },
    endpoint::EndpointContext,
    hash_policy::hash_policies,
    locality_lb::{is_classic, locality_lb, percent, weighted},
    subset::subset,
};
use crate::envoy::{HASH_FUNCTION, PolicyKind, SELECTION_METHOD, policy_type};

/// The fields of a cluster that define its balancing; `common` are the fields of `common_lb_config`
/// that every cluster may have.
pub(super) fn policy(plain: &PlainCluster, common: Fields, context: EndpointContext<'_>) -> Fields {
    if !fits_classic(plain, context) {
        return Fields::new()
            .with_filled("common_lb_config", common)
            .with("load_balancing_policy", typed(plain, context));
    }
    let name = plain.policy.name();
    let hashing = consistent_hashing(plain, context);
    let localities = if plain.policy.hashes() && !plain.locality_lb.is_weighted() {
        Fields::new()
    } else {
        locality_lb(&plain.locality_lb)
    };
    let common = common
        .and(localities)
        .with_filled("consistent_hashing_lb_config", hashing);
    let settings = settings(plain);
    let subsets = plain.subsets.as_ref().map(subset);
    let fields = Fields::new().with_unless("lb_policy", name, Policy::RoundRobin.name());
    match plain.policy {
        Policy::RoundRobin => fields.with_filled("round_robin_lb_config", settings),
        Policy::LeastRequest(_) => fields.with_filled("least_request_lb_config", settings),
        Policy::RingHash(_) => fields.with_filled("ring_hash_lb_config", settings),
        Policy::Maglev(_) => fields.with_filled("maglev_lb_config", settings),
        _ => fields,
    }
    .with_filled("common_lb_config", common)
    .with_some("lb_subset_config", subsets)
}

fn fits_classic(plain: &PlainCluster, context: EndpointContext<'_>) -> bool {
    let hashes = plain.policy.hashes();
    let policy = match plain.policy {
        Policy::LeastRequest(config) => config.selection != SelectionMethod::FullScan,
        Policy::ClientSideWeightedRoundRobin => false,
        _ => true,
    };
    let subsets = plain.subsets.as_ref().is_none_or(|config| {
        !config.selectors.is_empty()
            && !config.allow_redundant_keys
            && (!config.locality_weight_aware || plain.locality_lb.is_weighted())
    });
    // STRICT_DNS clusters support the classic field.
    let hostnames = context.dns || !context.hash_hostname;
    let localities = hashes || is_classic(&plain.locality_lb);
    let own_hash_policies = hashes && !plain.hash_policies.is_empty();
    let named = !plain.override_hosts.is_empty();
    policy && subsets && hostnames && localities && !own_hash_policies && !named
}

fn typed(plain: &PlainCluster, context: EndpointContext<'_>) -> Fields {
    let mut policy = single(plain, context);
    if let Some(config) = &plain.subsets {
        let message = Fields::of_type(&policy_type(PolicyKind::Subset))
            .and(subset(config))
            .with("subset_lb_policy", policy);
        policy = policies(message);
    }
    if !plain.override_hosts.is_empty() {
        let message = Fields::of_type(&policy_type(PolicyKind::OverrideHost))
            .with_list(
                "override_host_sources",
                plain.override_hosts.iter().map(source),
            )
            .with("fallback_policy", policy);
        policy = policies(message);
    }
    policy
}

pub(super) fn source(of: &OverrideHostSource) -> Fields {
    match of {
        OverrideHostSource::Header(name) => within("header", name.as_str()),
        OverrideHostSource::Metadata { namespace, path } => {
            let path = path.iter().map(|key| within("key", key.as_str()));
            let key = within("key", namespace.as_str()).with_list("path", path);
            within("metadata", key)
        }
    }
}

/// A policy without nested policies, except the one that locality weights require.
fn single(plain: &PlainCluster, context: EndpointContext<'_>) -> Fields {
    let kind = match plain.policy {
        Policy::LeastRequest(_) => PolicyKind::LeastRequest,
        Policy::ClientSideWeightedRoundRobin => PolicyKind::ClientSideWeighted,
        Policy::Random => PolicyKind::Random,
        Policy::RingHash(_) => PolicyKind::RingHash,
        Policy::Maglev(_) => PolicyKind::Maglev,
        Policy::RoundRobin | Policy::Rendezvous => PolicyKind::RoundRobin,
    };
    let message = Fields::of_type(&policy_type(kind)).and(settings(plain));
    let is_weighted = plain.locality_lb.is_weighted();
    match plain.policy {
        Policy::RingHash(_) | Policy::Maglev(_) => {
            let hashing = consistent_hashing(plain, context)
                .with_list("hash_policy", hash_policies(&plain.hash_policies));
            let localities = if is_weighted {
                weighted()
            } else {
                Fields::new()
            };
            policies(
                message
                    .with_filled("consistent_hashing_lb_config", hashing)
                    .and(localities),
            )
        }
        Policy::ClientSideWeightedRoundRobin if is_weighted => {
            let inner = policies(message);
            policies(
                Fields::of_type(&policy_type(PolicyKind::WrrLocality))
                    .with("endpoint_picking_policy", inner),
            )
        }
        Policy::ClientSideWeightedRoundRobin => policies(message),
        _ => policies(message.with_filled("locality_lb_config", locality_lb(&plain.locality_lb))),
    }
}

/// A `LoadBalancingPolicy` of one policy.
fn policies(message: Fields) -> Fields {
    // The type's own name is common, and Envoy uses the type.
    let name = message
        .iter()
        .find_map(|(_, value)| match value {
            Tree::Text(url) => url.rsplit('.').next(),
            _ => None,
        })
        .map_or_else(String::new, String::from);
    let extension = Fields::new()
        .with("name", name)
        .with("typed_config", message);
    let policy: Tree = within("typed_extension_config", extension).into();
    within("policies", Vec::from([policy]))
}

/// The settings in both forms of a policy's message.
fn settings(plain: &PlainCluster) -> Fields {
    let slow_start = plain.slow_start.as_ref().map(slow_start);
    match &plain.policy {
        Policy::RingHash(config) => ring(config),
        Policy::Maglev(config) => {
            Fields::new().with_unless("table_size", config.table_size(), DEFAULT_MAGLEV_TABLE_SIZE)
        }
        Policy::LeastRequest(config) => {
            least_request(config).with_some("slow_start_config", slow_start)
        }
        Policy::RoundRobin | Policy::ClientSideWeightedRoundRobin => {
            Fields::new().with_some("slow_start_config", slow_start)
        }
        Policy::Random | Policy::Rendezvous => Fields::new(),
    }
}

fn ring(config: &RingHashConfig) -> Fields {
    Fields::new()
        .with_unless(
            "minimum_ring_size",
            config.minimum_ring_size(),
            DEFAULT_MINIMUM_RING_SIZE,
        )
        .with_unless(
            "maximum_ring_size",
            config.maximum_ring_size(),
            DEFAULT_MAXIMUM_RING_SIZE,
        )
        .with_some("hash_function", hash_function(config.hash_function()))
}

/// `None` for the default. The other function has the same name in both forms.
fn hash_function(function: HashFunction) -> Option<&'static str> {
    (function != HashFunction::default()).then(|| name_of(&HASH_FUNCTION, &function))
}

fn least_request(config: &LeastRequestConfig) -> Fields {
    let (full_scan, count) = match config.selection {
        SelectionMethod::Choices(count) => (false, count),
        SelectionMethod::FullScan => (true, DEFAULT_CHOICE_COUNT),
    };
    let bias = config.active_request_bias();
    let bias =
        (bias.to_bits() != 1_f64.to_bits()).then(|| runtime_double("active_request_bias", bias));
    Fields::new()
        .with_unless("choice_count", count, DEFAULT_CHOICE_COUNT)
        .with_some("active_request_bias", bias)
        .with_unless(
            "selection_method",
            name_of(&SELECTION_METHOD, &full_scan),
            name_of(&SELECTION_METHOD, &false),
        )
}

fn slow_start(config: &SlowStart) -> Fields {
    let (aggression, least) = (config.aggression(), config.min_weight_percent());
    let other = |value: f64, default: f64| value.to_bits() != default.to_bits();
    let aggression =
        other(aggression, 1.0).then(|| runtime_double("slow_start_aggression", aggression));
    let least = other(least, 10.0).then(|| percent(Tree::Double(least)));
    within("slow_start_window", duration(config.window()))
        .with_some("aggression", aggression)
        .with_some("min_weight_percent", least)
}

/// A `RuntimeDouble`. Envoy requires a key, so it is one that no runtime has.
fn runtime_double(what: &str, value: f64) -> Fields {
    Fields::new()
        .with("default_value", Tree::Double(value))
        .with("runtime_key", format!("spillgate.{what}"))
}

fn consistent_hashing(plain: &PlainCluster, context: EndpointContext<'_>) -> Fields {
    let factor = plain
        .hash_balance_factor
        .filter(|_| plain.policy.hashes())
        .map(|factor| factor.percent());
    Fields::new()
        .with_flag("use_hostname_for_hashing", context.hash_hostname)
        .with_some("hash_balance_factor", factor)
}
