//! Notes, while documents of a mesh are read, of the values that their readers do not use.

use alloc::{string::String, vec::Vec};

use super::Report;
use crate::{
    node::{Entry, canonical_hash, canonical_hash_of},
    proto::{
        Path, Schema,
        unread_notes::{Counts, Noted, NotedValue, NotedValues, address},
    },
};

impl Report {
    /// Notes values from here on.
    pub(crate) fn collect_notes(&mut self, counts: Counts) {
        let values = Vec::new();
        self.noted = Some(NotedValues { counts, values });
    }

    /// Notes values as another report does.
    pub(crate) fn collect_notes_like(&mut self, other: &Self) {
        if let Some(noted) = &other.noted {
            self.collect_notes(noted.counts);
        }
    }

    /// The notes so far.
    pub(crate) fn take_notes(&mut self) -> Vec<NotedValue> {
        let noted = self.noted.as_mut();
        noted.map_or_else(Vec::new, |noted| core::mem::take(&mut noted.values))
    }

    /// Adds the notes of a report on a text in this input.
    pub(crate) fn add_notes(&mut self, notes: Vec<NotedValue>) {
        if let Some(noted) = &mut self.noted {
            noted.values.extend(notes);
        }
    }

    /// Notes conditions on requests that are not converted: they can change which route requests get.
    pub(crate) fn note_conditions<'n, 'a: 'n>(
        &mut self,
        path: &Path,
        fields: impl IntoIterator<Item = &'n Entry<'a>>,
    ) {
        let Some(noted) = &mut self.noted else { return };
        let values = fields.into_iter().map(|entry| NotedValue {
            address: address(&entry.node),
            path: path.field(String::from(entry.key.name.as_ref())),
            hash: canonical_hash(&entry.node),
            can_choose: true,
        });
        noted.values.extend(values);
    }

    /// Notes a field, if it counts.
    pub(in crate::proto) fn note_in_document(
        &mut self,
        schema: &Schema,
        (path, entries): (&Path, &[Entry<'_>]),
        entry: &Entry<'_>,
    ) {
        let Some(noted) = &mut self.noted else { return };
        let name = entry.key.name.as_ref();
        let found = (noted.counts)(schema, name, entries);
        let hash = match found {
            Noted::No => return,
            Noted::Presence => 0,
            Noted::Value | Noted::Choice => canonical_hash_of(name, &entry.node),
        };
        noted.values.push(NotedValue {
            address: address(&entry.node),
            path: path.field(String::from(name)),
            hash,
            can_choose: found == Noted::Choice,
        });
    }
}
