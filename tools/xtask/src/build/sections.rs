//! The sections of a module. Custom ones, notes of the compiler that do not run, can be taken out.

/// The id of a custom section.
const CUSTOM: u8 = 0;
/// The id of the section of imports.
pub(super) const IMPORT: u8 = 2;
/// The id of the section of exports.
pub(super) const EXPORT: u8 = 7;
/// Magic number and version.
const HEADER: usize = 8;

/// Names of functions, for stack traces: a third of a module's size. wasm-opt drops them too.
pub const NAMES: &str = "name";
/// What the compiler was allowed to use, united over all crates, the standard library included.
pub const TARGET_FEATURES: &str = "target_features";

/// `module` without its custom sections of that name; unchanged when it is not a valid module.
pub fn without(module: &[u8], name: &str) -> Vec<u8> {
    try_without(module, name).unwrap_or_else(|| module.to_vec())
}

/// `module` with a further custom section at its end. It does not run.
pub fn with(module: &[u8], name: &str, content: &[u8]) -> Vec<u8> {
    let mut section = length(name.len());
    section.extend_from_slice(name.as_bytes());
    section.extend_from_slice(content);
    [module, &[CUSTOM], &length(section.len()), &section].concat()
}

/// A number as [`leb128`] reads it.
fn length(mut value: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    loop {
        let low = (value & 0x7f) as u8;
        value >>= 7;
        if value == 0 {
            bytes.push(low);
            return bytes;
        }
        bytes.push(low | 0x80);
    }
}

fn try_without(module: &[u8], name: &str) -> Option<Vec<u8>> {
    let mut kept = module.get(..HEADER)?.to_vec();
    let mut at = HEADER;
    while at < module.len() {
        let id = *module.get(at)?;
        let (size, content) = leb128(module, at + 1)?;
        let end = content.checked_add(size)?;
        let section = module.get(at..end)?;
        if !(id == CUSTOM && name_at(module, content)? == name.as_bytes()) {
            kept.extend_from_slice(section);
        }
        at = end;
    }
    Some(kept)
}

/// The content of the first section with this id; `Some(None)` if a valid module has none.
#[expect(
    clippy::option_option,
    reason = "invalid, absent and present are three cases"
)]
pub(super) fn content(module: &[u8], wanted: u8) -> Option<Option<&[u8]>> {
    module.strip_prefix(b"\0asm")?;
    let mut at = HEADER;
    while at < module.len() {
        let id = *module.get(at)?;
        let (size, content) = leb128(module, at + 1)?;
        let end = content.checked_add(size)?;
        let section = module.get(content..end)?;
        if id == wanted {
            return Some(Some(section));
        }
        at = end;
    }
    Some(None)
}

fn name_at(module: &[u8], content: usize) -> Option<&[u8]> {
    let (length, start) = leb128(module, content)?;
    module.get(start..start.checked_add(length)?)
}

/// The text at `at`, with its length before it, and where the next byte is.
pub(super) fn text(section: &[u8], at: usize) -> Option<(&str, usize)> {
    let (length, start) = leb128(section, at)?;
    let end = start.checked_add(length)?;
    let text = std::str::from_utf8(section.get(start..end)?).ok()?;
    Some((text, end))
}

/// An unsigned number of variable length at `at`, and where the next byte is.
pub(super) fn leb128(bytes: &[u8], mut at: usize) -> Option<(usize, usize)> {
    let mut value = 0usize;
    for shift in [0, 7, 14, 21, 28] {
        let byte = *bytes.get(at)?;
        at += 1;
        value |= usize::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Some((value, at));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_named_section_goes() {
        let header = b"\0asm\x01\0\0\0";
        let other = b"\x00\x06\x05other";
        let names = b"\x00\x07\x04name\x01\x02";
        let code = b"\x0a\x02\x01\x00";
        let module = [&header[..], other, names, code].concat();
        assert_eq!(without(&module, NAMES), [&header[..], other, code].concat());
    }

    #[test]
    fn a_section_is_added_at_the_end() {
        let header = b"\0asm\x01\0\0\0";
        let added = with(header, "note", b"ab");
        assert_eq!(added, [&header[..], b"\x00\x07\x04noteab"].concat());
        let long = with(header, "note", &[7; 200]);
        assert_eq!(without(&long, "note"), header);
    }

    #[test]
    fn what_is_no_module_stays() {
        assert_eq!(without(b"abc", NAMES), b"abc");
        let cut = b"\0asm\x01\0\0\0\x00\xff";
        assert_eq!(without(cut, NAMES), cut);
    }
}
