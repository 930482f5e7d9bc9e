//! Limits about the values of request headers: they count only if something reads the header.

#![cfg_attr(
    not(feature = "yaml"),
    allow(dead_code, reason = "the filter has no such limits")
)]

use alloc::{borrow::Cow, vec::Vec};
use core::mem;

use spillgate_core::names::Names;

use crate::{Affects, Diagnostic};

/// The request headers that something reads, in lower case.
#[derive(Debug, Default)]
pub(crate) struct ReadHeaders {
    /// All of them.
    pub(crate) all: Names,
    /// Those that all requests depend on.
    pub(crate) common: Names,
    /// By the number of a route: those that only its requests depend on.
    pub(crate) routes: Vec<(usize, Names)>,
}

/// The most routes that get a limit of their own; a limit about more is one about the listener.
const MOST_ROUTES: usize = 20;

impl ReadHeaders {
    /// The answers that a limit about these headers concerns.
    fn affected(&self, headers: &str, affects: Affects) -> Vec<Affects> {
        if is_any_in(headers, &self.common) {
            return Vec::from([affects]);
        }
        let of_routes = self.routes.iter();
        let reading = of_routes.filter(|(_, read)| is_any_in(headers, read));
        let mut reading = reading.map(|(route, _)| *route);
        match affects {
            Affects::Listener(listener) => {
                let reading: Vec<usize> = reading.collect();
                if reading.len() > MOST_ROUTES || reading.len() == self.routes.len() {
                    let found = (!reading.is_empty()).then_some(affects);
                    return found.into_iter().collect();
                }
                let of_route = |route| Affects::Route { listener, route };
                reading.into_iter().map(of_route).collect()
            }
            Affects::Route { route, .. } => {
                let found = reading.any(|reads| reads == route).then_some(affects);
                found.into_iter().collect()
            }
            Affects::Everything | Affects::Cluster(_) | Affects::HandOff(_) => Vec::from([affects]),
        }
    }
}

/// A limit of a part that may not count, and its headers if it is about some.
#[derive(Debug)]
pub(crate) struct HeldLimit {
    pub(super) headers: Option<Cow<'static, str>>,
    pub(super) limit: Diagnostic,
}

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
    pub(super) fn settle(&mut self, read: &ReadHeaders) -> Vec<Diagnostic> {
        let of_all =
            |limit: &Diagnostic| matches!(limit.affects, Affects::Everything | Affects::Cluster(_));
        let open = mem::take(&mut self.open).into_iter();
        let (wait, decided): (Vec<_>, Vec<_>) = open.partition(|(_, limit)| of_all(limit));
        self.open = wait;
        let mut counts = Vec::new();
        for (headers, limit) in decided {
            let affected = read.affected(&headers, limit.affects.clone());
            counts.extend(affected.into_iter().map(|affects| Diagnostic {
                affects,
                ..limit.clone()
            }));
        }
        for name in read.all.iter() {
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
