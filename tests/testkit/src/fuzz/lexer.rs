//! A text cut into pieces that an edit may exchange without breaking the language.

/// Pieces in order, nothing left out: quoted texts, words and numbers, everything else one by one.
pub(super) fn tokens(text: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '"' => quoted(rest),
            c if is_word(c) => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
            ' ' | '\n' => rest.find(|c| c != first).unwrap_or(rest.len()),
            c => c.len_utf8(),
        };
        let (token, after) = rest.split_at(length);
        tokens.push(token);
        rest = after;
    }
    tokens
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || "_.-+@".contains(c)
}

/// The length of a quoted text with its quotes, or of its available part.
fn quoted(text: &str) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            '"' if !escaped => return at + 1,
            '\\' => escaped = !escaped,
            _ => escaped = false,
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_whole_and_nothing_is_lost() {
        let text = "{\"a\\\"b\": [-1.5e3, true]}\n  x::[::1]:80 \"open";
        let found = tokens(text);
        assert_eq!(found.concat(), text);
        for piece in ["\"a\\\"b\"", "-1.5e3", "true", "\n", "x", "\"open"] {
            assert!(found.contains(&piece), "{piece}: {found:?}");
        }
    }
}
