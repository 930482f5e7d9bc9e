//! Subset criteria as the metadata of a route, in the protobuf form in which Envoy passes them to filters.

use spillgate_core::{
    model::{Metadata, Value},
    proto::varint,
};

/// The namespace of subset criteria.
const CRITERIA: &str = "envoy.lb";

/// The wire types of protobuf.
const VARINT: u64 = 0;
const FIXED64: u64 = 1;
const BYTES: u64 = 2;

/// The criteria as a `google.protobuf.Struct`.
fn struct_bytes(criteria: &Metadata) -> Vec<u8> {
    let mut bytes = Vec::new();
    for field in criteria.fields() {
        push(1, &entry(&field.key, &value(&field.value)), &mut bytes);
    }
    bytes
}

/// The `core.v3.Metadata` of a route with these criteria.
#[must_use]
pub fn route_metadata(criteria: &Metadata) -> Vec<u8> {
    let mut bytes = Vec::new();
    push(1, &entry(CRITERIA, &struct_bytes(criteria)), &mut bytes);
    bytes
}

/// An entry of a map.
fn entry(key: &str, value: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    push(1, key.as_bytes(), &mut bytes);
    push(2, value, &mut bytes);
    bytes
}

/// A `google.protobuf.Value`.
fn value(of: &Value) -> Vec<u8> {
    let mut bytes = Vec::new();
    match of {
        Value::Null => push_number(1, 0, &mut bytes),
        Value::Number(number) => {
            varint::write(2 << 3 | FIXED64, &mut bytes);
            bytes.extend(number.to_bits().to_le_bytes());
        }
        Value::Text(text) => push(3, text.as_bytes(), &mut bytes),
        Value::Bool(truth) => push_number(4, u64::from(*truth), &mut bytes),
        Value::Struct(fields) => push(5, &struct_bytes(fields), &mut bytes),
        Value::List(values) => {
            let mut list = Vec::new();
            for one in values.iter() {
                push(1, &value(one), &mut list);
            }
            push(6, &list, &mut bytes);
        }
    }
    bytes
}

fn push(field: u64, content: &[u8], to: &mut Vec<u8>) {
    varint::write(field << 3 | BYTES, to);
    varint::write(content.len() as u64, to);
    to.extend_from_slice(content);
}

fn push_number(field: u64, number: u64, to: &mut Vec<u8>) {
    varint::write(field << 3 | VARINT, to);
    varint::write(number, to);
}

#[cfg(test)]
mod tests {
    use spillgate_core::proto::read_struct;

    use super::*;

    #[test]
    fn criteria_of_every_type_read_back() {
        let inner = Metadata::new([("a", Value::Bool(false)), ("b", Value::Null)]);
        let list = [Value::Number(1.5), Value::Text(String::new().into())];
        let criteria = Metadata::new([
            ("stage", Value::Text("prod".into())),
            ("version", Value::Number(-2.0)),
            ("other", Value::UNMATCHED),
            ("on", Value::Bool(true)),
            ("null", Value::Null),
            ("list", Value::List(list.to_vec().into())),
            ("struct", Value::Struct(inner)),
        ]);
        assert_eq!(read_struct(&struct_bytes(&criteria)), Some(criteria));
        assert!(struct_bytes(&Metadata::EMPTY).is_empty());
    }

    #[test]
    fn the_criteria_are_in_the_namespace_of_load_balancing() {
        let mut expected = vec![0x0a, 12, 0x0a, 8];
        expected.extend(b"envoy.lb");
        expected.extend([0x12, 0]);
        assert_eq!(route_metadata(&Metadata::EMPTY), expected);
    }
}
