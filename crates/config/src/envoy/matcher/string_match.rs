//! `StringMatcher`.

use alloc::string::String;

use spillgate_core::route::{StringMatch, TextMatch};

use super::regex::{Modeled, read_regex};
use crate::{
    envoy::schema::STRING_MATCHER,
    proto::{Message, Report},
};

const KINDS: [&str; 6] = [
    "exact",
    "prefix",
    "suffix",
    "contains",
    "safe_regex",
    "custom",
];

/// Reads the matcher in a field that is present.
pub(crate) fn read_string_match(
    parent: &Message<'_, '_>,
    field: &'static str,
    report: &mut Report,
) -> Modeled<StringMatch> {
    match parent.message(field, &STRING_MATCHER, report) {
        Some(message) => string_match(&message, report),
        None => Ok(None),
    }
}

/// Reads a `StringMatcher`.
pub(crate) fn string_match(message: &Message<'_, '_>, report: &mut Report) -> Modeled<StringMatch> {
    message.one_of(&KINDS, report);
    let ignore_case = message.bool("ignore_case", report).unwrap_or(false);
    let Some(kind) = KINDS.into_iter().find(|kind| message.has(kind)) else {
        let what = "empty string_match";
        report.push(message.error("exact", "config/missing", what));
        return Ok(None);
    };
    let make: fn(String) -> TextMatch = match kind {
        "exact" => TextMatch::Exact,
        "prefix" => TextMatch::Prefix,
        "suffix" => TextMatch::Suffix,
        "contains" => TextMatch::Contains,
        "safe_regex" => {
            if ignore_case {
                let what = "ignore_case is not allowed with safe_regex";
                message
                    .error("ignore_case", "config/value", what)
                    .expected("(?i) in the expression")
                    .push_to(report);
            }
            let text = read_regex(message, kind, report)?.map(TextMatch::Regex);
            return Ok(text.map(|text| StringMatch {
                text,
                ignore_case: false,
            }));
        }
        kind => return Err(kind),
    };
    // Envoy allows an empty text only for exact matches.
    let text = match kind {
        "exact" => message.string(kind, report),
        kind => message.required_string(kind, report),
    };
    Ok(text.map(|text| StringMatch {
        text: make(text.into()),
        ignore_case,
    }))
}
