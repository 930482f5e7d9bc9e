//! `health`, `least_request` and the poller: the sources of host state.

use alloc::vec::Vec;

use super::{
    Described,
    kinds::{choice, list, named, names, one_value, some, span, text, time},
};
use crate::{
    filter::{
        health::{
            DEFAULT_INTERVAL, DEFAULT_STALE_AFTER, HEALTH, ON_STALE, ON_UNKNOWN, POLLERS,
            SHORTEST_INTERVAL, SOURCES,
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
        about: "The source of host health. All fields except source require source: admin.",
        fields: Vec::from([
            (
                "source",
                named(&SOURCES, "The configured health_status, or Envoy's admin."),
            ),
            ("cluster", text("The Envoy cluster that reaches the admin.")),
            (
                "interval",
                time(
                    SHORTEST_INTERVAL,
                    "Poll interval of a worker without a shared poller.",
                )
                .default(duration(DEFAULT_INTERVAL)),
            ),
            (
                "metadata_interval",
                time(
                    SHORTEST_INTERVAL,
                    "Poll interval for endpoint metadata, if they are needed and not configured. The default is interval with criteria, subset_chain or metadata_match, otherwise 30s.",
                ),
            ),
            (
                "stale_after",
                span("Maximum age of the last response; greater than the interval.")
                    .default(duration(DEFAULT_STALE_AFTER)),
            ),
            (
                "on_stale",
                named(
                    &ON_STALE,
                    "Handling of an older response: keep using it, let Envoy balance by itself, or return 503.",
                ),
            ),
            (
                "on_unknown",
                choice(
                    &ON_UNKNOWN,
                    "Handling of requests while their hosts are unknown: let Envoy balance by itself, or return 503. The default is refuse with criteria, subset_chain, metadata_match or an on_lost status, otherwise pass_through.",
                ),
            ),
            (
                "poller",
                named(
                    &POLLERS,
                    "Polls by one poller in bootstrap_extensions, or by every worker.",
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
        about: "The source of active requests for LEAST_REQUEST and hash_balance_factor.",
        fields: Vec::from([(
            "source",
            named(
                &ACTIVE_REQUESTS,
                "Active requests of this worker, or of the whole Envoy from its admin; admin requires health.source: admin.",
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
        fields: Vec::from([("poll", some("poll", "The admins to poll."))]),
        required: &["poll"],
        rules: Fields::new(),
    }
}

pub(super) fn poll() -> Described {
    Described {
        name: "poll",
        schema: &POLL,
        about: "One admin and its clusters.",
        fields: Vec::from([
            ("cluster", text("The Envoy cluster that reaches the admin.")),
            ("targets", names("The clusters whose hosts are polled.")),
            (
                "interval",
                time(SHORTEST_INTERVAL, "Poll interval.").default(duration(DEFAULT_INTERVAL)),
            ),
            (
                "metadata_interval",
                time(
                    SHORTEST_INTERVAL,
                    "Poll interval for endpoint metadata. If absent, they are polled with the hosts, for clusters whose filter has criteria or a subset_chain.",
                ),
            ),
        ]),
        required: &["cluster", "targets"],
        rules: Fields::new(),
    }
}
