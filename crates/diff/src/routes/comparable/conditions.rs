//! One spelling of conditions that the same requests meet.

use spillgate_core::route::{
    HeaderMatcher, PathMatch, QueryMatcher, RouteMatch, StringMatch, TextMatch,
};

/// All conditions must hold, so their order and repetitions do not matter; a regular expression without operators is
/// a text.
pub(super) fn normalize(matcher: &mut RouteMatch) {
    if let PathMatch::Regex(pattern) = &matcher.path {
        // Regular expressions ignore it.
        matcher.case_sensitive = true;
        if let Some(text) = literal(pattern.source()) {
            matcher.path = PathMatch::Exact(text);
        }
    }
    for header in &mut matcher.headers {
        match &mut header.matcher {
            HeaderMatcher::Text(text) => normalize_text(text),
            HeaderMatcher::Present(present) => *present ^= core::mem::take(&mut header.invert),
            HeaderMatcher::Range { .. } => {}
        }
    }
    for query in &mut matcher.query_parameters {
        if let QueryMatcher::Text(text) = &mut query.matcher {
            normalize_text(text);
        }
    }
    for cookie in &mut matcher.cookies {
        normalize_text(&mut cookie.text);
    }
    matcher.headers.sort_unstable();
    matcher.headers.dedup();
    matcher.query_parameters.sort_unstable();
    matcher.query_parameters.dedup();
    matcher.cookies.sort_unstable();
    matcher.cookies.dedup();
}

fn normalize_text(matcher: &mut StringMatch) {
    if let TextMatch::Regex(pattern) = &matcher.text {
        // Regular expressions ignore it.
        matcher.ignore_case = false;
        if let Some(text) = literal(pattern.source()) {
            matcher.text = TextMatch::Exact(text);
        }
    }
}

/// The only text that a regular expression without operators matches; the whole text must match.
fn literal(source: &str) -> Option<String> {
    let inner = source.strip_prefix('^').unwrap_or(source);
    let inner = inner.strip_suffix('$').unwrap_or(inner);
    let mut text = String::new();
    let mut characters = inner.chars();
    while let Some(character) = characters.next() {
        match character {
            // An escaped letter or digit is a class or a reference.
            '\\' => text.push(characters.next().filter(char::is_ascii_punctuation)?),
            '.' | '*' | '+' | '?' | '(' | ')' | '[' | ']' | '{' | '}' | '|' | '^' | '$' => {
                return None;
            }
            _ => text.push(character),
        }
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::literal;

    #[test]
    fn only_expressions_without_operators_are_texts() {
        for (source, text) in [
            ("/a", Some("/a")),
            ("^/a-b$", Some("/a-b")),
            (r"/v1\.0", Some("/v1.0")),
            ("/v1.0", None),
            ("/a?", None),
            (r"/\d", None),
            (r"/a\$", None),
            (r"/a\", None),
            ("(?i)/a", None),
            ("a|b", None),
        ] {
            assert_eq!(literal(source).as_deref(), text, "{source}");
        }
    }
}
