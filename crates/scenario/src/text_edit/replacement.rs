//! Lines in the place of others.

use std::{cmp::Ordering, ops::Range};

/// Lines that replace others of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Replacement<'t> {
    /// The replaced lines; empty at the place of an insertion.
    pub(super) base: Range<usize>,
    pub(super) lines: &'t [&'t str],
}

/// What replaces lines of a text of `count` lines in `new`, in order. The others are in `pairs`.
pub(super) fn replacements<'t>(
    pairs: Vec<(usize, usize)>,
    count: usize,
    new: &'t [&'t str],
) -> Vec<Replacement<'t>> {
    let end = (count, new.len());
    let (mut at_old, mut at_new) = (0, 0);
    let mut found = Vec::new();
    for (same_old, same_new) in pairs.into_iter().chain([end]) {
        if at_old < same_old || at_new < same_new {
            found.push(Replacement {
                base: at_old..same_old,
                lines: new.get(at_new..same_new).unwrap_or_default(),
            });
        }
        (at_old, at_new) = (same_old + 1, same_new + 1);
    }
    found
}

impl<'t> Replacement<'t> {
    /// Line by line, if it has as many lines as it replaces.
    pub(super) fn by_line(self) -> Vec<Self> {
        if self.base.len() != self.lines.len() {
            return vec![self];
        }
        let lines = self.base.zip(self.lines.chunks(1));
        lines
            .map(|(at, lines)| Self {
                base: at..at + 1,
                lines,
            })
            .collect()
    }

    /// Whether both replace a line, or one inserts in the middle of what the other replaces.
    pub(super) const fn overlaps(&self, other: &Self) -> bool {
        self.base.start < other.base.end && other.base.start < self.base.end
    }

    /// The one of the earlier lines is first. In one place, lines that belong to the entry before them are indented
    /// more.
    pub(super) fn order(&self, other: &Self) -> Ordering {
        let place = |one: &Self| (one.base.start, one.base.end);
        let by_indent = || other.indent().cmp(&self.indent());
        place(self).cmp(&place(other)).then_with(by_indent)
    }

    /// The number of spaces before its first line.
    pub(super) fn indent(&self) -> usize {
        let first = self.lines.iter().find(|line| !line.trim().is_empty());
        first.map_or(0, |line| line.len() - line.trim_start().len())
    }
}
