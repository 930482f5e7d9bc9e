//! Matchers for strings, headers, query parameters, cookies and runtime fractions.

mod conditions;
mod header;
mod regex;
mod string_match;

pub(crate) use conditions::{
    FRACTION_DENOMINATOR, read_cookie, read_fraction, read_query_parameter,
};
pub(crate) use header::read_header;
pub(crate) use regex::{Modeled, read_regex, read_rewrite};
pub(crate) use string_match::{read_string_match, string_match};
