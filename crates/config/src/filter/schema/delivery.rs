//! `output`, `trace` and `access_log`: the headers and logs with decisions.

use alloc::vec::Vec;

use spillgate_core::decide::MAXIMUM_CANDIDATES;

use super::{
    Described,
    kinds::{flag, header, headers_by_key, list, long_text, named, one, one_value, percent, whole},
};
use crate::{
    filter::{
        DEFAULT_TRACE_HEADER, Output,
        trace::{ACCESS_LOG, SHORTEST_SECRET, TRACE, WHEN},
    },
    output::{MODES, OUTPUT},
    write::{Fields, within},
};

pub(super) fn output() -> Described {
    let default = Output::default();
    let most = u32::try_from(MAXIMUM_CANDIDATES).unwrap_or(u32::MAX);
    let by_subset = one_value("mode", "subset_headers");
    Described {
        name: "output",
        schema: &OUTPUT,
        about: "The headers of the decision, and the mechanism of Envoy that reads them.",
        fields: Vec::from([
            (
                "mode",
                named(
                    &MODES,
                    "Writes an override host list for the override_host policy, one host for the stateful_session filter, or a subset for Envoy's subset balancer.",
                ),
            ),
            (
                "host_header",
                header("The header with the hosts.").default(default.host_header),
            ),
            (
                "cluster_header",
                header("The header with the member cluster of the hosts.")
                    .default(default.cluster_header),
            ),
            (
                "candidates",
                whole(
                    1,
                    most,
                    "Maximum hosts in the override host list; retries use the next host.",
                )
                .default(u64::try_from(default.candidates).unwrap_or(u64::MAX)),
            ),
            (
                "attempts_per_cluster",
                whole(
                    1,
                    most,
                    "Attempts in the first cluster, at most candidates; later ones go to the next cluster. All attempts stay in one cluster if absent.",
                ),
            ),
            (
                "subset_headers",
                headers_by_key(
                    "The header of each subset key. Required with mode subset_headers, not allowed otherwise.",
                ),
            ),
            (
                "route_strips_response_headers",
                flag(
                    "The routes strip the internal headers from responses with response_headers_to_remove, so that the filter does not.",
                ),
            ),
        ]),
        required: &[],
        rules: within("if", by_subset)
            .with("then", within("required", list(["subset_headers"])))
            .with(
                "else",
                within("properties", within("subset_headers", false)),
            ),
    }
}

pub(super) fn trace() -> Described {
    Described {
        name: "trace",
        schema: &TRACE,
        about: "A response header with the decision as JSON.",
        fields: Vec::from([
            (
                "header",
                header("Header name.").default(DEFAULT_TRACE_HEADER),
            ),
            ("when", one("trace_condition", "Requests that get it.")),
            ("steps", flag("Adds the steps of the decision.")),
        ]),
        required: &["when"],
        rules: Fields::new(),
    }
}

pub(super) fn trace_condition() -> Described {
    Described {
        name: "trace_condition",
        schema: &WHEN,
        about: "The secret of the client.",
        fields: Vec::from([
            ("header", header("Request header.")),
            (
                "value",
                long_text(SHORTEST_SECRET, "Required value, a secret."),
            ),
        ]),
        required: &["header", "value"],
        rules: Fields::new(),
    }
}

pub(super) fn access_log() -> Described {
    Described {
        name: "access_log",
        schema: &ACCESS_LOG,
        about: "Decisions as JSON in filter state: %FILTER_STATE(wasm.spillgate.decision:PLAIN)%.",
        fields: Vec::from([
            ("percent", percent("Percentage of decisions.")),
            ("steps", flag("Adds the steps of the decisions.")),
        ]),
        required: &["percent"],
        rules: Fields::new(),
    }
}
