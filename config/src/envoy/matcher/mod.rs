//! Matchers for strings, headers, query parameters, cookies and runtime fractions.

mod conditions;
mod header;
mod regex;
mod string_match;

pub(crate) use conditions::{Chance, read_chance, read_cookie, read_query_parameter};
pub(crate) use header::read_header;
pub(crate) use regex::{Modeled, read_regex, read_rewrite};
