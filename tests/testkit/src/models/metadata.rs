//! Typed metadata.

use spillgate_core::model::{Metadata, Value};

use super::{Dice, Extent};

const KEYS: [&str; 6] = ["stage", "version", "type", "xlarge", "no", "1.5"];

/// How deep values nest.
const DEPTH: usize = 3;

impl Dice {
    /// Some keys with values, or none.
    pub fn metadata(&mut self, extent: Extent) -> Metadata {
        self.structure(extent, DEPTH)
    }

    /// A key that hosts and criteria draw from, so that they meet.
    pub fn key(&mut self, extent: Extent) -> &'static str {
        if extent.few {
            self.one(&KEYS[..2])
        } else {
            self.one(&KEYS)
        }
    }

    fn structure(&mut self, extent: Extent, depth: usize) -> Metadata {
        let mut fields: Vec<(String, Value)> = Vec::new();
        for _ in 0..self.below(4) {
            let key = if extent.few || self.chance(80) {
                self.key(extent).into()
            } else {
                self.text(extent)
            };
            fields.push((key, self.value(extent, depth)));
        }
        Metadata::new(fields)
    }

    fn value(&mut self, extent: Extent, depth: usize) -> Value {
        if extent.few {
            // A number, a text that looks like it, and a list of both are different values.
            let (number, text) = (Value::Number(1.0), Value::Text("1".into()));
            let list = Value::List([number.clone(), text.clone()].into());
            return self.one(&[number, text, list]);
        }
        match self.below(if depth == 0 { 8 } else { 10 }) {
            0 => Value::Null,
            1 => Value::Bool(self.chance(50)),
            2 | 3 => Value::Number(self.number(extent)),
            4..=6 => Value::Text(self.text(extent).into()),
            7 => Value::Text("".into()),
            8 => {
                let values: Vec<Value> = (0..self.below(3))
                    .map(|_| self.value(extent, depth - 1))
                    .collect();
                Value::List(values.into())
            }
            _ => Value::Struct(self.structure(extent, depth - 1)),
        }
    }

    fn number(&mut self, extent: Extent) -> f64 {
        if extent.any_number && self.chance(50) {
            let any = f64::from_bits(self.bits());
            let other = self.one(&[0.5, -0.0, 1e300, 2f64.powi(53), -1.25e-7, 4_294_967_296.0]);
            return if any.is_finite() { any } else { other };
        }
        f64::from(self.any_u32() as i32)
    }
}
