//! Added and removed request headers.

use alloc::{string::String, vec::Vec};

use super::{
    ChangedHeaders, HeaderFormat, Headers,
    header_format::{FormatInput, MissingValue},
};

/// The headers that a route or one of its parents adds and removes (`request_headers_to_add`,
/// `request_headers_to_remove`). Headers are removed first; all values are made before any is added.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HeaderMutations {
    /// The lower-case names of removed headers.
    pub removed: Vec<String>,
    /// The added headers, in order.
    pub added: Vec<AddedHeader>,
}

/// A header that is added or replaced (`envoy.config.core.v3.HeaderValueOption`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AddedHeader {
    /// The lower-case name.
    pub name: String,
    /// The value.
    pub value: HeaderFormat,
    /// What happens to a header that the request has (`append_action`, `append`).
    pub action: AppendAction,
    /// Whether an empty value counts (`keep_empty_value`).
    pub keep_empty: bool,
}

/// What happens to a header that the request has (`HeaderValueOption.HeaderAppendAction`).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum AppendAction {
    /// It gets a further value.
    #[default]
    AppendIfExistsOrAdd,
    /// It stays.
    AddIfAbsent,
    /// It is replaced.
    OverwriteIfExistsOrAdd,
    /// It is replaced; without it, nothing happens.
    OverwriteIfExists,
}

/// One step of a list of changes, in which each step sees the changes before it
/// (`envoy.config.common.mutation_rules.v3.HeaderMutation`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HeaderMutation {
    /// Removes a header with this lower-case name (`remove`).
    Remove(String),
    /// Adds or replaces a header (`append`).
    Append(AddedHeader),
}

impl HeaderMutations {
    /// Whether nothing changes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.removed.is_empty() && self.added.is_empty()
    }

    /// Whether no value of the client remains in this header: it is removed, or gets a fixed value.
    #[must_use]
    pub fn replaces(&self, header: &str) -> bool {
        use AppendAction::{OverwriteIfExists, OverwriteIfExistsOrAdd};
        let overwrites = |added: &AddedHeader| {
            added.name == header
                && matches!(added.action, OverwriteIfExists | OverwriteIfExistsOrAdd)
                && added.value.is_fixed()
        };
        self.removed.iter().any(|name| name == header) || self.added.iter().any(overwrites)
    }

    pub(super) fn apply<H: Headers>(
        &self,
        headers: &mut ChangedHeaders<'_, H>,
        connection: &super::Connection<'_>,
        route_name: &str,
    ) {
        for name in &self.removed {
            headers.remove(name);
        }
        let input = FormatInput {
            headers: &*headers,
            connection,
            route_name,
        };
        let made = self.added.iter().filter_map(|added| {
            let value = added.value_for(&input)?;
            Some((added, value))
        });
        let made: Vec<(&AddedHeader, Vec<u8>)> = made.collect();
        let appends = |added: &AddedHeader| {
            use AppendAction::{AddIfAbsent, AppendIfExistsOrAdd};
            matches!(added.action, AppendIfExistsOrAdd | AddIfAbsent)
        };
        for (added, value) in made.iter().filter(|(added, _)| !appends(added)) {
            headers.set(&added.name, value.clone());
        }
        for (added, value) in made.iter().filter(|(added, _)| appends(added)) {
            headers.add(&added.name, value.clone());
        }
    }
}

impl AddedHeader {
    /// The value, if the header is added or replaced.
    fn value_for<H: Headers>(&self, input: &FormatInput<'_, H>) -> Option<Vec<u8>> {
        let value = self.value.value(input, MissingValue::Omitted)?;
        if value.is_empty() && !self.keep_empty {
            return None;
        }
        let present = input.headers.first(&self.name).is_some();
        let applies = match self.action {
            AppendAction::AppendIfExistsOrAdd | AppendAction::OverwriteIfExistsOrAdd => true,
            AppendAction::AddIfAbsent => !present,
            AppendAction::OverwriteIfExists => present,
        };
        applies.then_some(value)
    }
}

impl HeaderMutation {
    /// Applies changes one after the other.
    pub(super) fn apply_all<H: Headers>(
        of: &[Self],
        headers: &mut ChangedHeaders<'_, H>,
        connection: &super::Connection<'_>,
    ) {
        for mutation in of {
            let added = match mutation {
                Self::Remove(name) => {
                    headers.remove(name);
                    continue;
                }
                Self::Append(added) => added,
            };
            let value = added.value_for(&FormatInput {
                headers: &*headers,
                connection,
                // The filters run before Envoy writes the name of the route anywhere.
                route_name: "",
            });
            match (value, added.action) {
                (None, _) => {}
                (Some(value), AppendAction::AppendIfExistsOrAdd | AppendAction::AddIfAbsent) => {
                    headers.add(&added.name, value);
                }
                (Some(value), _) => headers.set(&added.name, value),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use super::super::{Connection, FormatPart, HeaderList};
    use super::*;

    fn added(name: &str, value: HeaderFormat, action: AppendAction) -> AddedHeader {
        AddedHeader {
            name: name.into(),
            value,
            action,
            keep_empty: false,
        }
    }

    fn of_header(name: &str) -> HeaderFormat {
        HeaderFormat(vec![FormatPart::Header {
            name: name.into(),
            otherwise: None,
            limit: None,
        }])
    }

    fn values<H: Headers>(headers: &H, name: &str) -> Vec<String> {
        let values = headers.values(name);
        let text = |value: &[u8]| String::from_utf8(value.to_vec()).unwrap();
        values.map(text).collect()
    }

    /// Headers that Envoy 1.40 forwarded for a request with `x-a: 1`, `x-a: 2` and for one without.
    #[test]
    fn append_actions_are_those_of_envoy() {
        use AppendAction::*;
        for (action, with, without) in [
            (AppendIfExistsOrAdd, &["1", "2", "new"][..], &["new"][..]),
            (AddIfAbsent, &["1", "2"], &["new"]),
            (OverwriteIfExistsOrAdd, &["new"], &["new"]),
            (OverwriteIfExists, &["new"], &[]),
        ] {
            let mutations = HeaderMutations {
                removed: vec![],
                added: vec![added("x-a", HeaderFormat::text("new"), action)],
            };
            let after = |sent: &[(&str, &str)]| {
                let sent = HeaderList(sent);
                let mut headers = ChangedHeaders::new(&sent);
                mutations.apply(&mut headers, &Connection::default(), "");
                values(&headers, "x-a")
            };
            assert_eq!(after(&[("x-a", "1"), ("x-a", "2")]), with, "{action:?}");
            assert_eq!(after(&[]), without, "{action:?}");
        }
    }

    #[test]
    fn values_of_a_route_are_made_before_any_is_added() {
        let append = AppendAction::AppendIfExistsOrAdd;
        let mutations = HeaderMutations {
            removed: vec!["x-a".into()],
            added: vec![
                added("x-b", HeaderFormat::text("2"), append),
                added("x-c", of_header("x-b"), append),
                added("x-d", of_header("x-a"), append),
            ],
        };
        let sent = HeaderList(&[("x-a", "1"), ("x-b", "b")]);
        let mut headers = ChangedHeaders::new(&sent);
        mutations.apply(&mut headers, &Connection::default(), "");
        assert_eq!(values(&headers, "x-b"), ["b", "2"]);
        assert_eq!(values(&headers, "x-c"), ["b"]);
        // An empty value is not added.
        assert!(!headers.has("x-d") && !headers.has("x-a"));
    }

    #[test]
    fn a_list_of_changes_is_applied_in_order() {
        use AppendAction::*;
        let steps = [
            HeaderMutation::Append(added("x-a", HeaderFormat::text("n"), AppendIfExistsOrAdd)),
            HeaderMutation::Append(added("x-b", of_header("x-a"), AppendIfExistsOrAdd)),
            HeaderMutation::Remove("x-a".into()),
            HeaderMutation::Append(added("x-c", of_header("x-a"), AppendIfExistsOrAdd)),
            HeaderMutation::Append(added("x-d", HeaderFormat::text("3"), AddIfAbsent)),
            HeaderMutation::Append(added("x-d", HeaderFormat::text("4"), AddIfAbsent)),
        ];
        let sent = HeaderList(&[("x-a", "1"), ("x-a", "2")]);
        let mut headers = ChangedHeaders::new(&sent);
        HeaderMutation::apply_all(&steps, &mut headers, &Connection::default());
        assert_eq!(values(&headers, "x-b"), ["1"]);
        assert_eq!(values(&headers, "x-d"), ["3"]);
        assert!(!headers.has("x-a") && !headers.has("x-c"));
    }
}
