//! All messages and enums.

use std::collections::BTreeMap;

use anyhow::{Result, ensure};

use super::wire::{integer, messages, text};
use super::{ApiField, Cardinality};

/// Messages and enums by full name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Descriptors {
    /// The fields of each message, in the order of the proto file.
    pub messages: BTreeMap<String, Vec<ApiField>>,
    /// The names of each enum, and their numbers.
    pub enums: BTreeMap<String, Vec<(String, i32)>>,
}

impl Descriptors {
    /// Adds the messages of a `FileDescriptorProto`.
    pub(super) fn add_file(&mut self, package: &str, file: &[u8]) -> Result<()> {
        const MESSAGE_TYPE: u64 = 4;
        const ENUM_TYPE: u64 = 5;
        for message in messages(file, MESSAGE_TYPE) {
            self.add_message(package, message)?;
        }
        messages(file, ENUM_TYPE).for_each(|of| self.add_enum(package, of));
        Ok(())
    }

    /// Adds a `DescriptorProto` and those inside it.
    fn add_message(&mut self, within: &str, message: &[u8]) -> Result<()> {
        const NAME: u64 = 1;
        const FIELD: u64 = 2;
        const NESTED_TYPE: u64 = 3;
        const ENUM_TYPE: u64 = 4;
        const OPTIONS: u64 = 7;
        const MAP_ENTRY: u64 = 7;
        const ONEOF: u64 = 8;
        let full = format!("{within}.{}", text(message, NAME));
        let oneofs: Vec<String> = messages(message, ONEOF)
            .map(|one| text(one, NAME))
            .collect();
        let mut entries = BTreeMap::new();
        for nested in messages(message, NESTED_TYPE) {
            let is_entry =
                messages(nested, OPTIONS).any(|options| integer(options, MAP_ENTRY) == 1);
            if is_entry {
                let value = messages(nested, FIELD).last().unwrap_or_default();
                let name = format!("{full}.{}", text(nested, NAME));
                entries.insert(name, api_field(value, &[])?.kind);
            } else {
                self.add_message(&full, nested)?;
            }
        }
        messages(message, ENUM_TYPE).for_each(|of| self.add_enum(&full, of));
        let mut fields = Vec::new();
        for field in messages(message, FIELD) {
            let mut field = api_field(field, &oneofs)?;
            if let Some(value) = entries.get(&field.kind) {
                field.kind.clone_from(value);
                field.cardinality = Cardinality::Map;
            }
            fields.push(field);
        }
        self.messages.insert(full, fields);
        Ok(())
    }

    /// Adds an `EnumDescriptorProto`.
    fn add_enum(&mut self, within: &str, of: &[u8]) {
        const NAME: u64 = 1;
        const VALUE: u64 = 2;
        const NUMBER: u64 = 2;
        let values = messages(of, VALUE)
            .map(|value| (text(value, NAME), integer(value, NUMBER) as i32))
            .collect();
        self.enums
            .insert(format!("{within}.{}", text(of, NAME)), values);
    }
}

/// Reads a `FieldDescriptorProto`.
fn api_field(field: &[u8], oneofs: &[String]) -> Result<ApiField> {
    const NAME: u64 = 1;
    const LABEL: u64 = 4;
    const TYPE: u64 = 5;
    const TYPE_NAME: u64 = 6;
    const OPTIONS: u64 = 8;
    const ONEOF_INDEX: u64 = 9;
    const JSON_NAME: u64 = 10;
    const PROTO3_OPTIONAL: u64 = 17;
    const REPEATED: u64 = 3;
    const DEPRECATED: u64 = 3;
    /// `envoy.annotations.disallowed_by_default`.
    const DISALLOWED: u64 = 189_503_207;
    const SCALARS: [&str; 19] = [
        "", "double", "float", "int64", "uint64", "int32", "fixed64", "fixed32", "bool", "string",
        "group", "message", "bytes", "uint32", "enum", "sfixed32", "sfixed64", "sint32", "sint64",
    ];
    let name = text(field, NAME);
    let json = text(field, JSON_NAME);
    ensure!(
        json.is_empty() || !json.contains('_'),
        "{name} has its own name in JSON: {json}"
    );
    let typed = text(field, TYPE_NAME);
    let kind = match typed.strip_prefix('.') {
        Some(full) => full.into(),
        None => {
            let number = usize::try_from(integer(field, TYPE))?;
            let scalar = SCALARS.get(number).copied().unwrap_or_default();
            ensure!(!scalar.is_empty(), "{name} has the unknown type {number}");
            scalar.to_owned()
        }
    };
    let mut indexes = super::wire::WireFields::new(field).filter_map(|of| of.integer(ONEOF_INDEX));
    let oneof = match indexes.next() {
        Some(index) if integer(field, PROTO3_OPTIONAL) == 0 => {
            oneofs.get(usize::try_from(index)?).cloned()
        }
        _ => None,
    };
    let option = |number| messages(field, OPTIONS).any(|options| integer(options, number) == 1);
    Ok(ApiField {
        name,
        kind,
        cardinality: if integer(field, LABEL) == REPEATED {
            Cardinality::Repeated
        } else {
            Cardinality::Single
        },
        oneof,
        deprecated: option(DEPRECATED),
        disallowed: option(DISALLOWED),
    })
}
