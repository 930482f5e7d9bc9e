//! The texts of an input, parsed as one.

use alloc::vec::Vec;

#[cfg(feature = "yaml")]
use super::ytt::ytt_template;
use super::{Format, expand, explain};
#[cfg(feature = "yaml")]
use crate::envoy::running::{is_clusters_text, read_text};
use crate::{
    Diagnostic, NamedText, SourceMap,
    envoy::running::ClusterStatus,
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

impl NamedText {
    /// The text for readers of Envoy's configurations, with the format that its name and content determine.
    #[must_use]
    pub fn source(&self) -> SourceText<'_> {
        SourceText::guess(&self.name, &self.text)
    }
}

/// The content of one text.
#[derive(Debug)]
pub(crate) struct ParsedText<'a> {
    /// The documents of a text in YAML or JSON.
    pub(crate) document: Document<'a>,
    /// The run-time hosts of a text in the format of `/clusters`.
    pub(crate) statuses: Vec<ClusterStatus<'a>>,
}

/// The content of each text, with positions in the whole input.
///
/// # Errors
/// The first syntax error of each text, or one error if all texts together are too large.
pub(crate) fn parse_all<'a>(
    sources: &[SourceText<'a>],
) -> Result<(Vec<ParsedText<'a>>, SourceMap), Vec<Diagnostic>> {
    // The parser checks a single text.
    if let [_, _, ..] = sources {
        let sizes = sources.iter().map(|source| source.text.len());
        check_total_size(sizes).map_err(|fault| Vec::from([fault]))?;
    }
    let map = SourceText::map(sources);
    let mut texts = Vec::with_capacity(sources.len());
    let mut faults = Vec::new();
    for (file, source) in sources.iter().enumerate() {
        let before = map.lines_before(file);
        match parse(source) {
            Ok(mut text) => {
                text.document.move_down(before);
                for status in &mut text.statuses {
                    status.move_down(before);
                }
                texts.push(text);
            }
            Err(found) => faults.extend(below(explain(source.text, found), before)),
        }
    }
    match faults.as_slice() {
        [] => Ok((texts, map)),
        _ => Err(faults),
    }
}

/// The content of a text, with that of texts in Kubernetes objects.
///
/// # Errors
/// The syntax errors.
pub(super) fn parse<'a>(source: &SourceText<'a>) -> Result<ParsedText<'a>, Vec<Diagnostic>> {
    #[cfg(feature = "yaml")]
    if is_clusters_text(source.text) {
        return read_text(source.text).map(|statuses| ParsedText {
            statuses,
            document: Document {
                roots: Vec::new(),
                warnings: Vec::new(),
            },
        });
    }
    #[cfg(feature = "yaml")]
    if source.format != Format::Json
        && let Some(template) = ytt_template(source.text)
    {
        return Err(Vec::from([template]));
    }
    let parsed = source.format.parse(source.text);
    let mut document = parsed.map_err(|fault| Vec::from([fault]))?;
    expand(&mut document, source.text)?;
    Ok(ParsedText {
        document,
        statuses: Vec::new(),
    })
}

/// Replaces the faults of each text by their common cause, if they have one.
pub(crate) fn explain_all(
    sources: &[SourceText<'_>],
    map: &SourceMap,
    faults: Vec<Diagnostic>,
) -> Vec<Diagnostic> {
    let mut by_file: Vec<Vec<Diagnostic>> = sources.iter().map(|_| Vec::new()).collect();
    let mut others = Vec::new();
    for mut fault in faults {
        let place = fault.position.map(|position| map.place(position));
        fault.position = place.map(|place| place.position);
        match by_file.get_mut(place.map_or(0, |place| place.file)) {
            Some(of_file) => of_file.push(fault),
            None => others.push(fault),
        }
    }
    for ((file, source), faults) in sources.iter().enumerate().zip(by_file) {
        let explained = explain(source.text, faults);
        others.extend(below(explained, map.lines_before(file)));
    }
    others
}

/// The same faults, after so many lines of other texts.
fn below(faults: Vec<Diagnostic>, before: u32) -> impl Iterator<Item = Diagnostic> {
    faults.into_iter().map(move |fault| Diagnostic {
        position: fault.position.map(|position| position.below(before)),
        ..fault
    })
}
