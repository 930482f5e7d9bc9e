//! Finding the descriptors in a binary.

use std::collections::BTreeMap;

use anyhow::{Result, ensure};

use super::Descriptors;
use super::wire::{WireFields, text};

/// The packages whose messages an Envoy configuration consists of.
const PACKAGES: [&str; 3] = ["envoy.", "xds.", "udpa."];

/// The descriptors of Envoy's API in a binary, and the number of their files.
///
/// A file descriptor starts with its name, which ends in `.proto`. It ends where the fields of a descriptor end.
///
/// # Errors
/// A file that imports one that is not there: the search would have missed it.
pub fn find(binary: &[u8]) -> Result<(Descriptors, usize)> {
    let mut files = BTreeMap::new();
    let ends = binary.windows(SUFFIX.len()).enumerate();
    for (at, _) in ends.filter(|(_, window)| *window == SUFFIX) {
        if let Some(file) = file_ending(binary, at + SUFFIX.len() - 1) {
            files.insert(text(file, NAME), file);
        }
    }
    for (name, file) in &files {
        for import in super::wire::messages(file, IMPORT) {
            let import = String::from_utf8_lossy(import);
            ensure!(
                files.contains_key(&*import),
                "{name} imports {import}, which was not found"
            );
        }
    }
    let mut found = Descriptors::default();
    let mut number = 0;
    for file in files.values() {
        let package = text(file, PACKAGE);
        if PACKAGES.iter().any(|prefix| package.starts_with(prefix)) {
            found.add_file(&package, file)?;
            number += 1;
        }
    }
    Ok((found, number))
}

/// The end of a name, and the tag of the field after it: the package.
const SUFFIX: &[u8] = b".proto\x12";
const NAME: u64 = 1;
const PACKAGE: u64 = 2;
const IMPORT: u64 = 3;
/// `syntax` and `edition`, which come last.
const LAST: [u64; 2] = [12, 14];
/// The fields of a file descriptor.
const FIELDS: std::ops::RangeInclusive<u64> = 1..=14;

/// The descriptor whose name ends before a place.
fn file_ending(binary: &[u8], name_end: usize) -> Option<&[u8]> {
    const LONGEST_NAME: usize = 200;
    for length in SUFFIX.len()..LONGEST_NAME {
        let name = binary.get(name_end.checked_sub(length)?..name_end)?;
        if !name.iter().all(|byte| byte.is_ascii_graphic()) {
            return None;
        }
        let mut tag = vec![0x0a];
        if length >= 0x80 {
            tag.push((length & 0x7f) as u8 | 0x80);
            tag.push((length >> 7) as u8);
        } else {
            tag.push(length as u8);
        }
        let start = name_end.checked_sub(length + tag.len())?;
        if binary.get(start..)?.starts_with(&tag) {
            return Some(whole(binary.get(start..)?));
        }
    }
    None
}

/// The bytes of the descriptor at the start of these.
fn whole(bytes: &[u8]) -> &[u8] {
    let mut fields = WireFields::new(bytes);
    let mut end = 0;
    while let Some(field) = fields.next() {
        let is_next_file = field.number == NAME && end > 0;
        if is_next_file || !FIELDS.contains(&field.number) {
            break;
        }
        end = bytes.len() - fields.left();
        if LAST.contains(&field.number) {
            break;
        }
    }
    bytes.get(..end).unwrap_or_default()
}
