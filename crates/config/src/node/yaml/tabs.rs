//! Tabs in YAML. Envoy's reader takes one as a space everywhere except in the indentation of a block; the
//! scanner refuses some that separate tokens. Measured on yaml-cpp, row by row in the tests of this reader.

use alloc::{string::String, vec::Vec};

use saphyr_parser::{Input, StrInput, input::SkipTabs};
use spillgate_core::order;

use super::{SYNTAX, Scalars, read_events};
use crate::{
    Diagnostic, Position,
    node::{Document, MAXIMUM_BYTES, limits::to_u32},
};

/// A text in which a tab separates `:` from its value as a space does.
pub(super) struct TabbedInput<'i>(pub(super) StrInput<'i>);

/// The methods that [`StrInput`] has faster ones for, or that have no default.
macro_rules! same {
    ($($name:ident(&self $(, $argument:ident: $of:ty)?) -> $to:ty;)*) => {
        $(fn $name(&self $(, $argument: $of)?) -> $to { self.0.$name($($argument)?) })*
    };
    ($($name:ident(&mut self $(, $argument:ident: $of:ty)?) -> $to:ty;)*) => {
        $(fn $name(&mut self $(, $argument: $of)?) -> $to { self.0.$name($($argument)?) })*
    };
}

impl Input for TabbedInput<'_> {
    same! {
        buflen(&self) -> usize;
        bufmaxlen(&self) -> usize;
        peek(&self) -> char;
        peek_nth(&self, n: usize) -> char;
        peek_opt(&self) -> Option<char>;
        next_can_be_plain_scalar(&self, in_flow: bool) -> bool;
        next_is_blank_or_break(&self) -> bool;
        next_is_blank_or_breakz(&self) -> bool;
        next_is_document_indicator(&self) -> bool;
    }
    same! {
        lookahead(&mut self, count: usize) -> ();
        look_ch(&mut self) -> char;
        raw_read_ch(&mut self) -> char;
        raw_read_non_breakz_ch(&mut self) -> Option<char>;
        skip(&mut self) -> ();
        skip_n(&mut self, count: usize) -> ();
        skip_while_blank(&mut self) -> usize;
        skip_while_non_breakz(&mut self) -> usize;
        fetch_while_is_alpha(&mut self, out: &mut String) -> usize;
        fetch_while_is_yaml_non_space(&mut self, out: &mut String) -> usize;
    }

    fn skip_ws_to_eol(&mut self, skip_tabs: SkipTabs) -> (usize, Result<SkipTabs, &'static str>) {
        let (consumed, found) = self.0.skip_ws_to_eol(skip_tabs);
        let found = found.map(|found| match found {
            SkipTabs::Result(tabs, spaces) => SkipTabs::Result(tabs, tabs || spaces),
            other => other,
        });
        (consumed, found)
    }
}

/// A line whose indentation has a tab.
struct TabbedLine {
    line: u32,
    /// The column of the tab.
    column: u32,
    /// How many characters [`spaced`] adds.
    added: u32,
}

impl TabbedLine {
    /// The position of the tab.
    const fn tab(&self) -> Position {
        Position {
            line: self.line,
            column: self.column,
        }
    }
}

/// The lines with content after an indentation with a tab.
fn tabbed_lines(text: &str) -> Vec<TabbedLine> {
    let mut found = Vec::new();
    for (line, text) in (1..).zip(text.lines()) {
        let content = text.trim_start_matches([' ', '\t']);
        let indentation = text.strip_suffix(content).unwrap_or_default();
        if let (Some(tab), false) = (indentation.find('\t'), content.is_empty()) {
            found.push(TabbedLine {
                line,
                column: to_u32(tab).saturating_add(1),
                added: 0,
            });
        }
    }
    found
}

/// The text with spaces for tabs in indentation, deeper than every other line; `None` if that is too long.
fn spaced(text: &str, lines: &mut [TabbedLine]) -> Option<String> {
    /// Deeper lines do not occur with tabs.
    const DEEPEST: usize = 200;
    // The items of a list on one line are nested, too.
    let depth = |line: &str| line.len() - line.trim_start_matches([' ', '-', '?']).len();
    let depth = text.lines().map(depth).max().unwrap_or_default();
    let more = " ".repeat(depth.min(DEEPEST).saturating_add(1));
    let added = lines.len().saturating_mul(more.len());
    if text.len().saturating_add(added) > MAXIMUM_BYTES {
        return None;
    }
    let mut out = String::with_capacity(text.len() + added);
    let mut tabbed = lines.iter_mut().peekable();
    for (number, line) in (1..).zip(text.split_inclusive('\n')) {
        let Some(one) = tabbed.next_if(|one| one.line == number) else {
            out.push_str(line);
            continue;
        };
        let content = line.trim_start_matches([' ', '\t']);
        let indentation = line.len() - content.len();
        one.added = to_u32(more.len());
        out.push_str(&more);
        out.push_str(&" ".repeat(indentation));
        out.push_str(content);
    }
    Some(out)
}

/// What a text means whose scanner reported `fault`, if a tab is the reason: its documents if all tabs in
/// indentation are inside of brackets or quotes, as Envoy reads them, or else the fault at the tab.
pub(super) fn resolve(
    text: &str,
    scalars: Scalars,
    fault: Diagnostic,
) -> Result<Document<'static>, Diagnostic> {
    let Some(at) = fault.position else {
        return Err(fault);
    };
    let mut lines = tabbed_lines(text);
    // Faults about tabs may be at the token before them.
    let of_tab = fault.message.contains("tab");
    let is_after = |one: &&TabbedLine| one.line == at.line || of_tab && one.line > at.line;
    let Some(tab) = lines.iter().find(is_after).map(TabbedLine::tab) else {
        return Err(fault);
    };
    match spaced(text, &mut lines) {
        Some(spaced) => read_spaced(&spaced, scalars, &lines),
        None => Err(refused(tab)),
    }
}

/// The fault of a tab.
fn refused(tab: Position) -> Diagnostic {
    Diagnostic::error(SYNTAX, "YAML forbids tabs in indentation")
        .at("", tab)
        .found("a tab")
        .expected("spaces")
}

/// The documents of a text with spaces for tabs, with the positions of the original.
///
/// # Errors
/// The first tab outside of brackets and quotes, or the fault of a line without a tab.
fn read_spaced(
    text: &str,
    scalars: Scalars,
    lines: &[TabbedLine],
) -> Result<Document<'static>, Diagnostic> {
    let read = read_events(text, scalars).map_err(|fault| {
        let line = fault.position.map_or(0, |at| at.line);
        match lines.iter().find(|one| one.line == line) {
            Some(one) => refused(one.tab()),
            None => fault,
        }
    })?;
    let sorted = order::sorted(read.inside, Ord::cmp);
    let (mut inside, mut last) = (sorted.iter().peekable(), 0);
    for one in lines {
        while let Some((_, end)) = inside.next_if(|(start, _)| *start < one.line) {
            last = last.max(*end);
        }
        if last < one.line {
            return Err(refused(one.tab()));
        }
    }
    let original = |at: Position| {
        let line = lines.binary_search_by_key(&at.line, |one| one.line);
        let added = line.ok().and_then(|index| lines.get(index));
        let added = added.map_or(0, |one| one.added);
        Position {
            column: at.column.saturating_sub(added),
            ..at
        }
    };
    let Document { roots, warnings } = read.document;
    let warnings = warnings.into_iter().map(|mut warning| {
        warning.position = warning.position.map(original);
        warning
    });
    Ok(Document {
        roots: roots
            .into_iter()
            .map(|root| root.moved(&original))
            .collect(),
        warnings: warnings.collect(),
    })
}
