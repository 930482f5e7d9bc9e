//! The configuration as a JSON Schema, for editors and for checks before a roll-out.
//!
//! It is made from what the reader goes by: its lists of fields, its tables of names, its limits
//! and defaults. [`messages`] adds what a reader does not know, what each field is for.

mod affinity;
mod delivery;
mod hosts;
mod kinds;
mod messages;

use alloc::{string::String, vec::Vec};

use crate::{
    proto::Schema,
    write::{Fields, Tree, to_json},
};
use kinds::{Kind, message};
use messages::messages;

/// One message of the configuration.
struct Described {
    /// Its name under `$defs`.
    name: &'static str,
    /// The fields that the reader knows.
    schema: &'static Schema,
    /// One sentence.
    about: &'static str,
    /// Each field with what may stand in it, in the reader's order.
    fields: Vec<(&'static str, Kind)>,
    required: &'static [&'static str],
    /// What holds between the fields.
    rules: Fields,
}

/// What the schema does not say of what the reader accepts and refuses.
const ABOUT: &str = "Generated from the reader. The reader also accepts what proto3 JSON allows: \
    camelCase names, enum values in any case or by number, numbers and truth values as texts, null \
    for what is absent, one element in place of a list. Beyond this schema it checks the Envoy \
    messages, that names of clusters exist, that headers have names of their own and each key of a \
    subset has one, what durations are at least, that nothing stands twice, that only the last \
    step of a chain is a last resort, that secrets are no examples, and that the output chooses hosts \
    where there are sessions. The poller's configuration is #/$defs/poller.";

/// The JSON Schema (2020-12) of the filter's configuration, with that of the poller under
/// `$defs`: the text of `docs/filter-config.schema.json`.
#[must_use]
pub fn json_schema() -> String {
    let mut definitions = Fields::new();
    for described in messages() {
        let name = described.name;
        definitions = definitions.with(name, message(described));
    }
    let root = Fields::new()
        .with("$schema", "https://json-schema.org/draft/2020-12/schema")
        .with("title", "Configuration of the Spillgate filter")
        .with("description", ABOUT)
        .with("$ref", "#/$defs/filter")
        .with("$defs", definitions.and(kinds::shared()));
    to_json(&Tree::from(root))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_field_that_is_read_is_described_and_no_other() {
        for described in messages() {
            let names: Vec<&str> = described.fields.iter().map(|(name, _)| *name).collect();
            let read: Vec<&str> = described.schema.fields().collect();
            assert_eq!(names, read, "{}", described.schema.name);
            for required in described.required {
                assert!(names.contains(required), "{}: {required}", described.name);
            }
        }
    }
}
