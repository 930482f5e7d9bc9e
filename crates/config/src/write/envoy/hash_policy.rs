//! `RouteAction.hash_policy`, and the `hash_policy` of hash policies.

use alloc::format;

use spillgate_core::route::{CookieSource, HashPolicy, HashSource, RegexRewrite};

use super::super::tree::{Fields, within};

/// The policies, in order.
pub(crate) fn hash_policies(policies: &[HashPolicy]) -> impl Iterator<Item = Fields> {
    policies
        .iter()
        .map(|policy| source(&policy.source).with_flag("terminal", policy.terminal))
}

fn source(source: &HashSource) -> Fields {
    match source {
        HashSource::Header { name, rewrite } => within(
            "header",
            within("header_name", name.as_str())
                .with_some("regex_rewrite", rewrite.as_ref().map(regex_rewrite)),
        ),
        HashSource::Cookie(cookie) => within("cookie", self::cookie(cookie)),
        HashSource::QueryParameter { name } => {
            within("query_parameter", within("name", name.as_str()))
        }
        HashSource::FilterState { key } => within("filter_state", within("key", key.as_str())),
        // The source address, and sources that the engine supports before this writer.
        _ => within("connection_properties", within("source_ip", true)),
    }
}

fn cookie(cookie: &CookieSource) -> Fields {
    let attributes = cookie.attributes.iter();
    within("name", cookie.name.as_str())
        .with_some("ttl", cookie.ttl.map(|seconds| format!("{seconds}s")))
        .with_text("path", &cookie.path)
        .with_list(
            "attributes",
            attributes.map(|(name, value)| within("name", name.as_str()).with_text("value", value)),
        )
}

/// A `RegexMatchAndSubstitute`.
pub(super) fn regex_rewrite(rewrite: &RegexRewrite) -> Fields {
    within("pattern", within("regex", rewrite.source()))
        .with("substitution", rewrite.substitution())
}
