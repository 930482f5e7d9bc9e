//! Route conditions on query parameters, cookies and runtime fractions.

use alloc::format;

use spillgate_core::route::{
    CookieMatch, FractionDenominator, FractionalPercent, QueryMatch, QueryMatcher,
};

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

/// The values of `FractionalPercent.DenominatorType`.
pub(crate) const FRACTION_DENOMINATOR: [(&str, i64, FractionDenominator); 3] = [
    ("HUNDRED", 0, FractionDenominator::Hundred),
    ("TEN_THOUSAND", 1, FractionDenominator::TenThousand),
    ("MILLION", 2, FractionDenominator::Million),
];

/// Reads `runtime_fraction`: the value of its runtime key, or else its default. `None` if the match has no
/// fraction.
pub(crate) fn read_fraction(
    message: &Message<'_, '_>,
    report: &mut Report,
) -> Option<FractionalPercent> {
    let fraction = message.message("runtime_fraction", &RUNTIME_FRACTION, report)?;
    let Some(percent) = fraction.message("default_value", &FRACTIONAL_PERCENT, report) else {
        fraction.require("default_value", report);
        return None;
    };
    let numerator = percent.u32("numerator", report).unwrap_or(0);
    let denominator = percent.enumeration("denominator", &FRACTION_DENOMINATOR, report);
    let default = FractionalPercent::new(numerator, denominator.unwrap_or_default());
    let key = fraction.string("runtime_key", report).unwrap_or_default();
    if key.is_empty() {
        return Some(default);
    }
    let path = fraction.path.field("runtime_key");
    let position = fraction.position_of("runtime_key");
    report.not_in_filter(
        "config/runtime-not-modeled",
        "a route's runtime key",
        &path,
        position,
    );
    report.has_runtime_key(key, "the default_value of a fraction", &path, position);
    Some(report.runtime_fraction(key).unwrap_or(default))
}
