//! Escapes in strings.

use alloc::vec::Vec;

/// The bytes of a string; `None` for an unknown escape.
pub(super) fn unescaped(raw: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut rest = raw.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        rest = after;
        if *first != b'\\' {
            bytes.push(*first);
            continue;
        }
        let (kind, after) = rest.split_first()?;
        rest = after;
        match kind {
            b'a' => bytes.push(7),
            b'b' => bytes.push(8),
            b'f' => bytes.push(12),
            b'n' => bytes.push(b'\n'),
            b'r' => bytes.push(b'\r'),
            b't' => bytes.push(b'\t'),
            b'v' => bytes.push(11),
            b'\\' | b'\'' | b'"' | b'?' => bytes.push(*kind),
            b'0'..=b'7' => {
                let (value, used) = digits(raw_from(kind, rest), 8, 3)?;
                bytes.push(u8::try_from(value).ok()?);
                rest = rest.get(used - 1..)?;
            }
            b'x' | b'X' => {
                let (value, used) = digits(rest.iter().copied(), 16, 2)?;
                bytes.push(u8::try_from(value).ok()?);
                rest = rest.get(used..)?;
            }
            b'u' | b'U' => {
                let length = if *kind == b'u' { 4 } else { 8 };
                let (value, used) = digits(rest.iter().copied(), 16, length)?;
                let c = char::from_u32(value).filter(|_| used == length)?;
                let mut buffer = [0; 4];
                bytes.extend_from_slice(c.encode_utf8(&mut buffer).as_bytes());
                rest = rest.get(used..)?;
            }
            _ => return None,
        }
    }
    Some(bytes)
}

fn raw_from<'r>(first: &'r u8, rest: &'r [u8]) -> impl Iterator<Item = u8> + 'r {
    core::iter::once(*first).chain(rest.iter().copied())
}

/// A number of at most this many digits, and how many it has; at least one.
fn digits(of: impl Iterator<Item = u8>, radix: u32, most: usize) -> Option<(u32, usize)> {
    let mut value = 0_u32;
    let mut used = 0;
    for byte in of.take(most) {
        let Some(digit) = char::from(byte).to_digit(radix) else {
            break;
        };
        value = value.checked_mul(radix)?.checked_add(digit)?;
        used += 1;
    }
    (used > 0).then_some((value, used))
}
