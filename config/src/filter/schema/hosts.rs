//! `health`, `least_request` and the poller: what is known of the hosts.

use alloc::vec::Vec;

use super::{
    Described,
    kinds::{list, named, names, one_value, some, span, text, time},
};
use crate::{
    filter::{
        health::{
            DEFAULT_INTERVAL, DEFAULT_METADATA_INTERVAL, DEFAULT_STALE_AFTER, HEALTH, ON_STALE,
            POLLERS, SHORTEST_INTERVAL, SOURCES,
        },
        poller::{CONFIG as POLLER, POLL},
        read::{ACTIVE_REQUESTS, LEAST_REQUEST},
    },
    write::{Fields, duration, within},
};

pub(super) fn health() -> Described {
    let is_admin = one_value("source", "admin");
    Described {
        name: "health",
        schema: &HEALTH,
        about: "Where the health of hosts comes from; all fields but source need the source admin.",
        fields: Vec::from([
            (
                "source",
                named(
                    &SOURCES,
                    "The health_status of the configuration, or what Envoy's admin tells.",
                ),
            ),
            (
                "cluster",
                text("The Envoy cluster that reaches the admin."),
            ),
            (
                "interval",
                time(
                    SHORTEST_INTERVAL,
                    "How often a worker asks for hosts, where it does so itself.",
                )
                .default(duration(DEFAULT_INTERVAL)),
            ),
            (
                "metadata_interval",
                time(
                    SHORTEST_INTERVAL,
                    "How often it asks for the metadata of endpoints, where they are needed and not configured.",
                )
                .default(duration(DEFAULT_METADATA_INTERVAL)),
            ),
            (
                "stale_after",
                span("How old the last answer may be; more than the interval.")
                    .default(duration(DEFAULT_STALE_AFTER)),
            ),
            (
                "on_stale",
                named(
                    &ON_STALE,
                    "What is done with an older one: it goes on counting, or Envoy balances by itself.",
                ),
            ),
            (
                "poller",
                named(
                    &POLLERS,
                    "Who asks: one poller in bootstrap_extensions, or every worker.",
                ),
            ),
        ]),
        required: &[],
        rules: within("if", is_admin)
            .with("then", within("required", list(["cluster"])))
            .with("else", within("propertyNames", within("const", "source"))),
    }
}

pub(super) fn least_request() -> Described {
    Described {
        name: "least_request",
        schema: &LEAST_REQUEST,
        about: "Which requests in flight count for LEAST_REQUEST and for hash_balance_factor.",
        fields: Vec::from([(
            "source",
            named(
                &ACTIVE_REQUESTS,
                "Those of this worker, or those of the whole Envoy as its admin told them; the latter needs health.source: admin.",
            ),
        )]),
        required: &[],
        rules: Fields::new(),
    }
}

pub(super) fn poller() -> Described {
    Described {
        name: "poller",
        schema: &POLLER,
        about: "The configuration of the plugin with root_id spillgate-poller.",
        fields: Vec::from([("poll", some("poll", "Whom to ask, and about what."))]),
        required: &["poll"],
        rules: Fields::new(),
    }
}

pub(super) fn poll() -> Described {
    Described {
        name: "poll",
        schema: &POLL,
        about: "One admin and what it is asked.",
        fields: Vec::from([
            ("cluster", text("The Envoy cluster that reaches the admin.")),
            (
                "targets",
                names("The clusters whose hosts it is asked about."),
            ),
            (
                "interval",
                time(SHORTEST_INTERVAL, "How often.").default(duration(DEFAULT_INTERVAL)),
            ),
            (
                "metadata_interval",
                time(
                    SHORTEST_INTERVAL,
                    "How often it is asked for the metadata of their endpoints; never when absent.",
                ),
            ),
        ]),
        required: &["cluster", "targets"],
        rules: Fields::new(),
    }
}
