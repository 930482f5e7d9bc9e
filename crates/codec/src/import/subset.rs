//! Subsets and metadata.

use alloc::{sync::Arc, vec::Vec};

use spillgate_core::model::{
    Field, Metadata, SelectorFallback, SubsetConfig, SubsetFallback, SubsetSelector, Value,
};

use super::fields::{Wire, fields, variants};
use crate::bytes::{ByteReader, ByteWriter};

/// The maximum depth of metadata values, the same as in texts.
const DEEPEST: usize = 128;

fields!(SubsetConfig {
    selectors,
    fallback,
    default_subset,
    fallback_list,
    locality_weight_aware,
    scale_locality_weight,
    panic_mode_any,
    list_as_any,
    allow_redundant_keys,
});
variants!(SubsetFallback {
    NoFallback,
    AnyEndpoint,
    DefaultSubset
});

impl Wire for SubsetSelector {
    fn write(&self, to: &mut ByteWriter) {
        let keys: &[Arc<str>] = self.keys();
        Vec::from(keys).write(to);
        self.fallback().write(to);
        self.single_host_per_subset().write(to);
    }

    fn read(from: &mut ByteReader<'_>) -> Option<Self> {
        let keys: Vec<Arc<str>> = Wire::read(from)?;
        Self::new(keys, Wire::read(from)?, Wire::read(from)?).ok()
    }
}

impl Wire for SelectorFallback {
    fn write(&self, to: &mut ByteWriter) {
        match self {
            Self::NotDefined => to.byte(0),
            Self::NoFallback => to.byte(1),
            Self::AnyEndpoint => to.byte(2),
            Self::DefaultSubset => to.byte(3),
            Self::KeysSubset(keys) => {
                to.byte(4);
                keys.write(to);
            }
        }
    }

    fn read(from: &mut ByteReader<'_>) -> Option<Self> {
        Some(match from.byte()? {
            0 => Self::NotDefined,
            1 => Self::NoFallback,
            2 => Self::AnyEndpoint,
            3 => Self::DefaultSubset,
            4 => Self::KeysSubset(Wire::read(from)?),
            _ => return None,
        })
    }
}

impl Wire for Metadata {
    fn write(&self, to: &mut ByteWriter) {
        write_fields(self, to);
    }

    fn read(from: &mut ByteReader<'_>) -> Option<Self> {
        read_fields(from, DEEPEST)
    }
}

fn write_fields(metadata: &Metadata, to: &mut ByteWriter) {
    metadata.fields().len().write(to);
    for Field { key, value } in metadata.fields() {
        key.write(to);
        write_value(value, to);
    }
}

fn read_fields(from: &mut ByteReader<'_>, deepest: usize) -> Option<Metadata> {
    let count = usize::read(from)?;
    let mut fields: Vec<(Arc<str>, Value)> = Vec::new();
    for _ in 0..count {
        fields.push((Wire::read(from)?, read_value(from, deepest)?));
    }
    Some(Metadata::new(fields))
}

fn write_value(value: &Value, to: &mut ByteWriter) {
    match value {
        Value::Null => to.byte(0),
        Value::Bool(value) => {
            to.byte(1);
            value.write(to);
        }
        Value::Number(value) => {
            to.byte(2);
            value.write(to);
        }
        Value::Text(text) => {
            to.byte(3);
            text.write(to);
        }
        Value::List(values) => {
            to.byte(4);
            values.len().write(to);
            for value in values.iter() {
                write_value(value, to);
            }
        }
        Value::Struct(fields) => {
            to.byte(5);
            write_fields(fields, to);
        }
    }
}

fn read_value(from: &mut ByteReader<'_>, deepest: usize) -> Option<Value> {
    let deeper = deepest.checked_sub(1)?;
    Some(match from.byte()? {
        0 => Value::Null,
        1 => Value::Bool(Wire::read(from)?),
        2 => Value::Number(Wire::read(from)?),
        3 => Value::Text(Wire::read(from)?),
        4 => {
            let count = usize::read(from)?;
            let mut values = Vec::new();
            for _ in 0..count {
                values.push(read_value(from, deeper)?);
            }
            Value::List(values.into())
        }
        5 => Value::Struct(read_fields(from, deeper)?),
        _ => return None,
    })
}
