//! The messages of the configuration, field by field.

use alloc::vec::Vec;

use spillgate_core::model::{ChainHosts, ChainStep};

use super::{
    Described, affinity,
    delivery::{access_log, output, trace, trace_condition},
    hosts::{health, least_request, poll, poller},
    kinds::{
        flag, header, keys, list, many, named, one, one_value, some, text, time, value, values,
        whole, yes,
    },
};
use crate::{
    filter::{
        chain::STEP,
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
        about: "What the filter balances, by which rules, and where it writes what it decided.",
        fields: Vec::from([
            (
                "clusters",
                some(
                    "cluster",
                    "The clusters: what balances load is used, the rest is ignored.",
                ),
            ),
            ("target", text("The cluster that is balanced.")),
            (
                "targets",
                some(
                    "target_rule",
                    "In place of target: the first rule that matches says which cluster is balanced; a request that none matches passes through.",
                ),
            ),
            (
                "weighted",
                some(
                    "weighted_cluster",
                    "In place of target: each request goes to one of these, by weight.",
                ),
            ),
            (
                "route_settings",
                flag(
                    "Whether a route's filter_metadata.spillgate may name the target and switch balancing off.",
                ),
            ),
            (
                "hash_policy",
                many(
                    "route_hash_policy",
                    "How the request hash is made, as in a route.",
                ),
            ),
            (
                "metadata_match",
                one(
                    "metadata",
                    "Criteria that hold for every request, as in a route; criteria override them key by key.",
                ),
            ),
            (
                "criteria",
                many(
                    "criterion",
                    "What a request asks of its host; later ones override earlier ones key by key.",
                ),
            ),
            (
                "subset_chain",
                many(
                    "chain_step",
                    "Whose hosts serve: the first step with enough healthy hosts does; without a chain Envoy's own fallbacks apply.",
                ),
            ),
            (
                "health",
                one("health", "Where the health of hosts comes from."),
            ),
            (
                "affinity",
                one("affinity", "How sessions are kept; none are when absent."),
            ),
            (
                "cluster_choice",
                named(
                    &CLUSTER_CHOICES,
                    "How a member of an aggregate or of a weighted target is chosen: at random as in Envoy, or by the request hash.",
                ),
            ),
            (
                "least_request",
                one("least_request", "Which requests in flight count."),
            ),
            ("output", one("output", "Which headers carry the decision.")),
            (
                "reserved_headers",
                many(
                    "header_name",
                    "Further headers that are dropped from the client's request.",
                ),
            ),
            (
                "trace",
                one(
                    "trace",
                    "A response header with the decision for those who know a secret; off when absent.",
                ),
            ),
            (
                "access_log",
                one(
                    "access_log",
                    "A sample of decisions for access logs; off when absent.",
                ),
            ),
            (
                "tick",
                time(
                    SHORTEST_TICK,
                    "How often a worker looks at what was published of the hosts.",
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
        about: "A cluster, and the requests that are balanced over it.",
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
        about: "A cluster with its part of the requests.",
        fields: Vec::from([
            ("cluster", text("The cluster.")),
            (
                "weight",
                whole(
                    0,
                    u32::MAX,
                    "Its part, in relation to the sum of all weights, which is from 1 to 4294967295.",
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
                value("The value that it must have; 1, \"1\" and true are three values."),
            ),
            (
                "header",
                header(
                    "The request header that has the value, as a text: copies are joined with commas; an absent or empty one asks for nothing.",
                ),
            ),
            (
                "route_metadata",
                flag("Whether what the route has under filter_metadata.\"envoy.lb\" is asked for."),
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
        about: "A group of hosts, and how many of them must be healthy.",
        fields: Vec::from([
            (
                "keys",
                keys(
                    "Hosts with what the request asks for under these keys; the step is skipped for a request that lacks one.",
                ),
            ),
            ("match", values("Hosts with these values.")),
            ("any", yes("All hosts.")),
            (
                "min_healthy_hosts",
                whole(0, u32::MAX, "How many of them must be healthy.").default(step.min_healthy_hosts),
            ),
            (
                "min_healthy_percent",
                whole(
                    0,
                    100,
                    "How many percent of them must be, over all priorities; excluded hosts are left out.",
                )
                .default(step.min_healthy_percent),
            ),
            (
                "panic_threshold",
                whole(
                    0,
                    100,
                    "The panic threshold within this step, in percent; 0: no panic.",
                )
                .default(0_u32),
            ),
            (
                "last_resort",
                flag(
                    "Whether it serves below its minima rather than nobody; only the last step can.",
                ),
            ),
        ]),
        required: &[],
        rules: one_of(["keys", "match", "any"]),
    }
}

/// Exactly one of these fields is there.
fn one_of(fields: [&'static str; 3]) -> Fields {
    let forms = fields.map(|field| Tree::from(within("required", list([field]))));
    within("oneOf", Vec::from(forms))
}
