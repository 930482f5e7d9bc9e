//! The configuration as a JSON Schema, for editors and for checks before deployment.
//!
//! It is generated from the reader's tables: fields, names, limits and defaults. [`messages`] adds
//! the descriptions.

mod affinity;
mod delivery;
mod host_state;
mod kinds;
mod messages;

use alloc::{string::String, vec::Vec};

use crate::{
    proto::Schema,
    write::{Fields, Tree, to_json},
};
use kinds::{Kind, message};
use messages::messages;

/// A message of the configuration.
struct Described {
    /// Its name under `$defs`.
    name: &'static str,
    /// The fields that the reader knows.
    schema: &'static Schema,
    /// One sentence.
    about: &'static str,
    /// Each field with its kind, in the reader's order.
    fields: Vec<(&'static str, Kind)>,
    required: &'static [&'static str],
    /// Rules between the fields.
    rules: Fields,
}

/// Limitations of the schema compared with the reader.
const ABOUT: &str = "Generated from the reader. The reader also accepts what proto3 JSON allows: \
    camelCase names, enum values in any case or by number, numbers and Booleans as strings, null \
    for absent fields, one element in place of a list. In addition, the reader checks the Envoy \
    messages, that cluster names exist, that header names differ and each subset key has \
    one, minimum durations, duplicates, that only the last \
    step of a chain is a last resort, that secrets are not from the documentation, that sessions \
    have an output mode that chooses hosts, and that attempts_per_cluster has a list of as many hosts. The poller's configuration is #/$defs/poller.";

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
