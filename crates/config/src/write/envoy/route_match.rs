//! `RouteMatch`: the conditions of a route.

use alloc::format;

use spillgate_core::route::{
    CookieMatch, FractionDenominator, FractionalPercent, HeaderMatch, HeaderMatcher, PathMatch,
    QueryMatch, QueryMatcher, RouteMatch, StringMatch, TextMatch,
};

use super::super::{
    names::name_of,
    tree::{Fields, within},
};
use crate::{Diagnostic, envoy::FRACTION_DENOMINATOR, proto::Report};

/// The match as a message. Conditions that are not modeled are lost.
pub(crate) fn route_match(of: &RouteMatch, report: &mut Report) -> Fields {
    if let Some(field) = of.unmodeled {
        forgotten(field, report);
    }
    let path = match &of.path {
        PathMatch::Prefix(prefix) => within("prefix", prefix.as_str()),
        PathMatch::Exact(path) => within("path", path.as_str()),
        PathMatch::PathSeparatedPrefix(prefix) => within("path_separated_prefix", prefix.as_str()),
        PathMatch::Regex(pattern) => within("safe_regex", within("regex", pattern.source())),
        PathMatch::Unmodeled => Fields::new(),
    };
    path.with_unless("case_sensitive", of.case_sensitive, true)
        .with_list("headers", of.headers.iter().map(header))
        .with_list("query_parameters", of.query_parameters.iter().map(query))
        .with_list("cookies", of.cookies.iter().map(cookie))
        .with_some("grpc", of.grpc.then(Fields::new))
        .with_some("runtime_fraction", of.fraction.map(runtime_fraction))
}

/// A `RuntimeFractionalPercent` without a runtime key.
fn runtime_fraction(of: FractionalPercent) -> Fields {
    let percent = within("numerator", of.numerator).with_unless(
        "denominator",
        name_of(&FRACTION_DENOMINATOR, &of.denominator),
        name_of(&FRACTION_DENOMINATOR, &FractionDenominator::default()),
    );
    within("default_value", percent)
}

/// Reports a part that the reader did not model.
pub(super) fn forgotten(field: &str, report: &mut Report) {
    report.push(Diagnostic::error(
        "write/route",
        format!("{field} of a route is not modeled and cannot be written"),
    ));
}

pub(super) fn header(of: &HeaderMatch) -> Fields {
    let name = within("name", of.name.as_str());
    let matcher = match &of.matcher {
        HeaderMatcher::Present(present) => name.with("present_match", *present),
        HeaderMatcher::Range { start, end } => {
            name.with("range_match", within("start", *start).with("end", *end))
        }
        // Only the deprecated field allows an empty text that just requires the header.
        HeaderMatcher::Text(StringMatch {
            text: TextMatch::Prefix(prefix),
            ..
        }) if prefix.is_empty() => name.with("exact_match", ""),
        HeaderMatcher::Text(text) => name.with("string_match", string_match(text)),
    };
    matcher
        .with_flag("invert_match", of.invert)
        .with_flag("treat_missing_header_as_empty", of.missing_as_empty)
}

fn query(of: &QueryMatch) -> Fields {
    let name = within("name", of.name.as_str());
    match &of.matcher {
        QueryMatcher::Present(present) => name.with("present_match", *present),
        QueryMatcher::Text(text) => name.with("string_match", string_match(text)),
    }
}

fn cookie(of: &CookieMatch) -> Fields {
    within("name", of.name.as_str())
        .with("string_match", string_match(&of.text))
        .with_flag("invert_match", of.invert)
}

pub(super) fn string_match(of: &StringMatch) -> Fields {
    let text = match &of.text {
        TextMatch::Exact(text) => within("exact", text.as_str()),
        TextMatch::Prefix(text) => within("prefix", text.as_str()),
        TextMatch::Suffix(text) => within("suffix", text.as_str()),
        TextMatch::Contains(text) => within("contains", text.as_str()),
        TextMatch::Regex(pattern) => within("safe_regex", within("regex", pattern.source())),
    };
    text.with_flag("ignore_case", of.ignore_case)
}
