//! `output`, `trace` and `access_log`: where a decision goes.

use alloc::vec::Vec;

use spillgate_core::decide::MAXIMUM_CANDIDATES;

use super::{
    Described,
    kinds::{flag, header, headers_by_key, list, named, one, one_value, percent, text, whole},
};
use crate::{
    filter::{
        DEFAULT_TRACE_HEADER, Output,
        output::{MODES, OUTPUT},
        trace::{ACCESS_LOG, TRACE, WHEN},
    },
    write::{Fields, within},
};

pub(super) fn output() -> Described {
    let default = Output::default();
    let most = u32::try_from(MAXIMUM_CANDIDATES).unwrap_or(u32::MAX);
    let by_subset = one_value("mode", "subset_headers");
    Described {
        name: "output",
        schema: &OUTPUT,
        about: "Which headers carry the decision, and for which of Envoy's mechanisms.",
        fields: Vec::from([
            (
                "mode",
                named(
                    &MODES,
                    "A list of hosts for the override_host policy, one host for the stateful_session filter, or a subset for Envoy's own balancer.",
                ),
            ),
            (
                "host_header",
                header("The header of the hosts.").default(default.host_header),
            ),
            (
                "cluster_header",
                header("The header of the cluster that owns them.").default(default.cluster_header),
            ),
            (
                "candidates",
                whole(
                    1,
                    most,
                    "The most hosts in the list; Envoy's retries walk it.",
                )
                .default(u64::try_from(default.candidates).unwrap_or(u64::MAX)),
            ),
            (
                "subset_headers",
                headers_by_key(
                    "The header of each key of a subset; with the mode subset_headers, and only with it.",
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
            ("header", header("Its name.").default(DEFAULT_TRACE_HEADER)),
            ("when", one("trace_condition", "Who gets it.")),
            (
                "steps",
                flag("Whether it also says how the decision came about."),
            ),
        ]),
        required: &["when"],
        rules: Fields::new(),
    }
}

pub(super) fn trace_condition() -> Described {
    Described {
        name: "trace_condition",
        schema: &WHEN,
        about: "The secret that a caller presents.",
        fields: Vec::from([
            ("header", header("The request header.")),
            ("value", text("The value that it must have.")),
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
            ("percent", percent("How many percent of the decisions.")),
            ("steps", flag("Whether they also say how they came about.")),
        ]),
        required: &["percent"],
        rules: Fields::new(),
    }
}
