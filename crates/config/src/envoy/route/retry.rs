//! `RetryPolicy`: the parts that affect host selection.

use alloc::{format, vec::Vec};
use core::time::Duration;

use spillgate_core::route::{HeaderMatch, HostPredicate, RetryBackOff, RetryPolicy};

use super::retry_time::{back_off, per_try_timeout};
use crate::{
    envoy::{
        common::envoy_lb,
        facts::{FieldPlace, RetryFacts},
        matcher::read_header,
        schema::{OMIT_HOST_METADATA, PREVIOUS_PRIORITIES, RETRY_EXTENSION, RETRY_POLICY},
    },
    proto::{Any, Message, Report},
};

/// The prefix of the types of retry extensions, and the names of the modeled ones.
pub(crate) const RETRY_PREFIX: &str = "envoy.extensions.retry.";
/// Retries avoid the priorities of earlier attempts.
pub(crate) const PREVIOUS_PRIORITIES_TYPE: &str =
    "priority.previous_priorities.v3.PreviousPrioritiesConfig";
/// Retries avoid the hosts of earlier attempts.
pub(crate) const PREVIOUS_HOSTS_TYPE: &str = "host.previous_hosts.v3.PreviousHostsPredicate";
/// Retries avoid canary hosts.
pub(crate) const OMIT_CANARY_HOSTS_TYPE: &str =
    "host.omit_canary_hosts.v3.OmitCanaryHostsPredicate";
/// Retries avoid hosts with certain metadata.
pub(crate) const OMIT_HOST_METADATA_TYPE: &str =
    "host.omit_host_metadata.v3.OmitHostMetadataConfig";

/// A retry policy as read.
#[derive(Debug, Clone, Default)]
pub(super) struct ReadRetry {
    pub(super) policy: RetryPolicy,
    /// How long its retries wait.
    pub(super) back_off: RetryBackOff,
    /// The timeout of an attempt; `None` for none.
    pub(super) per_try_timeout: Option<Duration>,
    /// For lint, if it has conditions.
    pub(super) facts: Option<RetryFacts>,
}

/// Reads the retry policy of a route or a virtual host; `None` if absent. Envoy 1.40 accepts the typed form
/// and does not use it.
pub(super) fn read_retry(parent: &Message<'_, '_>, report: &mut Report) -> Option<ReadRetry> {
    let field = "retry_policy_typed_config";
    if parent.has(field) {
        const WHAT: &str = "retry_policy_typed_config has no effect in Envoy; use retry_policy";
        let (path, position) = (parent.path.field(field), parent.position_of(field));
        report.note("config/no-effect", WHAT, &path, position);
    }
    let message = parent.message("retry_policy", &RETRY_POLICY, report)?;
    Some(read_policy(&message, report))
}

fn read_policy(message: &Message<'_, '_>, report: &mut Report) -> ReadRetry {
    let mut policy = RetryPolicy::default();
    let retries = message.string("retry_on", report);
    if let Some((any, name)) = extension(message, "retry_priority", report) {
        match name {
            PREVIOUS_PRIORITIES_TYPE => {
                policy.previous_priorities = previous_priorities(any, report);
            }
            name => not_modeled(&any, name, report),
        }
    }
    for (path, node) in message.list("retry_host_predicate", report) {
        let Some(predicate) = Message::open(node, path, &RETRY_EXTENSION, report) else {
            continue;
        };
        let Some((any, name)) = config_of(&predicate, report) else {
            policy
                .predicates
                .extend(named_predicate(&predicate, report));
            continue;
        };
        match name {
            PREVIOUS_HOSTS_TYPE => {
                policy.predicates.push(HostPredicate::PreviousHosts);
            }
            OMIT_CANARY_HOSTS_TYPE => {
                policy.predicates.push(HostPredicate::OmitCanaryHosts);
            }
            OMIT_HOST_METADATA_TYPE => {
                if let Some(config) = any.open(&OMIT_HOST_METADATA, report) {
                    let metadata = envoy_lb(&config, "metadata_match", report);
                    policy
                        .predicates
                        .push(HostPredicate::OmitHostMetadata(metadata));
                }
            }
            name => not_modeled(&any, name, report),
        }
    }
    // 0 means unset.
    let attempts = message.u32("host_selection_retry_max_attempts", report);
    policy.host_selection_attempts = attempts.unwrap_or(1).max(1);
    policy.refreshes_cluster = message.bool("refresh_cluster_on_retry", report) == Some(true);
    policy.retry_on = retries.unwrap_or_default().into();
    policy.retries = message.wrapped_u32("num_retries", report).unwrap_or(1);
    if policy.retry_on.is_empty() {
        // Without a condition, Envoy keeps no retry state and calls no extension.
        return ReadRetry {
            per_try_timeout: per_try_timeout(message),
            ..ReadRetry::default()
        };
    }
    policy.request_headers = request_headers(message, report);
    policy.status_codes = status_codes(message, report);
    let facts = report.is_judged().then(|| RetryFacts {
        place: FieldPlace::of(message),
        count: policy.retries.into(),
    });
    ReadRetry {
        policy,
        back_off: back_off(message, report),
        per_try_timeout: per_try_timeout(message),
        facts,
    }
}

/// The statuses of the condition `retriable-status-codes`; one beyond 16 bits is that of no response.
fn status_codes(message: &Message<'_, '_>, report: &mut Report) -> Vec<u16> {
    let codes = message.u32_list("retriable_status_codes", report);
    let codes = codes.into_iter();
    codes.filter_map(|code| u16::try_from(code).ok()).collect()
}

/// The conditions on the headers of requests.
fn request_headers(message: &Message<'_, '_>, report: &mut Report) -> Vec<HeaderMatch> {
    let field = "retriable_request_headers";
    let mut conditions = Vec::new();
    for (path, node) in message.list(field, report) {
        match read_header(node, path.clone(), report) {
            Ok(condition) => conditions.extend(condition),
            Err(kind) => report.limit(
                "config/not-modeled",
                format!("{field} with {kind} is not modeled; other requests can be retried"),
                &path,
                node.position,
            ),
        }
    }
    conditions
}

fn previous_priorities(any: Any<'_, '_>, report: &mut Report) -> Option<u32> {
    let config = any.open(&PREVIOUS_PRIORITIES, report)?;
    let frequency = config.u32("update_frequency", report);
    // The field is signed.
    let legal = frequency.filter(|tries| (1..=i32::MAX.unsigned_abs()).contains(tries));
    if legal.is_none() {
        config.out_of_range(
            "update_frequency",
            "an integer from 1 to 2147483647",
            report,
        );
    }
    legal
}

fn extension<'n, 'a>(
    message: &Message<'n, 'a>,
    field: &'static str,
    report: &mut Report,
) -> Option<(Any<'n, 'a>, &'n str)> {
    config_of(&message.message(field, &RETRY_EXTENSION, report)?, report)
}

/// The config of a retry extension, which determines its kind, and its type name after
/// `envoy.extensions.retry.`.
fn config_of<'n, 'a>(
    extension: &Message<'n, 'a>,
    report: &mut Report,
) -> Option<(Any<'n, 'a>, &'n str)> {
    let Some(any) = extension.any("typed_config", report) else {
        if !extension.has("typed_config") {
            let what = "retry extension without a config";
            report.tolerate(extension.error("typed_config", "config/missing", what));
        }
        return None;
    };
    let name = any
        .type_name
        .strip_prefix(RETRY_PREFIX)
        .unwrap_or(any.type_name);
    Some((any, name))
}

/// The host predicate that older versions of Envoy find by its name, without a config.
fn named_predicate(extension: &Message<'_, '_>, report: &mut Report) -> Option<HostPredicate> {
    match extension.string("name", report)? {
        "envoy.retry_host_predicates.previous_hosts" => Some(HostPredicate::PreviousHosts),
        "envoy.retry_host_predicates.omit_canary_hosts" => Some(HostPredicate::OmitCanaryHosts),
        _ => None,
    }
}

fn not_modeled(any: &Any<'_, '_>, name: &str, report: &mut Report) {
    report.missing_feature(
        "config/not-modeled",
        &format!("retry extension {name}"),
        "ignored",
        &any.path,
        any.node.position,
    );
}
