//! The fields of a message and how they are handled.
//!
//! Each list is one text, separated by spaces: an Envoy message has up to sixty fields, and so
//! modules contain no pointer and length for every name.

use super::{Irrelevance, field_limit::FieldLimit, names::nearest};
use crate::field_name::same_name;
use crate::node::{Entry, Node, NodeValue};

/// The fields of one message. All fields are listed, so that unknown ones are rejected as in Envoy.
/// A list is one string with spaces between the names.
#[derive(Debug)]
pub struct Schema {
    /// The message's name, for diagnostics.
    pub(crate) name: &'static str,
    /// The full name of Envoy's message; empty for other messages.
    #[cfg(feature = "yaml")]
    message: &'static str,
    /// Fields that are read.
    read: &'static str,
    /// Fields that can change an answer and that are not modeled.
    limits: &'static [FieldLimit],
    /// Fields that change no choice of a host, and why.
    ignored: &'static [(Irrelevance, &'static str)],
    /// Fields that are read only in part.
    #[cfg(feature = "unread")]
    partly: &'static str,
    /// Fields that change what happens over time and that simulations do not model.
    #[cfg(feature = "yaml")]
    over_time: &'static [FieldLimit],
    /// Whether any field is accepted.
    #[cfg(feature = "mesh")]
    partial: bool,
    /// Whether unknown fields are warnings: other versions have more fields.
    #[cfg(feature = "mesh")]
    lenient: bool,
}

/// How a field is handled.
#[derive(Debug, Clone, Copy)]
pub(super) enum Fate {
    Read,
    Ignored,
    Limited(&'static FieldLimit),
    Unknown,
}

/// What a field of a message is for.
#[cfg(all(feature = "mesh", feature = "unread"))]
pub(crate) enum FieldClass {
    Read,
    Limited,
    Ignored(Irrelevance),
    Unknown,
}

impl Schema {
    /// A message of which all fields are read.
    pub const fn new(name: &'static str, read: &'static str) -> Self {
        Self {
            name,
            #[cfg(feature = "yaml")]
            message: "",
            read,
            limits: &[],
            ignored: &[],
            #[cfg(feature = "unread")]
            partly: "",
            #[cfg(feature = "yaml")]
            over_time: &[],
            #[cfg(feature = "mesh")]
            partial: false,
            #[cfg(feature = "mesh")]
            lenient: false,
        }
    }

    /// A message of which any field is accepted.
    #[cfg(feature = "mesh")]
    pub(crate) const fn partial(name: &'static str) -> Self {
        Self {
            partial: true,
            ..Self::new(name, "")
        }
    }

    /// With warnings about unknown fields instead of errors, as for an object of Kubernetes, whose
    /// versions differ.
    #[cfg(feature = "mesh")]
    #[must_use]
    pub(crate) const fn lenient(self) -> Self {
        Self {
            lenient: true,
            ..self
        }
    }

    /// Whether unknown fields are warnings.
    #[cfg(feature = "mesh")]
    pub(super) const fn is_lenient(&self) -> bool {
        self.lenient
    }

    /// Whether any field is accepted.
    #[cfg(feature = "mesh")]
    pub(super) const fn is_partial(&self) -> bool {
        self.partial
    }

    /// Of this message of Envoy's API, by its full name.
    #[cfg(feature = "yaml")]
    #[must_use]
    pub const fn of(self, message: &'static str) -> Self {
        Self { message, ..self }
    }

    /// The filter does not know the full names.
    #[cfg(not(feature = "yaml"))]
    #[must_use]
    pub const fn of(self, _: &'static str) -> Self {
        self
    }

    /// With fields that can change an answer and that are not modeled.
    #[must_use]
    pub const fn limits(self, limits: &'static [FieldLimit]) -> Self {
        Self { limits, ..self }
    }

    /// With fields that change no choice of a host.
    #[must_use]
    pub const fn ignored(self, ignored: &'static [(Irrelevance, &'static str)]) -> Self {
        Self { ignored, ..self }
    }

    /// With fields of which the reader takes only a part, so that their whole values are compared as unread ones.
    #[cfg(feature = "unread")]
    #[must_use]
    pub const fn partly(self, partly: &'static str) -> Self {
        Self { partly, ..self }
    }

    /// Nothing compares unread values.
    #[cfg(not(feature = "unread"))]
    #[must_use]
    pub const fn partly(self, _: &'static str) -> Self {
        self
    }

    /// With fields that change when and how requests end, or when failures are noticed, and that simulations over
    /// time do not model. Answers about one moment do not have these limits, so a field can have a class, too.
    #[cfg(feature = "yaml")]
    #[must_use]
    pub const fn over_time(self, over_time: &'static [FieldLimit]) -> Self {
        Self { over_time, ..self }
    }

    /// The filter simulates nothing.
    #[cfg(not(feature = "yaml"))]
    #[must_use]
    pub const fn over_time(self, _: &'static [FieldLimit]) -> Self {
        self
    }

    /// The full name of Envoy's message; empty for other messages.
    #[cfg(feature = "yaml")]
    #[must_use]
    pub const fn message(&self) -> &'static str {
        self.message
    }

    /// The fields that can change an answer and that are not modeled.
    pub fn limited_fields(&self) -> impl Iterator<Item = &'static str> {
        self.limits.iter().map(|limit| limit.field)
    }

    /// The fields that simulations over time do not model.
    #[cfg(feature = "yaml")]
    pub fn fields_over_time(&self) -> impl Iterator<Item = &'static str> {
        self.over_time.iter().map(|limit| limit.field)
    }

    /// The limits of a field in simulations over time.
    #[cfg(feature = "yaml")]
    pub(super) fn limits_over_time<'n>(
        &self,
        name: &'n str,
    ) -> impl Iterator<Item = &'static FieldLimit> + use<'n> {
        let limits = self.over_time.iter();
        limits.filter(move |limit| same_name(name, limit.field))
    }

    /// The fields that change no choice of a host, and why.
    pub fn ignored_fields(&self) -> impl Iterator<Item = (Irrelevance, &'static str)> {
        let ignored = self.ignored.iter();
        ignored.flat_map(|&(why, fields)| names(fields).map(move |field| (why, field)))
    }

    /// The name of a field that is not read or only in part, if this value can change what happens to a request.
    #[cfg(feature = "unread")]
    pub(super) fn unread_field(&self, name: &str, value: &NodeValue<'_>) -> Option<&'static str> {
        let partly = names(self.partly).find(|field| same_name(name, field));
        if partly.is_some() {
            return partly;
        }
        match self.fate(name) {
            Fate::Limited(limit) => Some(limit.field),
            Fate::Ignored => {
                let mut ignored = self.ignored_fields();
                let (why, field) = ignored.find(|(_, field)| same_name(name, field))?;
                // Without fields, such a message is as good as absent.
                let is_empty = matches!(value, NodeValue::Map(entries) if entries.is_empty());
                let says_nothing = is_empty && why == Irrelevance::Discovery;
                (why.concerns_requests() && !says_nothing).then_some(field)
            }
            Fate::Read | Fate::Unknown => None,
        }
    }

    /// What a field of this name is for.
    #[cfg(all(feature = "mesh", feature = "unread"))]
    pub(crate) fn class(&self, name: &str) -> FieldClass {
        match self.fate(name) {
            Fate::Read => FieldClass::Read,
            Fate::Limited(_) => FieldClass::Limited,
            Fate::Ignored => {
                let mut ignored = self.ignored_fields();
                let found = ignored.find(|(_, field)| same_name(name, field));
                found.map_or(FieldClass::Unknown, |(why, _)| FieldClass::Ignored(why))
            }
            Fate::Unknown => FieldClass::Unknown,
        }
    }

    /// The fields that are read, in order.
    pub fn fields(&self) -> impl Iterator<Item = &'static str> {
        names(self.read)
    }

    /// The number of a value's keys that are fields of this message, among its first 1000.
    pub fn known_fields(&self, node: &Node<'_>) -> usize {
        let known = |entry: &&Entry<'_>| self.knows(&entry.key.name);
        counted(node).iter().filter(known).count()
    }

    /// The number of a value's keys, at most 1000.
    pub fn counted_fields(node: &Node<'_>) -> usize {
        counted(node).len()
    }

    /// Whether one of a value's first keys is a misspelled field of this message.
    pub fn is_near(&self, node: &Node<'_>) -> bool {
        const TRIED: usize = 20;
        let mut keys = counted(node)
            .iter()
            .take(TRIED)
            .map(|entry| &entry.key.name);
        keys.any(|name| !self.knows(name) && self.nearest(name).is_some())
    }

    /// Whether the message has a field of this name.
    fn knows(&self, name: &str) -> bool {
        !matches!(self.fate(name), Fate::Unknown)
    }

    /// How a field of this name is handled.
    pub(super) fn fate(&self, name: &str) -> Fate {
        let is_named = |field| same_name(name, field);
        if names(self.read).any(is_named) {
            return Fate::Read;
        }
        let mut ignored = self.ignored.iter();
        if ignored.any(|(_, fields)| names(fields).any(is_named)) {
            return Fate::Ignored;
        }
        let mut limits = self.limits.iter();
        let limit = limits.find(|limit| is_named(limit.field));
        limit.map_or(Fate::Unknown, Fate::Limited)
    }

    /// The field with the nearest name, if one is near.
    pub(super) fn nearest(&self, name: &str) -> Option<&'static str> {
        let ignored = self.ignored_fields().map(|(_, field)| field);
        let fields = self.fields().chain(self.limited_fields());
        nearest(name, fields.chain(ignored))
    }
}

/// The first entries of an object, which suffice to recognize it.
fn counted<'n, 'a>(node: &'n Node<'a>) -> &'n [Entry<'a>] {
    const COUNTED: usize = 1000;
    let NodeValue::Map(entries) = &node.value else {
        return &[];
    };
    entries.get(..COUNTED).unwrap_or(entries)
}

fn names(fields: &'static str) -> impl Iterator<Item = &'static str> {
    fields.split_ascii_whitespace()
}
