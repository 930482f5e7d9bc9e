//! Route conditions on query parameters, cookies and runtime fractions.

use alloc::format;

use spillgate_core::route::{CookieMatch, QueryMatch, QueryMatcher};

use super::{regex::Modeled, string_match::read_string_match};
use crate::{
    envoy::schema::{COOKIE_MATCHER, FRACTIONAL_PERCENT, QUERY_MATCHER, RUNTIME_FRACTION},
    node::Node,
    proto::{Message, Path, Report},
};

/// Reads a `QueryParameterMatcher`.
pub(crate) fn read_query_parameter(
    node: &Node<'_>,
    path: Path,
    report: &mut Report,
) -> Modeled<QueryMatch> {
    const LONGEST: usize = 1024;
    let Some(message) = Message::open(node, path, &QUERY_MATCHER, report) else {
        return Ok(None);
    };
    message.one_of(&["string_match", "present_match"], report);
    let name = message.required_string("name", report);
    if name.is_some_and(|name| name.len() > LONGEST) {
        message
            .error("name", "config/value", "name is too long")
            .expected(format!("at most {LONGEST} bytes"))
            .push_to(report);
    }
    let matcher = if message.has("string_match") {
        read_string_match(&message, "string_match", report)?.map(QueryMatcher::Text)
    } else {
        let present = message.bool("present_match", report).unwrap_or(true);
        Some(QueryMatcher::Present(present))
    };
    Ok(name.zip(matcher).map(|(name, matcher)| QueryMatch {
        name: name.into(),
        matcher,
    }))
}

/// Reads a `CookieMatcher`.
pub(crate) fn read_cookie(
    node: &Node<'_>,
    path: Path,
    report: &mut Report,
) -> Modeled<CookieMatch> {
    let Some(message) = Message::open(node, path, &COOKIE_MATCHER, report) else {
        return Ok(None);
    };
    let name = message.required_string("name", report);
    let invert = message.bool("invert_match", report).unwrap_or(false);
    message.require("string_match", report);
    let text = read_string_match(&message, "string_match", report)?;
    Ok(name.zip(text).map(|(name, text)| CookieMatch {
        name: name.into(),
        text,
        invert,
    }))
}

/// The share of its requests that a route matches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Chance {
    Never,
    Sometimes,
    Always,
}

/// Reads `runtime_fraction` with its default; runtime values are unknown here.
pub(crate) fn read_chance(message: &Message<'_, '_>, report: &mut Report) -> Chance {
    const DENOMINATOR: [(&str, i64, u32); 3] = [
        ("HUNDRED", 0, 100),
        ("TEN_THOUSAND", 1, 10_000),
        ("MILLION", 2, 1_000_000),
    ];
    let field = "runtime_fraction";
    let Some(fraction) = message.message(field, &RUNTIME_FRACTION, report) else {
        return Chance::Always;
    };
    let Some(percent) = fraction.message("default_value", &FRACTIONAL_PERCENT, report) else {
        fraction.require("default_value", report);
        return Chance::Always;
    };
    if let Some(key) = fraction.string("runtime_key", report)
        && !key.is_empty()
    {
        let path = fraction.path.field("runtime_key");
        let position = fraction.position_of("runtime_key");
        let (code, what) = ("config/runtime-not-modelled", "a route's runtime key");
        report.missing_feature(code, what, "using its default", &path, position);
    }
    let numerator = percent.u32("numerator", report).unwrap_or(0);
    let denominator = percent.enumeration("denominator", &DENOMINATOR, report);
    match numerator {
        0 => Chance::Never,
        n if n >= denominator.unwrap_or(100) => Chance::Always,
        _ => Chance::Sometimes,
    }
}
