//! Text of a configuration in Markdown.

/// Text in which nothing is markup of Markdown, also in a table.
pub(crate) fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for character in in_html(text).chars() {
        if matches!(
            character,
            '|' | '*' | '_' | '`' | '[' | ']' | '\\' | '#' | '~'
        ) {
            escaped.push('\\');
        }
        escaped.push(character);
    }
    escaped
}

/// Text within HTML, where a backslash is not markup. Until an empty line, HTML is no Markdown.
pub(crate) fn in_html(text: &str) -> String {
    let mut escaped = String::new();
    for character in text.chars() {
        match character {
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '&' => escaped.push_str("&amp;"),
            '\n' | '\r' => escaped.push(' '),
            _ => escaped.push(character),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_markup() {
        assert_eq!(escaped("a|<img src=x>"), "a\\|&lt;img src=x&gt;");
        assert_eq!(escaped("*a*\n[b](c) &amp;"), "\\*a\\* \\[b\\](c) &amp;amp;");
        assert_eq!(in_html("a_b < c"), "a_b &lt; c");
    }
}
