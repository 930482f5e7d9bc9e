//! Characters that a terminal, an editor or a spreadsheet acts on, in visible form: escapes, and CSV quoting.
//!
//! Names come from configurations of others. In output for people, ESC would start a command of the
//! terminal, and a bidirectional control would show other text than there is.

use alloc::{borrow::Cow, string::String};

/// Whether a character is a control character of Unicode or ASCII, a bidirectional control, a line
/// separator, no character, or has no width.
#[must_use]
pub const fn is_hidden(c: char) -> bool {
    matches!(
        c,
        '\0'..='\u{1f}'
            | '\u{7f}'..='\u{9f}'
            | '\u{ad}'
            | '\u{61c}'
            | '\u{180e}'
            | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{feff}'
            | '\u{fff9}'..='\u{fffb}'
            | '\u{fffe}'..='\u{ffff}'
            | '\u{e0000}'..='\u{e007f}'
    )
}

/// The text in one line, with hidden characters as in JSON strings: `\u001b` for ESC.
///
/// # Examples
/// ```
/// use spillgate_core::visible::visible;
///
/// assert_eq!(visible("shop\u{1b}[2J\n"), "shop\\u001b[2J\\u000a");
/// assert_eq!(visible("caf\u{e9}"), "caf\u{e9}");
/// ```
#[must_use]
pub fn visible(text: &str) -> Cow<'_, str> {
    shown(text, is_hidden)
}

/// The text in quotes and in one line, for names in sentences.
///
/// # Examples
/// ```
/// use spillgate_core::visible::quoted;
///
/// assert_eq!(quoted("a\"b\u{1b}"), "\"a\\\"b\\u001b\"");
/// ```
#[must_use]
pub fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        if matches!(c, '"' | '\\') {
            out.push('\\');
        }
        if is_hidden(c) {
            push_hidden(c, &mut out);
        } else {
            out.push(c);
        }
    }
    out.push('"');
    out
}

/// As [`visible`] for a text of several lines: line feeds and tabs stay. In JSON, this changes no value.
#[must_use]
pub fn visible_lines(text: &str) -> Cow<'_, str> {
    shown(text, |c| is_hidden(c) && !matches!(c, '\n' | '\t'))
}

/// A field of comma-separated values (RFC 4180), in quotes if necessary. Spreadsheets would run a text that
/// begins like a formula, so that an apostrophe precedes it.
///
/// # Examples
/// ```
/// use spillgate_core::visible::csv_field;
///
/// assert_eq!(csv_field("a,\"b\""), "\"a,\"\"b\"\"\"");
/// assert_eq!(csv_field("=1+2"), "'=1+2");
/// ```
#[must_use]
pub fn csv_field(text: &str) -> Cow<'_, str> {
    let mut field = visible(text);
    if field
        .trim_start()
        .starts_with(['=', '+', '-', '@', '＝', '＋', '－', '＠'])
    {
        field.to_mut().insert(0, '\'');
    }
    if field.contains([',', '"', ';']) {
        let mut quoted = String::from("\"");
        quoted.push_str(&field.replace('"', "\"\""));
        quoted.push('"');
        return Cow::Owned(quoted);
    }
    field
}

/// Text inside of HTML and XML: the characters are escaped that would end an element, an attribute in
/// double quotes, or start an entity. XML permits no control characters: they are [`visible`].
///
/// # Examples
/// ```
/// use spillgate_core::visible::escaped;
///
/// assert_eq!(escaped("a<b> & \"c\""), "a&lt;b&gt; &amp; &quot;c&quot;");
/// ```
#[must_use]
pub fn escaped(text: &str) -> String {
    let text = visible(text);
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    text.replace('>', "&gt;").replace('"', "&quot;")
}

fn shown(text: &str, is_hidden: fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut out = String::new();
    for c in text.chars() {
        if is_hidden(c) {
            push_hidden(c, &mut out);
        } else {
            out.push(c);
        }
    }
    Cow::Owned(out)
}

fn push_hidden(c: char, out: &mut String) {
    for unit in c.encode_utf16(&mut [0; 2]) {
        out.push_str("\\u");
        for shift in [12, 8, 4, 0] {
            let digit = char::from_digit(u32::from(*unit >> shift & 15), 16);
            out.push(digit.unwrap_or_default());
        }
    }
}
