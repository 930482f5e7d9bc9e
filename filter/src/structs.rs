//! The wire form of `google.protobuf.Struct`, written as JSON.
//!
//! No JSON text reads as a Struct by accident: each of a Struct's members holds a byte 0x12, which
//! stands in no JSON text.

use crate::wire::{Field, Wire};
use spillgate_config::node::{MAXIMUM_DEPTH, Writer};

/// Why bytes do not become JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StructError {
    /// They are no Struct, or one nested too deep.
    NoStruct,
    /// A number is not finite, or needs more digits than it is worth.
    Number,
}

type Outcome = Result<(), StructError>;

/// The Struct in these bytes as JSON. An empty one is no Struct: it may as well be empty text.
pub(crate) fn to_json(bytes: &[u8]) -> Result<String, StructError> {
    if bytes.is_empty() {
        return Err(StructError::NoStruct);
    }
    let mut json = Writer::new();
    write_struct(bytes, &mut json, 0)?;
    Ok(json.finish())
}

/// `Struct { map<string, Value> fields = 1; }`
fn write_struct(bytes: &[u8], json: &mut Writer, depth: usize) -> Outcome {
    json.begin_object();
    for field in Wire::new(bytes) {
        let Some(Field::Bytes(1, entry)) = field else {
            return Err(StructError::NoStruct);
        };
        write_entry(entry, json, depth)?;
    }
    json.end_object();
    Ok(())
}

/// `{ string key = 1; Value value = 2; }`
fn write_entry(bytes: &[u8], json: &mut Writer, depth: usize) -> Outcome {
    let (mut key, mut value) = (&[][..], None);
    for field in Wire::new(bytes) {
        match field {
            Some(Field::Bytes(1, bytes)) => key = bytes,
            Some(Field::Bytes(2, bytes)) => value = Some(bytes),
            _ => return Err(StructError::NoStruct),
        }
    }
    json.key(text(key)?);
    write_value(value.ok_or(StructError::NoStruct)?, json, depth + 1)
}

/// `Value { oneof { null = 1, number = 2, string = 3, bool = 4, struct = 5, list = 6 } }`
fn write_value(bytes: &[u8], json: &mut Writer, depth: usize) -> Outcome {
    if depth > MAXIMUM_DEPTH {
        return Err(StructError::NoStruct);
    }
    // Of a field that stands twice the last one counts.
    match Wire::new(bytes).last().ok_or(StructError::NoStruct)? {
        Some(Field::Varint(1, _)) => json.null(),
        Some(Field::Fixed64(2, bits)) => write_number(f64::from_bits(bits), json)?,
        Some(Field::Bytes(3, bytes)) => json.string(text(bytes)?),
        Some(Field::Varint(4, truth)) => json.bool(truth != 0),
        Some(Field::Bytes(5, bytes)) => write_struct(bytes, json, depth)?,
        Some(Field::Bytes(6, bytes)) => write_list(bytes, json, depth)?,
        _ => return Err(StructError::NoStruct),
    }
    Ok(())
}

/// `ListValue { repeated Value values = 1; }`
fn write_list(bytes: &[u8], json: &mut Writer, depth: usize) -> Outcome {
    json.begin_list();
    for field in Wire::new(bytes) {
        let Some(Field::Bytes(1, value)) = field else {
            return Err(StructError::NoStruct);
        };
        write_value(value, json, depth + 1)?;
    }
    json.end_list();
    Ok(())
}

fn text(bytes: &[u8]) -> Result<&str, StructError> {
    std::str::from_utf8(bytes).map_err(|_| StructError::NoStruct)
}

/// Writes a number as whole digits over a power of ten. A quotient of two exact numbers is rounded
/// once, as reading the decimal is, so the text reads back as the very same number. This spares the
/// module the general formatting of floats.
fn write_number(number: f64, json: &mut Writer) -> Outcome {
    /// Whole numbers of more digits are not told apart, nor half a number beside them.
    const FIFTEEN_DIGITS: f64 = 1e15;
    const MOST_DECIMALS: usize = 15;
    // A cast takes what does not fit to the nearest end, which is then another number.
    if (number as i64) as f64 == number {
        json.int(number as i64);
        return Ok(());
    }
    let mut scale = 1.0;
    for decimals in 1..=MOST_DECIMALS {
        scale *= 10.0;
        let scaled = number * scale;
        if !(-FIFTEEN_DIGITS..=FIFTEEN_DIGITS).contains(&scaled) {
            break;
        }
        // The cast cuts toward zero.
        let whole = (scaled + 0.5_f64.copysign(scaled)) as i64;
        if whole as f64 / scale == number {
            json.decimal(&decimal(whole, decimals));
            return Ok(());
        }
    }
    Err(StructError::Number)
}

/// `whole` with a point before its last `decimals` digits.
fn decimal(whole: i64, decimals: usize) -> String {
    let sign = if whole < 0 { "-" } else { "" };
    let digits = format!("{:0>width$}", whole.unsigned_abs(), width = decimals + 1);
    let (before, after) = digits
        .split_at_checked(digits.len() - decimals)
        .unwrap_or((&digits, "0"));
    format!("{sign}{before}.{after}")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A member of a Struct.
    fn member(key: &str, value: &[u8]) -> Vec<u8> {
        let entry = [delimited(0x0a, key.as_bytes()), delimited(0x12, value)].concat();
        delimited(0x0a, &entry)
    }

    fn delimited(tag: u8, bytes: &[u8]) -> Vec<u8> {
        let mut out = vec![tag];
        let mut length = bytes.len();
        while length >= 0x80 {
            out.push((length & 0x7f) as u8 | 0x80);
            length >>= 7;
        }
        out.push(length as u8);
        out.extend_from_slice(bytes);
        out
    }

    fn number(number: f64) -> Vec<u8> {
        [&[0x11][..], &number.to_bits().to_le_bytes()].concat()
    }

    #[test]
    fn every_kind_of_value_is_written() {
        let list = delimited(
            0x32,
            &[delimited(0x0a, &number(1.0)), delimited(0x0a, &[0x20, 1])].concat(),
        );
        let inner = delimited(0x2a, &member("k", &delimited(0x1a, b"v\"")));
        let bytes = [
            member("n", &[0x08, 0]),
            member("l", &list),
            member("s", &inner),
        ]
        .concat();
        assert_eq!(
            to_json(&bytes).unwrap(),
            r#"{"n":null,"l":[1,true],"s":{"k":"v\""}}"#
        );
    }

    #[test]
    fn numbers_read_back_as_themselves() {
        for value in [
            0.0,
            1.0,
            -1.0,
            3.0,
            33.3,
            0.1,
            -0.05,
            1e-9,
            12.000_000_1,
            4_294_967_296.0,
            0.3,
            99.99,
            9_007_199_254_740_991.0,
        ] {
            let json = to_json(&member("n", &number(value))).unwrap();
            let text = json
                .strip_prefix("{\"n\":")
                .unwrap()
                .strip_suffix('}')
                .unwrap();
            assert_eq!(text.parse::<f64>().unwrap(), value, "{json}");
        }
    }

    #[test]
    fn numbers_that_json_cannot_hold_are_faults() {
        for value in [f64::NAN, f64::INFINITY, 1e300, 1.0 / 3.0 * 1e-9] {
            let outcome = to_json(&member("n", &number(value)));
            assert_eq!(outcome, Err(StructError::Number), "{value}");
        }
    }

    #[test]
    fn a_struct_cut_anywhere_is_none() {
        let bytes = member("key", &delimited(0x1a, b"value"));
        for end in 0..bytes.len() {
            assert_eq!(to_json(&bytes[..end]), Err(StructError::NoStruct), "{end}");
        }
    }

    #[test]
    fn json_is_no_struct() {
        for json in ["", "\n", "{}", "\n{\"a\": 1}", "\n\n  \"\": 1", "[1]"] {
            assert_eq!(
                to_json(json.as_bytes()),
                Err(StructError::NoStruct),
                "{json:?}"
            );
        }
    }

    #[test]
    fn depth_is_bounded() {
        let mut value = number(1.0);
        for _ in 0..MAXIMUM_DEPTH + 1 {
            value = delimited(0x32, &delimited(0x0a, &value));
        }
        assert_eq!(to_json(&member("n", &value)), Err(StructError::NoStruct));
    }
}
