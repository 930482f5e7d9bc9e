//! Which values are shown by their kind and length: logs keep what is printed, and a value can be a secret by its
//! name, by the name next to it, or by its look.

use alloc::{
    format,
    string::{String, ToString as _},
};

use crate::{field_name::same_name, secret_names::is_secret_name};

/// Fields with the content of files, such as keys and the code of scripts.
const CONTENTS: [&str; 3] = ["inline_bytes", "inline_code", "inline_string"];

/// Fields with a value or a condition on it. The name of the value is next to them, or the field that contains them.
const VALUES: [&str; 20] = [
    "contains",
    "contains_match",
    "default_value",
    "exact",
    "exact_match",
    "literal",
    "prefix",
    "prefix_match",
    "raw_value",
    "regex",
    "regex_match",
    "safe_regex",
    "safe_regex_match",
    "string_match",
    "string_value",
    "suffix",
    "suffix_match",
    "value",
    "value_match",
    "values",
];

/// Fields with the name of such a value.
pub(crate) const NAMES: [&str; 6] = ["header", "header_name", "key", "name", "tag", "tag_name"];

/// Maps whose keys people choose: all below a secret name is a secret.
const MAPS: [&str; 4] = [
    "default_subset",
    "filter_metadata",
    "subset_chain",
    "typed_filter_metadata",
];

/// Numbers with fewer digits are settings, such as `max_tokens`.
const SECRET_DIGITS: usize = 5;

/// The number of base64 digits in a row that a key has at least, whatever they are.
const KEY_DIGITS: usize = 40;

/// The number of letters and digits in a row that a random text has at least.
const RANDOM_LENGTH: usize = 20;

/// The number of hexadecimal digits in a row that a random text has at least.
const RANDOM_DIGITS: usize = 32;

/// Whether a text looks like a secret: a PEM block, a JSON web token, credentials of HTTP, or a long random text.
#[must_use]
pub fn looks_secret(text: &str) -> bool {
    text.contains("-----BEGIN ")
        || has_token(text)
        || has_credentials(text)
        || has_user_info(text)
        || text
            .split(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '+' | '/' | '=')))
            .any(is_random)
}

/// Whether a text has a URI with a password.
fn has_user_info(text: &str) -> bool {
    text.split("://").skip(1).any(|rest| {
        let authority = rest.split(['/', '?', '#', ' ']).next().unwrap_or_default();
        let user = authority.rsplit_once('@').map(|(user, _)| user);
        user.is_some_and(|user| user.contains(':'))
    })
}

/// Whether a text has the start of a JSON web token: the base64 of `{"`, and a point.
fn has_token(text: &str) -> bool {
    let is_digit = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    text.match_indices("eyJ").any(|(start, _)| {
        let rest = text.get(start..).unwrap_or_default();
        let end = rest.trim_start_matches(is_digit);
        end.starts_with('.')
    })
}

/// Whether a text has `Bearer` or `Basic` with a value, as in the header `authorization`.
fn has_credentials(text: &str) -> bool {
    let mut words = text.split([' ', '"', '\'']).map(str::trim);
    while let Some(word) = words.next() {
        let is_scheme = ["bearer", "basic"]
            .iter()
            .any(|scheme| word.eq_ignore_ascii_case(scheme));
        // A word of a sentence is shorter.
        if is_scheme && words.clone().next().is_some_and(|next| next.len() >= 6) {
            return true;
        }
    }
    false
}

/// Whether letters and digits in a row are a long random text, and no name in words or path.
fn is_random(run: &str) -> bool {
    let count = |is: fn(&char) -> bool| run.chars().filter(is).count();
    let digits = count(char::is_ascii_digit);
    let upper = count(char::is_ascii_uppercase);
    let lower = count(char::is_ascii_lowercase);
    let is_hexadecimal = run.chars().all(|c| c.is_ascii_hexdigit());
    let is_mixed = upper > 0 && lower > 0 && digits > 2 && !run.contains('/');
    // A path is long, too, and has letters of one case.
    let is_path = run.contains('/') && (upper < 2 || lower < 2 || digits < 3);
    run.len() >= KEY_DIGITS && (upper > 1 || digits > 2) && !is_path
        || run.len() >= RANDOM_DIGITS && is_hexadecimal && digits > 2 && digits < run.len()
        || run.len() >= RANDOM_LENGTH && is_mixed
}

/// Whether a field has a value whose name can be next to it.
#[must_use]
pub fn is_value_field(name: &str) -> bool {
    is_one_of(name, &VALUES)
}

/// Whether a found value is described by its kind and length.
#[must_use]
pub fn is_described(found: &str) -> bool {
    found.starts_with("a ") && found.ends_with(LENGTH)
}

/// How the description of a value ends.
const LENGTH: &str = " characters";

/// The found value at a path, or its kind and length.
pub(crate) fn shown(found: String, path: &str) -> String {
    if looks_secret(&found) || is_secret_path(path.rsplit('.').map(without_index)) {
        return described(found);
    }
    found
}

/// Whether the names of a value and of what contains it, from the inside, say that it is a secret.
pub(crate) fn is_secret_path<'p>(names: impl Iterator<Item = &'p str>) -> bool {
    let (mut is_named, mut is_below) = (false, false);
    for name in names {
        if !is_named {
            if CONTENTS.iter().any(|content| same_name(name, content)) {
                return true;
            }
            if is_value_field(name) {
                continue;
            }
            is_named = true;
            if is_secret_name(name) {
                return true;
            }
        }
        if is_one_of(name, &MAPS) {
            return is_below;
        }
        is_below = is_below || is_secret_name(name);
    }
    false
}

pub(crate) fn is_one_of(name: &str, fields: &[&str]) -> bool {
    fields.iter().any(|field| same_name(name, field))
}

/// A segment of a path without the indices of lists.
fn without_index(segment: &str) -> &str {
    segment.split('[').next().unwrap_or_default()
}

/// The kind and the length of a found value. Descriptions stay, and so do Booleans and short numbers.
pub(crate) fn described(found: String) -> String {
    // Parsing floating-point numbers would be a large part of the filter.
    let is_number = found.starts_with(|c: char| c.is_ascii_digit() || c == '-')
        && found
            .chars()
            .all(|c| c.is_ascii_digit() || "+-.eE".contains(c));
    // As nodes are described, too.
    let is_description = found.starts_with("a ") || found.starts_with("an ");
    if is_description
        || matches!(&*found, "" | "null" | "true" | "false")
        || is_number && found.len() < SECRET_DIGITS
    {
        return found;
    }
    let quoted = found
        .strip_prefix('"')
        .and_then(|rest| rest.strip_suffix('"'));
    let (kind, text) = match quoted {
        Some(text) => ("string", text),
        None if is_number => ("number", found.as_str()),
        None => ("value", found.as_str()),
    };
    let length = match text.strip_suffix('…') {
        Some(kept) => format!("more than {}", kept.chars().count()),
        None => text.chars().count().to_string(),
    };
    format!("a {kind} of {length}{LENGTH}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_recognized_by_their_look() {
        for secret in [
            "-----BEGIN PRIVATE KEY-----",
            "http://me:abc@127.0.0.1:9901",
            "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln",
            "Bearer abcdef",
            "basic dXNlcjpwYXNz",
            "QUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUE=",
            "sk_live_51HqT8x2eZvKYlo2C9aBcD3",
            "ghp_16C7e42F292c6912E7710c838347Ae178B4a",
            "9f86d081884c7d659a2feaa0c55ad015",
        ] {
            assert!(looks_secret(secret), "{secret}");
        }
        for harmless in [
            "",
            "outbound|8080||shop.default.svc.cluster.local",
            "type.googleapis.com/envoy.extensions.filters.http.router.v3.Router",
            "preserve_http1HeaderKeyCaseOfHeaders",
            "/usr/local/share/spillgate/configurations/of/filters",
            "/var/lib/envoy/d639ea5a16a96593/configurations/cds.yml",
            "client_side_weighted_round_robin",
            "Basic auth",
            "10.0.0.1:80, 10.0.0.2:80",
            "1234567890123456789012345678901234",
            "7f000001-aaaa-4bbb-8ccc-123456789012",
            "eyJob",
        ] {
            assert!(!looks_secret(harmless), "{harmless}");
        }
    }

    #[test]
    fn a_secret_path_hides_the_value_and_keeps_kind_and_length() {
        for (path, found, expected) in [
            ("a.api_key", "\"abc\"", "a string of 3 characters"),
            ("a.tokens[3]", "\"abc\"", "a string of 3 characters"),
            ("a.password", "12345678", "a number of 8 characters"),
            ("a.max_tokens", "0", "0"),
            ("a.secret", "a list of 2", "a list of 2"),
            (
                "headers.authorization.exact",
                "\"abc\"",
                "a string of 3 characters",
            ),
            (
                "x.data_source.inlineString",
                "\"abc…\"",
                "a string of more than 3 characters",
            ),
            (
                "metadata.filter_metadata.envoy.lb.apiKey.id",
                "\"abc\"",
                "a string of 3 characters",
            ),
            ("hash_policy[0].cookie.ttl", "\"abc\"", "\"abc\""),
            ("clusters[0].name", "\"abc\"", "\"abc\""),
        ] {
            assert_eq!(shown(found.into(), path), expected, "{path}");
            // Again, as a diagnostic gets its path and its value in any order.
            assert_eq!(shown(expected.into(), path), expected, "{path}");
        }
    }
}
