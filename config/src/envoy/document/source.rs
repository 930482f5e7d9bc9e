//! The texts of an input, parsed as one.

use alloc::vec::Vec;

use super::Format;
use crate::{
    Diagnostic, SourceMap,
    node::{Document, check_total_size, count_lines},
};

/// One text of an input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SourceText<'a> {
    /// The name of its file.
    pub name: &'a str,
    /// The whole text.
    pub text: &'a str,
    /// Its format.
    pub format: Format,
}

impl<'a> SourceText<'a> {
    /// A text whose name or first character determines its format.
    #[must_use]
    pub fn guess(name: &'a str, text: &'a str) -> Self {
        Self {
            name,
            text,
            format: Format::guess(name, text),
        }
    }

    /// The files of an input, for the positions of its errors.
    #[must_use]
    pub fn map(sources: &[Self]) -> SourceMap {
        let mut map = SourceMap::default();
        if let Some((last, before)) = sources.split_last() {
            for source in before {
                map.add(source.name, count_lines(source.text));
            }
            // No other lines follow.
            map.add(last.name, 0);
        }
        map
    }
}

/// The documents of each text, with positions in the whole input.
///
/// # Errors
/// The first syntax error of each text, or one error if all texts together are too large.
pub(crate) fn parse_all<'a>(
    sources: &[SourceText<'a>],
) -> Result<(Vec<Document<'a>>, SourceMap), Vec<Diagnostic>> {
    // The parser checks a single text.
    if let [_, _, ..] = sources {
        let sizes = sources.iter().map(|source| source.text.len());
        check_total_size(sizes).map_err(|fault| Vec::from([fault]))?;
    }
    let map = SourceText::map(sources);
    let mut documents = Vec::with_capacity(sources.len());
    let mut faults = Vec::new();
    for (file, source) in sources.iter().enumerate() {
        let before = map.lines_before(file);
        match source.format.parse(source.text) {
            Ok(mut document) => {
                document.move_down(before);
                documents.push(document);
            }
            Err(mut fault) => {
                fault.position = fault.position.map(|position| position.below(before));
                faults.push(fault);
            }
        }
    }
    match faults.as_slice() {
        [] => Ok((documents, map)),
        _ => Err(faults),
    }
}
