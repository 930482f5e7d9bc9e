//! Limits about the values of request headers: they count only if something reads the header.

use alloc::{borrow::Cow, vec::Vec};
use core::mem;

use spillgate_core::names::Names;

use crate::{Affects, Diagnostic};

/// The limits that are not decided yet, and the headers that are read.
#[derive(Debug, Default)]
pub(super) struct HeaderLimits {
    /// In lower case.
    read: Names,
    /// The limits with their headers: a list with spaces between the names.
    open: Vec<(Cow<'static, str>, Diagnostic)>,
}

impl HeaderLimits {
    /// Adds a limit.
    pub(super) fn add(&mut self, headers: Cow<'static, str>, limit: Diagnostic) {
        self.open.push((headers, limit));
    }

    /// The limits of a listener that count, if these headers are read. Those that affect all listeners
    /// wait for the others.
    pub(super) fn settle(&mut self, read: &Names) -> Vec<Diagnostic> {
        let of_all =
            |limit: &Diagnostic| matches!(limit.affects, Affects::Everything | Affects::Cluster(_));
        let open = mem::take(&mut self.open).into_iter();
        let (wait, decided): (Vec<_>, Vec<_>) = open.partition(|(_, limit)| of_all(limit));
        self.open = wait;
        let counts = decided.into_iter();
        let counts = counts.filter(|(headers, _)| is_any_in(headers, read));
        let counts = counts.map(|(_, limit)| limit).collect();
        for name in read.iter() {
            self.read.add(name);
        }
        counts
    }

    /// The other limits that count.
    pub(super) fn remaining(&mut self) -> Vec<Diagnostic> {
        let open = mem::take(&mut self.open).into_iter();
        let counts = open.filter(|(headers, _)| is_any_in(headers, &self.read));
        counts.map(|(_, limit)| limit).collect()
    }
}

/// Whether one of these headers is among those that are read. A name that ends in `-` means all headers
/// that start with it, and `*` all but those of HTTP itself, such as `:path`.
fn is_any_in(headers: &str, read: &Names) -> bool {
    headers.split_ascii_whitespace().any(|name| {
        let fits = |read: &str| match name {
            "*" => !read.starts_with(':'),
            _ => read == name || name.ends_with('-') && read.starts_with(name),
        };
        read.iter().any(fits)
    })
}
