//! Conditions of route rules: of a route of a VirtualService, and of the route that delegates to it.

use alloc::{format, string::String, vec::Vec};

use spillgate_core::route::{PathMatch, RouteMatch};

/// The condition of a rule.
#[derive(Debug, Clone, Default)]
pub(super) struct Condition {
    /// As a short text; empty matches everything.
    pub(super) matches: String,
    /// As matches of routes; empty if it is not converted, or matches everything.
    pub(super) requests: Vec<RouteMatch>,
}

impl Condition {
    /// Both conditions.
    pub(super) fn and(&self, other: Self) -> Self {
        let requests = match (self.requests.as_slice(), other.requests.as_slice()) {
            ([], _) if self.matches.is_empty() => other.requests,
            (_, []) if other.matches.is_empty() => self.requests.clone(),
            (outer, inner) => {
                let pairs = outer
                    .iter()
                    .flat_map(|a| inner.iter().map(move |b| both(a, b)));
                pairs.collect::<Option<_>>().unwrap_or_default()
            }
        };
        let matches = match (self.matches.as_str(), other.matches.as_str()) {
            (outer, "") => outer.into(),
            ("", own) => own.into(),
            (outer, own) => format!("{outer} and {own}"),
        };
        Self { matches, requests }
    }
}

/// Both matches as one; `None` if their paths differ, and neither is a prefix of the other.
fn both(a: &RouteMatch, b: &RouteMatch) -> Option<RouteMatch> {
    let path = match (&a.path, &b.path) {
        (PathMatch::Prefix(a), PathMatch::Prefix(b)) if a.starts_with(b.as_str()) => {
            PathMatch::Prefix(a.clone())
        }
        (PathMatch::Prefix(a), PathMatch::Prefix(b) | PathMatch::Exact(b))
            if !b.starts_with(a.as_str()) =>
        {
            return None;
        }
        (PathMatch::Prefix(_), narrow) => narrow.clone(),
        (PathMatch::Exact(a), PathMatch::Prefix(b)) if a.starts_with(b.as_str()) => {
            PathMatch::Exact(a.clone())
        }
        (PathMatch::Exact(a), PathMatch::Exact(b)) if a == b => PathMatch::Exact(a.clone()),
        _ => return None,
    };
    let mut both = b.clone();
    both.path = path;
    both.case_sensitive = a.case_sensitive && b.case_sensitive;
    both.headers.extend(a.headers.iter().cloned());
    both.query_parameters
        .extend(a.query_parameters.iter().cloned());
    Some(both)
}
