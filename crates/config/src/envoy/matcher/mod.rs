//! Matchers for strings, headers, query parameters, cookies, runtime fractions and whole requests.

mod conditions;
mod header;
mod regex;
mod route_match;
mod string_match;

pub(crate) use conditions::{
    FRACTION_DENOMINATOR, read_cookie, read_fraction, read_query_parameter,
};
pub(crate) use header::read_header;
pub(crate) use regex::{Modeled, read_regex, read_rewrite};
pub(super) use route_match::{not_modeled, read_match_without_tls};
pub(crate) use route_match::{read_match, route_match_schema};
pub(crate) use string_match::{read_string_match, string_match};
