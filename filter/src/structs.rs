//! Converts a configuration from a `google.protobuf.Struct` to JSON.

use spillgate_config::node::Writer;
use spillgate_core::model::{Metadata, Value};
use spillgate_core::proto::read_struct;

/// Why bytes cannot be converted to JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StructError {
    /// The bytes are not a Struct, or it is nested too deep.
    NotAStruct,
    /// A number is not finite, or has more than 15 digits.
    Number,
}

type Outcome = Result<(), StructError>;

/// The Struct in these bytes as JSON.
///
/// # Errors
/// If the bytes are not a Struct, empty (they may be an empty text), or have an unsupported number.
pub(crate) fn to_json(bytes: &[u8]) -> Result<String, StructError> {
    let fields = read_struct(bytes).filter(|_| !bytes.is_empty());
    let mut json = Writer::new();
    write_struct(&fields.ok_or(StructError::NotAStruct)?, &mut json)?;
    Ok(json.finish())
}

fn write_struct(of: &Metadata, json: &mut Writer) -> Outcome {
    json.begin_object();
    for field in of.fields() {
        json.key(&field.key);
        write_value(&field.value, json)?;
    }
    json.end_object();
    Ok(())
}

fn write_value(value: &Value, json: &mut Writer) -> Outcome {
    match value {
        Value::Null => json.null(),
        Value::Bool(truth) => json.bool(*truth),
        Value::Number(number) => write_number(*number, json)?,
        Value::Text(text) => json.string(text),
        Value::List(values) => {
            json.begin_list();
            for value in values.iter() {
                write_value(value, json)?;
            }
            json.end_list();
        }
        Value::Struct(of) => write_struct(of, json)?,
    }
    Ok(())
}

/// Writes a number as whole digits over a power of ten. A quotient of two exact numbers is rounded
/// once, as is the decimal when it is read, so the text reads back as the same number. This keeps
/// the general formatting of floats out of the module.
fn write_number(number: f64, json: &mut Writer) -> Outcome {
    /// Whole numbers above this bound are not exact after adding 0.5.
    const FIFTEEN_DIGITS: f64 = 1e15;
    const MOST_DECIMALS: usize = 15;
    // The cast saturates and truncates, so only whole numbers in range survive it.
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
        // The cast rounds toward zero.
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
            r#"{"l":[1,true],"n":null,"s":{"k":"v\""}}"#
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
    fn unsupported_numbers_are_errors() {
        for value in [f64::NAN, f64::INFINITY, 1e300, 1.0 / 3.0 * 1e-9] {
            let outcome = to_json(&member("n", &number(value)));
            assert_eq!(outcome, Err(StructError::Number), "{value}");
        }
    }

    #[test]
    fn a_truncated_struct_is_an_error() {
        let bytes = member("key", &delimited(0x1a, b"value"));
        for end in 0..bytes.len() {
            assert_eq!(
                to_json(&bytes[..end]),
                Err(StructError::NotAStruct),
                "{end}"
            );
        }
    }

    #[test]
    fn json_is_not_a_struct() {
        for json in ["", "\n", "{}", "\n{\"a\": 1}", "\n\n  \"\": 1", "[1]"] {
            assert_eq!(
                to_json(json.as_bytes()),
                Err(StructError::NotAStruct),
                "{json:?}"
            );
        }
    }

    #[test]
    fn depth_is_limited() {
        // A list is two nested messages; protobuf allows 100.
        let nested = |lists| {
            let mut value = number(1.0);
            for _ in 0..lists {
                value = delimited(0x32, &delimited(0x0a, &value));
            }
            to_json(&member("n", &value))
        };
        assert!(nested(49).is_ok());
        assert_eq!(nested(50), Err(StructError::NotAStruct));
    }
}
