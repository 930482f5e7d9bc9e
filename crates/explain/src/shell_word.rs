//! Words for a shell.

use alloc::{format, string::String};

use spillgate_core::visible::is_hidden;

/// A word, quoted for a shell if necessary. A terminal acts on control characters in what is pasted, even in
/// quotes: they are escaped as in `$'\033'`, which bash, zsh and POSIX of 2024 have.
///
/// # Examples
/// ```
/// use spillgate_explain::shell_word;
///
/// assert_eq!(shell_word("zone=a:40%"), "zone=a:40%");
/// assert_eq!(shell_word("no panic"), "'no panic'");
/// ```
#[must_use]
pub fn shell_word(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-.,:=%/".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.into();
    }
    if !word.contains(is_hidden) {
        return format!("'{}'", word.replace('\'', "'\\''"));
    }
    let mut text = String::from("$'");
    for c in word.chars() {
        match c {
            '\'' | '\\' => text.extend(['\\', c]),
            c if is_hidden(c) => {
                for byte in c.encode_utf8(&mut [0; 4]).bytes() {
                    text.push_str(&format!("\\{byte:03o}"));
                }
            }
            c => text.push(c),
        }
    }
    text.push('\'');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_for_a_shell() {
        assert_eq!(shell_word("zone=a:40%"), "zone=a:40%");
        assert_eq!(shell_word("no panic"), "'no panic'");
        assert_eq!(shell_word("it's"), "'it'\\''s'");
        assert_eq!(shell_word(""), "''");
        assert_eq!(
            shell_word("a\u{1b}1\n'\u{202e}"),
            "$'a\\0331\\012\\'\\342\\200\\256'"
        );
    }
}
