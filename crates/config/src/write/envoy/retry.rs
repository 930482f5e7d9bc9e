//! `RetryPolicy`: the parts that affect host selection.

use alloc::format;

use spillgate_core::route::{HostPredicate, RetryPolicy};

use super::{
    super::tree::{Fields, within},
    metadata::envoy_lb,
    route_match::header,
};
use crate::envoy::{
    OMIT_CANARY_HOSTS_TYPE, OMIT_HOST_METADATA_TYPE, PREVIOUS_HOSTS_TYPE, PREVIOUS_PRIORITIES_TYPE,
    RETRY_PREFIX,
};

/// The policy, empty for the default. A policy without a condition gets `5xx`, because it would have
/// no effect.
pub(super) fn retry_policy(policy: &RetryPolicy) -> Fields {
    if *policy == RetryPolicy::NONE {
        return Fields::new();
    }
    let priority = policy.previous_priorities.map(|frequency| {
        extension(
            "envoy.retry_priorities.previous_priorities",
            PREVIOUS_PRIORITIES_TYPE,
            within("update_frequency", frequency),
        )
    });
    let retry_on = match policy.retry_on.as_str() {
        "" => "5xx",
        stated => stated,
    };
    within("retry_on", retry_on)
        .with_unless("num_retries", policy.retries, 1)
        .with_some("retry_priority", priority)
        .with_list(
            "retry_host_predicate",
            policy.predicates.iter().map(predicate),
        )
        .with_unless(
            "host_selection_retry_max_attempts",
            policy.host_selection_attempts,
            1,
        )
        .with_list(
            "retriable_status_codes",
            policy.status_codes.iter().copied(),
        )
        .with_flag("refresh_cluster_on_retry", policy.refreshes_cluster)
        .with_list(
            "retriable_request_headers",
            policy.request_headers.iter().map(header),
        )
}

fn predicate(of: &HostPredicate) -> Fields {
    let (name, type_name, config) = match of {
        HostPredicate::PreviousHosts => ("previous_hosts", PREVIOUS_HOSTS_TYPE, Fields::new()),
        HostPredicate::OmitCanaryHosts => {
            ("omit_canary_hosts", OMIT_CANARY_HOSTS_TYPE, Fields::new())
        }
        HostPredicate::OmitHostMetadata(metadata) => (
            "omit_host_metadata",
            OMIT_HOST_METADATA_TYPE,
            Fields::new().with_filled("metadata_match", envoy_lb(metadata)),
        ),
    };
    extension(
        &format!("envoy.retry_host_predicates.{name}"),
        type_name,
        config,
    )
}

fn extension(name: &str, type_name: &str, config: Fields) -> Fields {
    let config = Fields::of_type(&format!("{RETRY_PREFIX}{type_name}")).and(config);
    within("name", name).with("typed_config", config)
}
