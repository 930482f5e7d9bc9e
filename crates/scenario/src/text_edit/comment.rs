//! Comments of YAML lines.

/// A line without the comment at its end. A line that is only a comment stays.
pub(super) fn without_comment(line: &str) -> &str {
    let mut quote = None;
    let mut before = ' ';
    let mut is_escaped = false;
    for (at, character) in line.char_indices() {
        match quote {
            Some(open) => {
                if character == open && !is_escaped {
                    quote = None;
                }
                is_escaped = open == '"' && character == '\\' && !is_escaped;
            }
            None if character == '#' && before == ' ' => {
                let code = line.get(..at).unwrap_or(line).trim_end();
                return if code.is_empty() { line } else { code };
            }
            None if matches!(character, '"' | '\'') => quote = Some(character),
            None => {}
        }
        before = character;
    }
    line.trim_end()
}

/// Whether a line has only a comment, or nothing.
pub(super) fn is_only_comment(line: &str) -> bool {
    let line = line.trim_start();
    line.is_empty() || line.starts_with('#')
}

/// The end of a line of a user that is a written line and perhaps a comment: empty without one. `None` if it is another
/// line.
pub(super) fn added_comment<'t>(written: &str, own: &'t str) -> Option<&'t str> {
    let added = own.strip_prefix(written)?;
    let is_comment = added.starts_with(' ') && !written.is_empty() && is_only_comment(added);
    (added.is_empty() || is_comment).then_some(added)
}
