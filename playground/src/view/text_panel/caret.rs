//! The place of a caret after other lines of its text changed.

/// A caret of `old` in `new`, in UTF-16 units: before the first change and after the last one it stays where it is, in
/// between it goes to the start of the change.
pub(super) fn moved(old: &str, new: &str, caret: u32) -> u32 {
    let same = |(a, b): &(char, char)| a == b;
    let length = |(c, _): (char, char)| c.len_utf16() as u32;
    let before = old.chars().zip(new.chars()).take_while(same);
    let before: u32 = before.map(length).sum();
    let (old_length, new_length) = (utf16(old), utf16(new));
    let room = old_length.min(new_length) - before;
    let after = old.chars().rev().zip(new.chars().rev()).take_while(same);
    let after: u32 = after.map(length).sum();
    let after = after.min(room);
    if caret <= before {
        caret
    } else if caret >= old_length - after {
        new_length - (old_length - caret.min(old_length))
    } else {
        before
    }
}

fn utf16(text: &str) -> u32 {
    text.chars().map(|c| c.len_utf16() as u32).sum()
}
