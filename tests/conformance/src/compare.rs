//! Compares the expected fields of a vector with the figures of the engine.

use serde_json::{Map, Value};

/// One line for each expected field that differs. Other figures are not compared. An expected field
/// without a figure of the engine is an error.
pub(super) fn differences(
    kind: &str,
    expected: &Map<String, Value>,
    found: &Map<String, Value>,
) -> Vec<String> {
    let mut faults = Vec::new();
    for (name, expected) in expected {
        match found.get(name) {
            Some(found) => differ(kind, name, expected, found, &mut faults),
            None => faults.push(format!("{name}: unknown figure for this kind of vector")),
        }
    }
    faults
}

/// Compares two values at a path and adds their differences.
fn differ(kind: &str, path: &str, expected: &Value, found: &Value, faults: &mut Vec<String>) {
    match (expected, found) {
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
            for (index, (a, b)) in a.iter().zip(b).enumerate() {
                differ(kind, &format!("{path}[{index}]"), a, b, faults);
            }
        }
        (Value::Array(a), Value::Array(b)) => faults.push(format!(
            "{path}: expected {} entries, found {}: expected {}, found {}",
            a.len(),
            b.len(),
            shown(expected),
            shown(found)
        )),
        (Value::Object(a), Value::Object(b)) => {
            for (name, a) in a {
                let path = format!("{path}.{name}");
                match b.get(name) {
                    Some(b) => differ(kind, &path, a, b, faults),
                    None => faults.push(format!("{path}: unknown figure")),
                }
            }
            for (name, b) in b.iter().filter(|(name, _)| !a.contains_key(*name)) {
                faults.push(format!("{path}.{name}: unexpected, found {}", shown(b)));
            }
        }
        _ if same(expected, found) || (is_rounded(kind, path) && close(expected, found)) => {}
        _ if is_percentage(kind, path) && near(expected, found) => {}
        _ => faults.push(format!(
            "{path}: expected {}, found {}",
            shown(expected),
            shown(found)
        )),
    }
}

/// Whether the last digits of a figure depend on the order of floating-point operations.
fn is_rounded(kind: &str, path: &str) -> bool {
    let name = path.split(['[', '.']).next().unwrap_or(path);
    match name {
        "success_rate_threshold" | "effective_weights" | "overload_factor" => true,
        "weight" => kind == "slow_start",
        _ => false,
    }
}

/// Whether a figure is a percentage of a service mesh, which has few digits in the vectors.
fn is_percentage(kind: &str, path: &str) -> bool {
    let mut names = path.split(['[', '.']);
    let of_mesh = kind.starts_with("kuma.") || kind.starts_with("istio.");
    of_mesh && names.any(|name| name == "percent" || name.ends_with("_percent"))
}

/// Whether two percentages are equal within 1e-4.
fn near(a: &Value, b: &Value) -> bool {
    match (a.as_f64(), b.as_f64()) {
        (Some(a), Some(b)) => (a - b).abs() <= 1e-4,
        _ => false,
    }
}

/// Whether two numbers are equal within a relative error of 1e-12.
fn close(a: &Value, b: &Value) -> bool {
    match (a.as_f64(), b.as_f64()) {
        (Some(a), Some(b)) => (a - b).abs() <= 1e-12 * a.abs().max(b.abs()),
        _ => false,
    }
}

/// Numbers are equal by value: `1` and `1.0` are the same.
fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => a == b || a.as_f64() == b.as_f64(),
        _ => a == b,
    }
}

/// A value as JSON, at most 100 characters.
fn shown(value: &Value) -> String {
    const LONGEST: usize = 100;
    let text = value.to_string();
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn of(expected: Value, found: Value) -> Vec<String> {
        let (Value::Object(expected), Value::Object(found)) = (expected, found) else {
            panic!("both are objects");
        };
        differences("any", &expected, &found)
    }

    #[test]
    fn only_expected_fields_count() {
        assert!(of(json!({"a": 1}), json!({"a": 1.0, "b": 2})).is_empty());
    }

    #[test]
    fn rounding_is_tolerated_for_floating_point_figures() {
        let threshold = |figure: f64| json!({"success_rate_threshold": figure});
        assert!(of(threshold(52.0), threshold(52.000_000_000_000_01)).is_empty());
        assert_eq!(of(threshold(52.0), threshold(52.000_000_001)).len(), 1);
        assert_eq!(
            of(json!({"a": 52.0}), json!({"a": 52.000_000_000_000_01})).len(),
            1
        );
    }

    #[test]
    fn a_weight_is_rounded_only_with_slow_start() {
        let weight = |weight: f64| Map::from_iter([("weight".to_owned(), Value::from(weight))]);
        let (expected, found) = (weight(52.0), weight(52.000_000_000_000_01));
        assert!(differences("slow_start", &expected, &found).is_empty());
        assert_eq!(differences("edf", &expected, &found).len(), 1);
    }

    #[test]
    fn differences_have_paths() {
        assert_eq!(
            of(
                json!({"a": [1, {"b": 2}], "c": [1], "d": "x"}),
                json!({"a": [1, {"b": 3, "e": 0}], "c": []})
            ),
            [
                "a[1].b: expected 2, found 3",
                "a[1].e: unexpected, found 0",
                "c: expected 1 entries, found 0: expected [1], found []",
                "d: unknown figure for this kind of vector",
            ]
        );
    }
}
