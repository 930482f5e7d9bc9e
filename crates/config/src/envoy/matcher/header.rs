//! `HeaderMatcher`, with its deprecated fields and `string_match`.

use alloc::string::String;

use spillgate_core::route::{HeaderMatch, HeaderMatcher, StringMatch, TextMatch};

use super::{
    regex::{Modeled, read_regex},
    string_match::read_string_match,
};
use crate::{
    envoy::schema::{HEADER_MATCHER, INT64_RANGE},
    node::Node,
    proto::{Message, Path, Report},
};

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
pub(crate) fn read_header(
    node: &Node<'_>,
    path: Path,
    report: &mut Report,
) -> Modeled<HeaderMatch> {
    let Some(message) = Message::open(node, path, &HEADER_MATCHER, report) else {
        return Ok(None);
    };
    message.one_of(&KINDS, report);
    let name = message.required_string("name", report);
    let invert = message.bool("invert_match", report).unwrap_or(false);
    let missing_as_empty = message
        .bool("treat_missing_header_as_empty", report)
        .unwrap_or(false);
    let matcher = read_matcher(&message, report)?;
    Ok(name.zip(matcher).map(|(name, matcher)| HeaderMatch {
        name: name.to_ascii_lowercase(),
        matcher,
        invert,
        missing_as_empty,
    }))
}

fn read_matcher(message: &Message<'_, '_>, report: &mut Report) -> Modeled<HeaderMatcher> {
    let Some(kind) = KINDS.into_iter().find(|kind| message.has(kind)) else {
        return Ok(Some(HeaderMatcher::Present(true)));
    };
    let make: fn(String) -> TextMatch = match kind {
        "present_match" => return Ok(message.bool(kind, report).map(HeaderMatcher::Present)),
        "range_match" => return Ok(read_range(message, report)),
        "string_match" => {
            let text = read_string_match(message, kind, report)?;
            return Ok(text.map(HeaderMatcher::Text));
        }
        "safe_regex_match" => {
            let pattern = read_regex(message, kind, report)?;
            return Ok(pattern.map(|pattern| with_case(TextMatch::Regex(pattern))));
        }
        "exact_match" => {
            let text = message.string(kind, report);
            return Ok(text.map(|text| {
                with_case(match text {
                    // In the deprecated form, an empty text only requires the header.
                    "" => TextMatch::Prefix(String::new()),
                    text => TextMatch::Exact(text.into()),
                })
            }));
        }
        "prefix_match" => TextMatch::Prefix,
        "suffix_match" => TextMatch::Suffix,
        "contains_match" => TextMatch::Contains,
        kind => return Err(kind),
    };
    let text = message.required_string(kind, report);
    Ok(text.map(|text| with_case(make(text.into()))))
}

fn with_case(text: TextMatch) -> HeaderMatcher {
    HeaderMatcher::Text(StringMatch {
        text,
        ignore_case: false,
    })
}

fn read_range(message: &Message<'_, '_>, report: &mut Report) -> Option<HeaderMatcher> {
    let errors = report.errors();
    let range = message.message("range_match", &INT64_RANGE, report)?;
    let start = range.i64("start", report).unwrap_or(0);
    let end = range.i64("end", report).unwrap_or(0);
    (report.errors() == errors).then_some(HeaderMatcher::Range { start, end })
}
