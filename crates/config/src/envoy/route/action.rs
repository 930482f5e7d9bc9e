//! The action of a route: forward, redirect, respond.

use alloc::string::String;

use spillgate_core::route::{ClusterName, Forward, RouteAction, RouteTarget};

use super::{
    cluster_matcher::{MATCHER_TYPE, read_cluster_matcher},
    context::{ActionContext, check_cluster},
    hash_policy::read_with_cookies,
    priority_group::{PRIORITY_GROUP_TYPE, read_priority_groups},
    retry::{ReadRetry, read_retry},
    retry_time::read_retry_time,
    rewrite::read_rewrites,
    weighted::{name_kept_changes, read_criteria, read_weighted},
};
use crate::{
    envoy::{
        common::HIGH_PRIORITY,
        facts::RouteFacts,
        matcher::not_modeled,
        plugin::{configuration_text, is_dynamic_module},
        schema::{
            CLUSTER_SPECIFIER_PLUGIN, DIRECT_RESPONSE, REDIRECT, ROUTE_ACTION, TYPED_EXTENSION,
        },
    },
    proto::{Any, Message, Report, field_of},
};

/// The type of our dynamic module's cluster specifier.
pub(crate) const CLUSTER_SPECIFIER_TYPE: &str =
    "envoy.extensions.router.cluster_specifiers.dynamic_modules.v3.DynamicModuleClusterSpecifier";

/// The values of `RouteAction.ClusterNotFoundResponseCode`.
pub(crate) const CLUSTER_NOT_FOUND: [(&str, i64, u16); 3] = [
    ("SERVICE_UNAVAILABLE", 0, 503),
    ("NOT_FOUND", 1, 404),
    ("INTERNAL_SERVER_ERROR", 2, 500),
];

/// Reads the action of a route; `retry` is the policy of its virtual host, `facts` are those of the
/// route. `None` after an error.
pub(super) fn read_action(
    message: &Message<'_, '_>,
    retry: &Option<ReadRetry>,
    context: &ActionContext<'_>,
    facts: &mut RouteFacts,
    report: &mut Report,
) -> Option<RouteAction> {
    const ACTIONS: [&str; 5] = [
        "route",
        "redirect",
        "direct_response",
        "filter_action",
        "non_forwarding_action",
    ];
    message.one_of(&ACTIONS, report);
    match ACTIONS.into_iter().find(|action| message.has(action)) {
        Some("route") => {
            let action = message.message("route", &ROUTE_ACTION, report)?;
            read_forward(&action, retry, context, facts, report)
        }
        Some("redirect") => read_redirect(message, report),
        Some("direct_response") => read_direct_response(message, report),
        Some(action) => {
            not_modeled(message, action, "a route with", report);
            Some(RouteAction::Unmodeled(action))
        }
        None => {
            message
                .error("route", "config/missing", "route without an action")
                .expected("route, redirect or direct_response")
                .push_to(report);
            None
        }
    }
}

fn read_forward(
    action: &Message<'_, '_>,
    retry: &Option<ReadRetry>,
    context: &ActionContext<'_>,
    facts: &mut RouteFacts,
    report: &mut Report,
) -> Option<RouteAction> {
    const TARGETS: [&str; 5] = [
        "cluster",
        "cluster_header",
        "weighted_clusters",
        "cluster_specifier_plugin",
        "inline_cluster_specifier_plugin",
    ];
    action.one_of(&TARGETS, report);
    if report.is_judged() {
        facts.found_action(action);
    }
    let hash_policies = read_with_cookies(action, "hash_policy", &mut facts.cookies, report);
    let criteria = read_criteria(action, &mut facts.scalars, report);
    let retry = read_retry(action, report)
        .or_else(|| retry.clone())
        .unwrap_or_default();
    facts.high_priority = action.enumeration("priority", &HIGH_PRIORITY, report) == Some(true);
    facts.retry_time = read_retry_time(
        action,
        (retry.policy.retries, retry.back_off),
        retry.per_try_timeout,
    );
    facts.retries = retry.facts;
    let status = action.enumeration(
        "cluster_not_found_response_code",
        &CLUSTER_NOT_FOUND,
        report,
    );
    let target = match TARGETS.into_iter().find(|target| action.has(target)) {
        Some("weighted_clusters") => {
            let weighted = read_weighted(action, &criteria, context, facts, report)?;
            if retry.policy.refreshes_cluster {
                name_kept_changes(action, &weighted, &criteria, report);
            }
            RouteTarget::Weighted(weighted)
        }
        Some(field @ "cluster_header") => {
            let header = action.required_string(field, report)?;
            RouteTarget::One(ClusterName::Header(header.to_ascii_lowercase()))
        }
        Some(plugin @ "inline_cluster_specifier_plugin")
            if let Some(specifier) = specifier(action, plugin, report)
                && is_modeled(&specifier) =>
        {
            let refreshes = retry.policy.refreshes_cluster;
            match specifier.type_name {
                PRIORITY_GROUP_TYPE => RouteTarget::Weighted(read_priority_groups(
                    specifier, refreshes, &criteria, context, facts, report,
                )?),
                MATCHER_TYPE => match read_cluster_matcher(specifier, refreshes, context, report) {
                    Ok(matcher) => RouteTarget::Matched(matcher?),
                    Err(part) => return Some(RouteAction::Unmodeled(part)),
                },
                _ => RouteTarget::Chosen(chosen_by_module(&specifier)?),
            }
        }
        Some(plugin) if plugin != "cluster" => {
            not_modeled(action, plugin, "a route with", report);
            return Some(RouteAction::Unmodeled(plugin));
        }
        _ => {
            let name = action.required_string("cluster", report)?;
            check_cluster(action, "cluster", name, context, report);
            RouteTarget::One(ClusterName::Name(name.into()))
        }
    };
    Some(RouteAction::Forward(Forward {
        target,
        criteria,
        hash_policies,
        rewrite: read_rewrites(action, report),
        retry: retry.policy,
        cluster_not_found: status.unwrap_or(503),
    }))
}

/// The specifier in a plugin.
fn specifier<'n, 'a>(
    action: &Message<'n, 'a>,
    field: &'static str,
    report: &mut Report,
) -> Option<Any<'n, 'a>> {
    let plugin = action.message(field, &CLUSTER_SPECIFIER_PLUGIN, report)?;
    let extension = plugin.message("extension", &TYPED_EXTENSION, report)?;
    extension.any("typed_config", report)
}

/// Whether the choice of a specifier is modeled.
fn is_modeled(specifier: &Any<'_, '_>) -> bool {
    [PRIORITY_GROUP_TYPE, MATCHER_TYPE].contains(&specifier.type_name)
        || chosen_by_module(specifier).is_some()
}

/// The cluster of requests that the filter has not decided, if the specifier is our dynamic module's.
fn chosen_by_module(specifier: &Any<'_, '_>) -> Option<String> {
    let is_ours =
        specifier.type_name == CLUSTER_SPECIFIER_TYPE && is_dynamic_module(specifier.node);
    let config = field_of(specifier.node, "specifier_config").map(configuration_text);
    is_ours.then(|| config.unwrap_or_default().into_owned())
}

fn read_redirect(message: &Message<'_, '_>, report: &mut Report) -> Option<RouteAction> {
    const RESPONSE_CODE: [(&str, i64, u16); 5] = [
        ("MOVED_PERMANENTLY", 0, 301),
        ("FOUND", 1, 302),
        ("SEE_OTHER", 2, 303),
        ("TEMPORARY_REDIRECT", 3, 307),
        ("PERMANENT_REDIRECT", 4, 308),
    ];
    let redirect = message.message("redirect", &REDIRECT, report)?;
    let status = redirect
        .enumeration("response_code", &RESPONSE_CODE, report)
        .unwrap_or(301);
    Some(RouteAction::Respond { status })
}

fn read_direct_response(message: &Message<'_, '_>, report: &mut Report) -> Option<RouteAction> {
    let direct = message.message("direct_response", &DIRECT_RESPONSE, report)?;
    let status = direct.u32("status", report).map(u16::try_from);
    if let Some(Ok(status @ 200..=599)) = status {
        return Some(RouteAction::Respond { status });
    }
    if status.is_some() || !direct.has("status") {
        direct
            .error("status", "config/value", "invalid response status")
            .expected("an integer from 200 to 599")
            .push_to(report);
    }
    None
}
