//! The start and the end of a text that is too wide.

use super::{ELLIPSIS, letter_width, text_width};

/// A text that is at most `room` wide, relative to the font size: the start and the end of a wider one.
#[must_use]
pub fn cut(text: &str, room: f64) -> String {
    if text_width(text) <= room {
        return text.to_owned();
    }
    let each = (room - letter_width(ELLIPSIS)) / 2.0;
    let head = fitting(&mut text.chars(), each);
    let tail = fitting(&mut text.chars().rev(), each);
    let mut short = text.get(..head).unwrap_or_default().to_owned();
    short.push(ELLIPSIS);
    let end = text.get(text.len().saturating_sub(tail)..);
    // A mark belongs to a character that is left out.
    let is_mark = |letter: char| letter_width(letter) == 0.0;
    short.push_str(end.unwrap_or_default().trim_start_matches(is_mark));
    short
}

/// The bytes of the characters that have room, at least one.
fn fitting(letters: &mut dyn Iterator<Item = char>, room: f64) -> usize {
    let (mut used, mut bytes) = (0.0, 0);
    for letter in letters {
        used += letter_width(letter);
        if bytes > 0 && used > room {
            break;
        }
        bytes += letter.len_utf8();
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wide_text_keeps_its_start_and_its_end() {
        let short = cut("payments-with-a-very-long-name-v2", 9.0);
        assert!(
            short.starts_with("pay") && short.ends_with("-v2"),
            "{short}"
        );
        assert!(text_width(&short) <= 9.0);
        assert_eq!(cut("payments", 9.0), "payments");
    }

    #[test]
    fn marks_stay_with_their_characters() {
        let text = "e\u{301}".repeat(40);
        let short = cut(&text, 6.0);
        let (head, tail) = short.split_once(ELLIPSIS).unwrap();
        assert!(
            head.ends_with('\u{301}') && tail.starts_with('e'),
            "{short}"
        );
    }
}
