//! Regular expressions, if the reader has a compiler for them.

use alloc::format;

use spillgate_core::route::{Pattern, RegexRewrite};

use crate::{
    envoy::schema::{REGEX_MATCHER, REGEX_REWRITE},
    proto::{Message, Report},
};

/// A matcher; `Ok(None)` after errors, `Err` with the name of a field that is not modeled.
pub(crate) type Modeled<T> = Result<Option<T>, &'static str>;

/// Reads a `RegexMatcher`.
pub(crate) fn read_regex(
    parent: &Message<'_, '_>,
    field: &'static str,
    report: &mut Report,
) -> Modeled<Pattern> {
    let Some(message) = parent.message(field, &REGEX_MATCHER, report) else {
        return Ok(None);
    };
    let Some(source) = message.required_string("regex", report) else {
        return Ok(None);
    };
    let compile = report.regex().ok_or(field)?;
    match compile(source) {
        Ok(regex) => Ok(Some(Pattern::new(source, regex))),
        Err(why) => {
            let what = format!("invalid regular expression: {why}");
            report.push(message.error("regex", "config/regex", what));
            Ok(None)
        }
    }
}

/// Reads a `RegexMatchAndSubstitute`.
pub(crate) fn read_rewrite(
    parent: &Message<'_, '_>,
    field: &'static str,
    report: &mut Report,
) -> Modeled<RegexRewrite> {
    let Some(message) = parent.message(field, &REGEX_REWRITE, report) else {
        return Ok(None);
    };
    message.require("pattern", report);
    let substitution = message.string("substitution", report).unwrap_or_default();
    let pattern = read_regex(&message, "pattern", report).map_err(|_| field)?;
    let Some(pattern) = pattern else {
        return Ok(None);
    };
    match pattern.rewrite(substitution) {
        Ok(rewrite) => Ok(Some(rewrite)),
        Err(why) => {
            report.push(message.error("substitution", "config/regex", why));
            Ok(None)
        }
    }
}
