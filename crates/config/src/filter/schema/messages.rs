//! The messages of the configuration, field by field.

use alloc::vec::Vec;

use spillgate_core::model::{ChainHosts, ChainStep};

use super::{
    Described, affinity,
    delivery::{access_log, output, trace, trace_condition},
    host_state::{health, least_request, poll, poller},
    kinds::{
        flag, header, keys, list, many, named, one, one_value, some, text, time, value, values,
        whole, yes,
    },
};
use crate::{
    filter::{
        chain::{RETRY, STEP},
        config::DEFAULT_TICK,
        criteria::CRITERION,
        read::{CLUSTER_CHOICES, CONFIG as FILTER, SHORTEST_TICK},
        target::{TARGET, WEIGHTED},
    },
    write::{Fields, Tree, duration, within},
};

/// All of them.
pub(super) fn messages() -> Vec<Described> {
    Vec::from([
        filter(),
        target_rule(),
        weighted_cluster(),
        criterion(),
        chain_step(),
        health(),
        affinity::affinity(),
        affinity::cookie(),
        affinity::named_header(),
        affinity::key(),
        affinity::on_lost(),
        affinity::max_requests_per_token(),
        least_request(),
        output(),
        trace(),
        trace_condition(),
        access_log(),
        poller(),
        poll(),
    ])
}

fn filter() -> Described {
    let is_admin = |field: &'static str| {
        let admin = one_value("source", "admin");
        within("properties", within(field, admin)).with("required", list([field]))
    };
    Described {
        name: "filter",
        schema: &FILTER,
        about: "The filter's clusters, balancing rules and output headers.",
        fields: Vec::from([
            (
                "clusters",
                some(
                    "cluster",
                    "The clusters. Fields unrelated to load balancing are ignored.",
                ),
            ),
            ("target", text("The cluster to balance.")),
            (
                "targets",
                some(
                    "target_rule",
                    "Instead of target: the first matching rule selects the cluster. Requests without a match pass through.",
                ),
            ),
            (
                "weighted",
                some("weighted_cluster", "Instead of target: weighted clusters."),
            ),
            (
                "route_settings",
                flag(
                    "Allows a route's filter_metadata.spillgate to set the target or disable balancing.",
                ),
            ),
            (
                "hash_policy",
                many(
                    "route_hash_policy",
                    "Sources of the request hash, as in a route.",
                ),
            ),
            (
                "metadata_match",
                one(
                    "metadata",
                    "Criteria of every request, as in a route; criteria override them by key.",
                ),
            ),
            (
                "criteria",
                many(
                    "criterion",
                    "Host metadata that a request requires; later entries override earlier ones by key.",
                ),
            ),
            (
                "subset_chain",
                many(
                    "chain_step",
                    "Subset fallback chain: the first step with enough healthy hosts serves. Without a chain, Envoy's own fallbacks apply.",
                ),
            ),
            ("health", one("health", "The source of host health.")),
            (
                "affinity",
                one("affinity", "Session affinity; off if absent."),
            ),
            (
                "cluster_choice",
                named(
                    &CLUSTER_CHOICES,
                    "Chooses the member of an aggregate or of a weighted target: at random as in Envoy, or by the request hash.",
                ),
            ),
            (
                "least_request",
                one("least_request", "The source of active requests."),
            ),
            ("output", one("output", "The headers of the decision.")),
            (
                "reserved_headers",
                many(
                    "header_name",
                    "Further headers to drop from client requests.",
                ),
            ),
            (
                "trace",
                one(
                    "trace",
                    "A response header with the decision, for clients with a secret; off if absent.",
                ),
            ),
            (
                "access_log",
                one(
                    "access_log",
                    "A sample of decisions for access logs; off if absent.",
                ),
            ),
            (
                "tick",
                time(
                    SHORTEST_TICK,
                    "Interval at which a worker reads the shared host state.",
                )
                .default(duration(DEFAULT_TICK)),
            ),
        ]),
        required: &["clusters"],
        rules: one_of(["target", "targets", "weighted"])
            .with("if", is_admin("least_request"))
            .with("then", is_admin("health")),
    }
}

fn target_rule() -> Described {
    Described {
        name: "target_rule",
        schema: &TARGET,
        about: "A cluster and its requests.",
        fields: Vec::from([
            ("match", one("route_match", "The requests.")),
            ("cluster", text("The cluster.")),
        ]),
        required: &["match", "cluster"],
        rules: Fields::new(),
    }
}

fn weighted_cluster() -> Described {
    Described {
        name: "weighted_cluster",
        schema: &WEIGHTED,
        about: "A cluster and its weight.",
        fields: Vec::from([
            ("cluster", text("The cluster.")),
            (
                "weight",
                whole(
                    0,
                    u32::MAX,
                    "Weight; the sum of all weights must be from 1 to 4294967295.",
                ),
            ),
        ]),
        required: &["cluster", "weight"],
        rules: Fields::new(),
    }
}

fn criterion() -> Described {
    let only = |fields: &[&'static str]| {
        let most = u64::try_from(fields.len()).unwrap_or(u64::MAX);
        let required = within("required", list(fields.iter().copied()));
        Tree::from(required.with("maxProperties", most))
    };
    let forms = [
        only(&["key", "value"]),
        only(&["key", "header"]),
        only(&["route_metadata"]),
    ];
    Described {
        name: "criterion",
        schema: &CRITERION,
        about: "{key, value}, {key, header} or {route_metadata: true}.",
        fields: Vec::from([
            ("key", text("The key in the host's envoy.lb metadata.")),
            (
                "value",
                value("Required value; 1, \"1\" and true are different values."),
            ),
            (
                "header",
                header(
                    "Request header with the value, as a string. Repeated headers are joined with commas; an absent or empty one requires nothing.",
                ),
            ),
            (
                "route_metadata",
                flag("Requires the route's filter_metadata.\"envoy.lb\"."),
            ),
        ]),
        required: &[],
        rules: within("oneOf", Vec::from(forms)),
    }
}

fn chain_step() -> Described {
    let step = ChainStep::new(ChainHosts::Any);
    Described {
        name: "chain_step",
        schema: &STEP,
        about: "A group of hosts and its minimum of healthy hosts.",
        fields: Vec::from([
            (
                "keys",
                keys(
                    "Hosts with the request's criteria for these keys. Requests without all of the keys skip the step.",
                ),
            ),
            ("match", values("Hosts with these values.")),
            ("any", yes("All hosts.")),
            (
                "min_healthy_hosts",
                whole(0, u32::MAX, "Minimum number of healthy hosts.").default(step.min_healthy_hosts),
            ),
            (
                "min_healthy_percent",
                whole(
                    0,
                    100,
                    "Minimum percentage of healthy hosts over all priorities, without excluded hosts.",
                )
                .default(step.min_healthy_percent),
            ),
            (
                "panic_threshold",
                whole(
                    0,
                    100,
                    "Panic threshold of this step, in percent; 0 disables panic mode.",
                )
                .default(0_u32),
            ),
            (
                "last_resort",
                flag(
                    "Serves even below the minimums; only allowed in the last step.",
                ),
            ),
            (
                "retry",
                named(
                    &RETRY,
                    "Hosts that follow the chosen one in the host list: those of the same step, or first those \
                     of the step that would serve next.",
                ),
            ),
        ]),
        required: &[],
        rules: one_of(["keys", "match", "any"]),
    }
}

/// Requires exactly one of these fields.
fn one_of(fields: [&'static str; 3]) -> Fields {
    let forms = fields.map(|field| Tree::from(within("required", list([field]))));
    within("oneOf", Vec::from(forms))
}
