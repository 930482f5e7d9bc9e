//! `HeaderMatcher`, in its classic and its `string_match` forms.

use alloc::string::String;

use spillgate_core::route::{HeaderMatch, HeaderMatcher, TextMatch};

use super::schema::{HEADER_MATCHER, STRING_MATCHER};
use crate::{
    node::Node,
    proto::{Message, Path, Report},
};

/// A condition, or the reason why there is none.
pub(super) enum ReadHeader {
    /// A condition that the engine can evaluate.
    Match(HeaderMatch),
    /// A condition of a kind that the engine does not have: the field's name.
    NotModelled(&'static str),
    /// Errors have been reported.
    Faulty,
}

const KINDS: [&str; 8] = [
    "exact_match",
    "safe_regex_match",
    "range_match",
    "present_match",
    "prefix_match",
    "suffix_match",
    "contains_match",
    "string_match",
];

/// Reads one condition.
pub(super) fn read_header(node: &Node<'_>, path: Path, report: &mut Report) -> ReadHeader {
    let Some(message) = Message::open(node, path, &HEADER_MATCHER, report) else {
        return ReadHeader::Faulty;
    };
    message.one_of(&KINDS, report);
    let name = message.required_string("name", report);
    let invert = message.bool("invert_match", report).unwrap_or(false);
    let missing_as_empty = message
        .bool("treat_missing_header_as_empty", report)
        .unwrap_or(false);
    let matcher = match read_matcher(&message, report) {
        Ok(Some(matcher)) => matcher,
        Ok(None) => return ReadHeader::Faulty,
        Err(kind) => return ReadHeader::NotModelled(kind),
    };
    match name {
        Some(name) => ReadHeader::Match(HeaderMatch {
            name: name.to_ascii_lowercase(),
            matcher,
            invert,
            missing_as_empty,
        }),
        None => ReadHeader::Faulty,
    }
}

fn read_matcher(
    message: &Message<'_, '_>,
    report: &mut Report,
) -> Result<Option<HeaderMatcher>, &'static str> {
    let Some(kind) = KINDS.into_iter().find(|kind| message.has(kind)) else {
        return Ok(Some(HeaderMatcher::Present(true)));
    };
    let make: fn(String) -> TextMatch = match kind {
        "present_match" => return Ok(message.bool(kind, report).map(HeaderMatcher::Present)),
        "string_match" => {
            return match message.message(kind, &STRING_MATCHER, report) {
                Some(matcher) => read_text(&matcher, report),
                None => Ok(None),
            };
        }
        "exact_match" => TextMatch::Exact,
        "prefix_match" => TextMatch::Prefix,
        "suffix_match" => TextMatch::Suffix,
        "contains_match" => TextMatch::Contains,
        kind => return Err(kind),
    };
    Ok(message
        .string(kind, report)
        .map(|text| HeaderMatcher::Text {
            text: make(text.into()),
            ignore_case: false,
        }))
}

fn read_text(
    message: &Message<'_, '_>,
    report: &mut Report,
) -> Result<Option<HeaderMatcher>, &'static str> {
    const KINDS: [&str; 6] = [
        "exact",
        "prefix",
        "suffix",
        "contains",
        "safe_regex",
        "custom",
    ];
    message.one_of(&KINDS, report);
    let ignore_case = message.bool("ignore_case", report).unwrap_or(false);
    let Some(kind) = KINDS.into_iter().find(|kind| message.has(kind)) else {
        report.push(message.error(
            "exact",
            "config/missing",
            "a string_match that matches nothing",
        ));
        return Ok(None);
    };
    let make: fn(String) -> TextMatch = match kind {
        "exact" => TextMatch::Exact,
        "prefix" => TextMatch::Prefix,
        "suffix" => TextMatch::Suffix,
        "contains" => TextMatch::Contains,
        kind => return Err(kind),
    };
    // Envoy lets only an exact text be empty.
    let text = match kind {
        "exact" => message.string(kind, report),
        kind => message.required_string(kind, report),
    };
    Ok(text.map(|text| HeaderMatcher::Text {
        text: make(text.into()),
        ignore_case,
    }))
}
