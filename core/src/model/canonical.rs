//! Canonical bytes of metadata: the input of keyed hashes of subset criteria.
//!
//! A session token stores such a hash ([`SubsetId`](crate::affinity::SubsetId)), so the encoding is
//! the same on every platform and in every version.

use alloc::vec::Vec;

use super::{Metadata, Value};

impl Metadata {
    /// Appends a canonical encoding. Equal metadata have equal bytes; different metadata have
    /// different bytes.
    ///
    /// Each value starts with one byte for its type. Strings, lists and structs store their length
    /// (64-bit, little endian) before their content. Numbers are the little-endian bits of the
    /// double.
    ///
    /// # Examples
    /// ```
    /// use spillgate_core::model::{Metadata, Value};
    ///
    /// let bytes = |metadata: &Metadata| {
    ///     let mut bytes = Vec::new();
    ///     metadata.canonical(&mut bytes);
    ///     bytes
    /// };
    /// let one = Metadata::new([("version", Value::Number(1.0))]);
    /// let text = Metadata::new([("version", Value::Text("1".into()))]);
    /// assert_eq!(bytes(&one), bytes(&one.clone()));
    /// assert_ne!(bytes(&one), bytes(&text));
    /// ```
    pub fn canonical(&self, to: &mut Vec<u8>) {
        length(self.fields().len(), to);
        for field in self.fields() {
            text(&field.key, to);
            field.value.canonical(to);
        }
    }
}

impl Value {
    fn canonical(&self, to: &mut Vec<u8>) {
        match self {
            Self::Null => to.push(b'n'),
            Self::Bool(false) => to.push(b'f'),
            Self::Bool(true) => to.push(b't'),
            Self::Number(number) => {
                to.push(b'd');
                to.extend(number.to_bits().to_le_bytes());
            }
            Self::Text(value) => {
                to.push(b's');
                text(value, to);
            }
            Self::List(values) => {
                to.push(b'l');
                length(values.len(), to);
                for value in values.iter() {
                    value.canonical(to);
                }
            }
            Self::Struct(fields) => {
                to.push(b'm');
                fields.canonical(to);
            }
        }
    }
}

fn text(text: &str, to: &mut Vec<u8>) {
    length(text.len(), to);
    to.extend(text.as_bytes());
}

fn length(length: usize, to: &mut Vec<u8>) {
    to.extend((length as u64).to_le_bytes());
}

#[cfg(test)]
mod tests {
    use alloc::{sync::Arc, vec};

    use super::*;

    fn bytes(metadata: &Metadata) -> Vec<u8> {
        let mut bytes = Vec::new();
        metadata.canonical(&mut bytes);
        bytes
    }

    #[test]
    fn metadata_is_equal_if_and_only_if_its_bytes_are() {
        let list = |values: &[Value]| Value::List(Arc::from(values));
        let text = |text: &str| Value::Text(text.into());
        let all = [
            Metadata::EMPTY,
            Metadata::new([("a", Value::Null)]),
            Metadata::new([("a", Value::Bool(true))]),
            Metadata::new([("a", Value::Number(1.0))]),
            Metadata::new([("a", text("1"))]),
            Metadata::new([("a", text("true"))]),
            Metadata::new([("a", text("1")), ("b", text("2"))]),
            Metadata::new([("a", text("1b2"))]),
            Metadata::new([("a", list(&[text("1"), text("2")]))]),
            Metadata::new([("a", list(&[text("12")]))]),
            Metadata::new([("a", Value::Struct(Metadata::new([("a", text("1"))])))]),
        ];
        for (at, one) in all.iter().enumerate() {
            for (index, other) in all.iter().enumerate() {
                assert_eq!(bytes(one) == bytes(other), at == index, "{one} {other}");
            }
        }
        let turned = vec![("b", text("2")), ("a", text("1"))];
        assert_eq!(bytes(&Metadata::new(turned)), bytes(&all[6]));
    }
}
