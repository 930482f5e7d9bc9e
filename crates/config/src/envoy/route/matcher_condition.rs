//! The conditions of a cluster matcher: on the values of request headers.

use alloc::{boxed::Box, string::String, vec::Vec};

use spillgate_core::route::{HeaderCondition, StringMatch, TextMatch};

use crate::{
    envoy::{
        matcher::{Modeled, not_modeled, read_string_match},
        schema::{HEADER_INPUT, PREDICATE, PREDICATE_LIST, SINGLE_PREDICATE, TYPED_EXTENSION},
    },
    proto::{Message, Report, field_of},
};

/// The type of the input that is modeled.
pub(crate) const HEADER_INPUT_TYPE: &str = "envoy.type.matcher.v3.HttpRequestHeaderMatchInput";

/// Reads a `Predicate`; `Err` with a part that is not modeled and has been reported.
pub(super) fn read_condition(
    message: &Message<'_, '_>,
    report: &mut Report,
) -> Modeled<HeaderCondition> {
    const KINDS: [&str; 4] = [
        "single_predicate",
        "or_matcher",
        "and_matcher",
        "not_matcher",
    ];
    message.one_of(&KINDS, report);
    match KINDS.into_iter().find(|kind| message.has(kind)) {
        Some("single_predicate") => read_single(message, report),
        Some("or_matcher") => {
            Ok(read_several(message, "or_matcher", report)?.map(HeaderCondition::Any))
        }
        Some("and_matcher") => {
            Ok(read_several(message, "and_matcher", report)?.map(HeaderCondition::All))
        }
        Some(kind) => {
            let Some(inner) = message.message(kind, &PREDICATE, report) else {
                return Ok(None);
            };
            let inner = read_condition(&inner, report)?;
            Ok(inner.map(|inner| HeaderCondition::Not(Box::new(inner))))
        }
        None => {
            report.push(message.missing("single_predicate"));
            Ok(None)
        }
    }
}

fn read_several(
    message: &Message<'_, '_>,
    field: &'static str,
    report: &mut Report,
) -> Modeled<Vec<HeaderCondition>> {
    let Some(list) = message.message(field, &PREDICATE_LIST, report) else {
        return Ok(None);
    };
    let elements = list.list("predicate", report);
    let mut conditions = Vec::new();
    let (mut count, mut part) = (0, None);
    for (path, node) in elements {
        count += 1;
        let one = Message::open(node, path, &PREDICATE, report);
        match one.map_or(Ok(None), |one| read_condition(&one, report)) {
            Ok(condition) => conditions.extend(condition),
            Err(not_modeled) => part = part.or(Some(not_modeled)),
        }
    }
    if count < 2 {
        list.error("predicate", "config/value", "too few conditions")
            .expected("at least 2")
            .push_to(report);
    }
    match part {
        Some(part) => Err(part),
        None => Ok(Some(conditions)),
    }
}

fn read_single(message: &Message<'_, '_>, report: &mut Report) -> Modeled<HeaderCondition> {
    let Some(single) = message.message("single_predicate", &SINGLE_PREDICATE, report) else {
        return Ok(None);
    };
    single.one_of(&["value_match", "custom_match"], report);
    let name = read_input(&single, report);
    if single.has("custom_match") {
        not_modeled(&single, "custom_match", "a cluster matcher with", report);
        return Err("custom_match");
    }
    let Some(value) = single.get("value_match") else {
        report.push(single.missing("value_match"));
        return Ok(None);
    };
    if field_of(value, "safe_regex").is_some_and(|regex| field_of(regex, "google_re2").is_none()) {
        single
            .error(
                "value_match",
                "config/missing",
                "safe_regex without google_re2",
            )
            .expected("google_re2: {}")
            .push_to(report);
    }
    let text = read_string_match(&single, "value_match", report).inspect_err(|_| {
        not_modeled(
            &single,
            "value_match",
            "a cluster matcher with this",
            report,
        );
    })?;
    let name = name?;
    Ok(name
        .zip(text)
        .map(|(name, text)| HeaderCondition::Value { name, text }))
}

/// The lower-case name of the header that the conditions of a message compare.
pub(super) fn read_input(message: &Message<'_, '_>, report: &mut Report) -> Modeled<String> {
    message.require("input", report);
    let Some(extension) = message.message("input", &TYPED_EXTENSION, report) else {
        return Ok(None);
    };
    extension.required_string("name", report);
    extension.require("typed_config", report);
    let Some(any) = extension.any("typed_config", report) else {
        return Ok(None);
    };
    if any.type_name != HEADER_INPUT_TYPE {
        not_modeled(message, "input", "a cluster matcher with this", report);
        return Err("input");
    }
    let input = any.open(&HEADER_INPUT, report);
    // Envoy accepts an empty name; no request has such a header.
    Ok(input.map(|input| {
        let name = input.string("header_name", report).unwrap_or_default();
        name.to_ascii_lowercase()
    }))
}

/// The condition of a key in a tree.
pub(super) fn value_of(name: String, text: &str, is_prefix: bool) -> HeaderCondition {
    let make = if is_prefix {
        TextMatch::Prefix
    } else {
        TextMatch::Exact
    };
    let text = StringMatch {
        text: make(text.into()),
        ignore_case: false,
    };
    HeaderCondition::Value { name, text }
}
