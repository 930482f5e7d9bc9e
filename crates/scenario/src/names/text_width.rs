//! The width of a text before a browser draws it.

/// The widths of the characters from space to tilde, in hundredths of the font size: Inter with the
/// weight 640, the heaviest one that labels have.
const ASCII: [u8; 95] = [
    25, 33, 53, 65, 65, 101, 67, 33, 37, 37, 55, 68, 32, 47, 32, 38, 67, 43, 63, 64, 67, 62, 64,
    58, 64, 64, 32, 33, 68, 68, 68, 55, 101, 74, 66, 74, 72, 61, 59, 75, 75, 28, 58, 71, 57, 93,
    76, 77, 65, 77, 65, 65, 66, 73, 74, 103, 73, 72, 66, 37, 38, 37, 48, 47, 36, 58, 63, 58, 63,
    59, 39, 63, 62, 27, 27, 57, 27, 91, 62, 61, 63, 63, 40, 55, 36, 62, 59, 84, 57, 59, 57, 46, 36,
    46, 68,
];

/// The digit with the largest width: figures are tabular, so that all digits have it.
const DIGIT: u8 = 67;

/// The character of left-out parts.
pub(super) const ELLIPSIS: char = '\u{2026}';

/// The width of a text relative to the font size. Characters that the playground's font does not contain
/// come from a font of the visitor: their width is an upper estimate.
#[must_use]
#[inline(never)]
pub fn text_width(text: &str) -> f64 {
    text.chars().map(letter_width).sum()
}

/// The width of a character; 0 for a mark on the character before it.
#[inline(never)]
pub(super) fn letter_width(letter: char) -> f64 {
    let code = u32::from(letter);
    let ascii = code.checked_sub(32).and_then(|at| ASCII.get(at as usize));
    f64::from(match (ascii, code) {
        _ if letter.is_ascii_digit() => DIGIT,
        (Some(&width), _) => width,
        (_, 0xa0) => 25,
        // Combining marks, joiners and selectors of variants.
        (_, 0x300..=0x36f | 0x200b..=0x200f | 0x20d0..=0x20ff | 0xfe00..=0xfe0f) => 0,
        // East Asian scripts and pictures have square characters.
        (_, 0x1100..=0x115f | 0x2e80..=0xd7ff | 0xf900..=0xfaff | 0xfe30.. | 0x2026) => 100,
        _ => 75,
    }) / 100.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_texts_are_wider_than_narrow_ones() {
        assert!(text_width("MMMM") > 3.0 * text_width("iiii"));
        assert_eq!(text_width("111"), text_width("888"), "figures are tabular");
        assert_eq!(text_width("e\u{301}"), text_width("e"));
        assert_eq!(text_width("\u{8a55}\u{4fa1}"), 2.0);
        assert_eq!(text_width(""), 0.0);
    }
}
