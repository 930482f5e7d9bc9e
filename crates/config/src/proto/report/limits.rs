//! Limits: settings that can change an answer and are not modeled.

use alloc::{borrow::Cow, format, string::String, vec::Vec};

use super::{HeldLimit, ReadHeaders, Report};
use crate::{
    Affects, Diagnostic, Position,
    node::Node,
    proto::{Path, field_limit::FieldLimit},
};
#[cfg(feature = "unread")]
use crate::{
    node::{canonical_hash, canonical_hash_of},
    proto::{Schema, UnreadField, UnreadPlace, UnreadValues, unread_values::hash},
};

/// The code of fields that can change an answer and are not modeled.
const NOT_MODELED: &str = "config/not-modeled";

/// The code of what only simulations over time do not model.
#[cfg(feature = "yaml")]
const OVER_TIME: &str = "config/over-time";

impl Report {
    /// Reads a part of the input that affects only some answers, such as one cluster: limits in it
    /// concern only these. The most specific part counts. The filter answers no questions, so it does
    /// not distinguish them.
    pub(crate) fn within<T>(&mut self, affects: Affects, read: impl FnOnce(&mut Self) -> T) -> T {
        if cfg!(not(feature = "yaml")) {
            return read(self);
        }
        let around = core::mem::replace(&mut self.affects, affects);
        let read = read(self);
        self.affects = around;
        read
    }

    /// Reads a part of the input without reporting its limits, which count where
    /// [`Report::release`] gets them.
    pub(crate) fn holding<T>(&mut self, read: impl FnOnce(&mut Self) -> T) -> (T, Vec<HeldLimit>) {
        let around = self.held.replace(Vec::new());
        let read = read(self);
        let held = core::mem::replace(&mut self.held, around);
        (read, held.unwrap_or_default())
    }

    /// Reports held limits for the part of the input that is being read.
    pub(crate) fn release(&mut self, held: &[HeldLimit]) {
        for one in held {
            let mut limit = one.limit.clone();
            limit.affects = self.affects.clone();
            #[cfg(feature = "yaml")]
            if let Some(headers) = &one.headers {
                self.header_limits.add(headers.clone(), limit);
                continue;
            }
            self.keep(limit);
        }
    }

    /// Adds a limit, to those of answers about one moment or of simulations over time.
    fn keep(&mut self, limit: Diagnostic) {
        #[cfg(feature = "yaml")]
        if limit.code == OVER_TIME {
            self.findings.over_time(limit);
            return;
        }
        self.findings.once(limit);
    }

    /// As [`Report::within`], for a route of the listener that is being read.
    pub(crate) fn within_route<T>(&mut self, route: usize, read: impl FnOnce(&mut Self) -> T) -> T {
        let affects = match self.affects {
            Affects::Listener(listener) => Affects::Route { listener, route },
            ref other => other.clone(),
        };
        self.within(affects, read)
    }

    /// Reports a field that can change an answer and is not modeled, if its value matters.
    pub(in crate::proto) fn limited(
        &mut self,
        limit: &'static FieldLimit,
        value: &Node<'_>,
        path: &Path,
        position: Position,
    ) {
        // Ignoring these would send requests to hosts that the configuration excludes.
        const REFUSED: [&str; 2] = ["lb_subset_config", "hash_policy"];
        if self.is_strict() {
            if REFUSED.contains(&limit.field) {
                self.missing_feature("config/not-supported", limit.field, "", path, position);
            } else if limit.is_simple() {
                self.not_modeled(limit.field, path, position);
            }
        } else if cfg!(feature = "yaml") && limit.matters(value) {
            match limit.headers() {
                Some(names) => {
                    self.limit_if_read(names, NOT_MODELED, limit.text(limit.field), path, position);
                }
                None => self.limit(NOT_MODELED, limit.text(limit.field), path, position),
            }
        }
    }

    /// Reports a value that is not modeled, by its field.
    pub(crate) fn not_modeled(&mut self, field: &'static str, path: &Path, position: Position) {
        let effect = format!("{field} is not modeled; ignored");
        self.limit(NOT_MODELED, effect, path, position);
    }

    /// Records a setting that is not modeled: `effect` names it and what can differ. Further places
    /// with the same text in the same part are counted.
    pub fn limit(
        &mut self,
        code: &'static str,
        effect: impl Into<String>,
        path: &Path,
        position: Position,
    ) {
        let limit = Diagnostic::limit(code, effect, self.affects.clone()).at(path.text(), position);
        match &mut self.held {
            Some(held) => held.push(HeldLimit {
                headers: None,
                limit,
            }),
            None => self.keep(limit),
        }
    }

    /// Reports a field that simulations over time do not model, if its value matters.
    #[cfg(feature = "yaml")]
    pub(in crate::proto) fn limited_over_time(
        &mut self,
        limit: &'static FieldLimit,
        value: &Node<'_>,
        path: &Path,
        position: Position,
    ) {
        if limit.matters(value) {
            let text = limit.text(limit.name_in(value));
            self.limit_over_time(text, path, position);
        }
    }

    /// Records what simulations over time do not model: `effect` names it and what can differ.
    #[cfg(feature = "yaml")]
    pub(crate) fn limit_over_time(
        &mut self,
        effect: impl Into<String>,
        path: &Path,
        position: Position,
    ) {
        self.limit(OVER_TIME, effect, path, position);
    }

    /// Nothing compares documents of a mesh.
    #[cfg(all(feature = "mesh", not(feature = "unread")))]
    pub(crate) fn note_conditions<'n, 'a: 'n>(
        &mut self,
        _: &Path,
        _: impl IntoIterator<Item = &'n crate::node::Entry<'a>>,
    ) {
    }

    /// Notes the value of a field that is not read and can change what happens to a request.
    #[cfg(feature = "unread")]
    pub(in crate::proto) fn note_unread(&mut self, schema: &Schema, name: &str, node: &Node<'_>) {
        if let Some(field) = schema.unread_field(name, &node.value) {
            self.note_value(schema.name, field, canonical_hash_of(field, node));
        }
    }

    /// Notes a part of a field that is read otherwise.
    #[cfg(feature = "unread")]
    pub(crate) fn note_part(
        &mut self,
        message: &'static str,
        field: &'static str,
        node: &Node<'_>,
    ) {
        if self.is_judged() {
            self.note_value(message, field, canonical_hash_of(field, node));
        }
    }

    /// Notes parts of a field that is read otherwise, as one text.
    #[cfg(feature = "unread")]
    pub(crate) fn note_text(&mut self, message: &'static str, field: &'static str, text: &str) {
        if self.is_judged() {
            self.note_value(message, field, hash(text));
        }
    }

    #[cfg(feature = "unread")]
    fn note_value(&mut self, message: &'static str, field: &'static str, value: u64) {
        let place = self.unread_place();
        let field = UnreadField {
            message: message.into(),
            field: field.into(),
            // The conditions of filter chains depend on what listener filters find.
            can_choose: matches!(field, "listener_filters" | "upgrade_configs"),
        };
        self.unread.add(field, place, value);
    }

    /// The place of the message being read: in a cluster, or of [`Report::at_place`].
    #[cfg(feature = "unread")]
    fn unread_place(&self) -> UnreadPlace {
        match &self.affects {
            Affects::Cluster(name) if self.unread_place == UnreadPlace::default() => {
                UnreadPlace::cluster(name)
            }
            _ => self.unread_place,
        }
    }

    /// Reads a part of the input with a name, which unread values belong to.
    pub(crate) fn at_place<T>(
        &mut self,
        name: impl FnOnce() -> String,
        read: impl FnOnce(&mut Self) -> T,
    ) -> T {
        #[cfg(feature = "unread")]
        return self.at_part(|| hash(&name()), read);
        #[cfg(not(feature = "unread"))]
        {
            let _ = name;
            read(self)
        }
    }

    /// Reads a part of the input with these conditions, which unread values belong to.
    pub(crate) fn at_conditions<T>(
        &mut self,
        conditions: Option<&Node<'_>>,
        read: impl FnOnce(&mut Self) -> T,
    ) -> T {
        #[cfg(feature = "unread")]
        return self.at_part(|| conditions.map_or(0, canonical_hash), read);
        #[cfg(not(feature = "unread"))]
        {
            let _ = conditions;
            read(self)
        }
    }

    #[cfg(feature = "unread")]
    fn at_part<T>(&mut self, part: impl FnOnce() -> u64, read: impl FnOnce(&mut Self) -> T) -> T {
        if self.is_judged() {
            let inner = self.unread_place().part(part());
            let around = core::mem::replace(&mut self.unread_place, inner);
            let read = read(self);
            self.unread_place = around;
            return read;
        }
        read(self)
    }

    /// The values of fields that choose no host, so far.
    #[cfg(feature = "unread")]
    pub(crate) fn take_unread(&mut self) -> UnreadValues {
        core::mem::take(&mut self.unread)
    }

    /// The limits of simulations over time so far.
    #[must_use]
    pub(crate) fn take_over_time(&mut self) -> Vec<Diagnostic> {
        self.findings.take_over_time()
    }

    /// As [`Report::limit`], about the values of headers: it counts only if something reads one of
    /// them, see [`Report::settle_headers`]. `headers` is a list with spaces between the names; a name
    /// that ends in `-` means all headers that start with it.
    #[cfg(feature = "yaml")]
    pub(crate) fn limit_if_read(
        &mut self,
        headers: impl Into<Cow<'static, str>>,
        code: &'static str,
        effect: impl Into<String>,
        path: &Path,
        position: Position,
    ) {
        let limit = Diagnostic::limit(code, effect, self.affects.clone()).at(path.text(), position);
        let headers = headers.into();
        match &mut self.held {
            Some(held) => held.push(HeldLimit {
                headers: Some(headers),
                limit,
            }),
            None => self.header_limits.add(headers, limit),
        }
    }

    /// Keeps the limits of a listener about headers that something reads: its routes, or the clusters.
    /// Those that affect all listeners count if any of them reads a header.
    #[cfg(feature = "yaml")]
    pub(crate) fn settle_headers(&mut self, read: &ReadHeaders) {
        for limit in self.header_limits.settle(read) {
            self.findings.once(limit);
        }
    }

    /// The filter has no such limits.
    #[cfg(not(feature = "yaml"))]
    pub(crate) fn limit_if_read(
        &mut self,
        _: impl Into<Cow<'static, str>>,
        _: &'static str,
        _: impl Into<String>,
        _: &Path,
        _: Position,
    ) {
    }

    /// The filter has no such limits.
    #[cfg(not(feature = "yaml"))]
    pub(crate) fn settle_headers(&mut self, _: &ReadHeaders) {}

    /// Keeps the limits about headers that any listener reads.
    pub(super) fn settle_remaining_headers(&mut self) {
        #[cfg(feature = "yaml")]
        for limit in self.header_limits.remaining() {
            self.findings.once(limit);
        }
    }

    /// Reports a feature that the engine lacks: an error if the report is strict, else a limit with
    /// the `consequence`.
    pub fn missing_feature(
        &mut self,
        code: &'static str,
        what: &str,
        consequence: &str,
        path: &Path,
        position: Position,
    ) {
        if self.is_strict() {
            let message = format!("{what} is not supported by this version");
            self.push(Diagnostic::error(code, message).at(path.text(), position));
        } else {
            let effect = format!("{what} is not modeled; {consequence}");
            self.limit(code, effect, path, position);
        }
    }
}
