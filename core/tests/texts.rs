//! Texts of values: metadata, localities, durations, JSON, errors and hidden characters.

use std::time::Duration;

use spillgate_core::{
    affinity::{CookieFault, KeyError, KeyRingError},
    duration::DurationText,
    json::Writer,
    model::{ChainError, Locality, ModelError, Value},
    route::WeightError,
    visible::{visible, visible_lines},
};

#[test]
fn numbers_have_at_most_six_decimals() {
    for (number, text) in [
        (0.0, "0"),
        (-0.0, "0"),
        (1.5, "1.5"),
        (-2.25, "-2.25"),
        (0.000_001, "0.000001"),
        (3.000_000_4, "3"),
        (1_000_000.1, "1000000.1"),
        (-1e15, "-1000000000000000"),
        (f64::INFINITY, "a number above 1e15"),
        (-2e15, "a number below -1e15"),
        (f64::NAN, "no value"),
    ] {
        assert_eq!(Value::Number(number).to_string(), text);
    }
}

#[test]
fn lists_have_commas_between_their_values() {
    let list = [Value::Bool(true), Value::Null, Value::Text("a".into())];
    assert_eq!(Value::List(list.into()).to_string(), "[true, null, a]");
}

#[test]
fn localities_leave_out_empty_parts_at_the_end() {
    for (parts, text) in [
        (["r", "z", "s"], "r/z/s"),
        (["r", "z", ""], "r/z"),
        (["r", "", "s"], "r//s"),
        (["r", "", ""], "r"),
    ] {
        let [region, zone, sub_zone] = parts.map(String::from);
        let locality = Locality {
            region,
            zone,
            sub_zone,
        };
        assert_eq!(locality.to_string(), text);
    }
}

#[test]
fn lines_and_tabs_stay_where_a_text_has_several_lines() {
    let text = "a\tb\n\u{1b}\u{202e}";
    assert_eq!(visible_lines(text), "a\tb\n\\u001b\\u202e");
    assert_eq!(visible(text), "a\\u0009b\\u000a\\u001b\\u202e");
    assert_eq!(visible_lines("plain"), "plain");
}

#[test]
fn json_escapes_what_is_not_plain() {
    let mut json = Writer::new();
    json.string("a\"b\\c~ \u{7f}\n\u{e9}\u{1f600}");
    let expected = r#""a\"b\\c~ \u007f\n\u00e9\ud83d\ude00""#;
    assert_eq!(json.finish(), expected);
}

#[test]
fn json_has_commas_between_elements_and_values_of_each_kind() {
    let mut json = Writer::new();
    json.begin_object();
    json.key("values");
    json.begin_list();
    json.int(-3);
    json.uint(u64::MAX);
    json.decimal("1.5");
    json.bool(true);
    json.bool(false);
    json.null();
    json.string("\r\t");
    json.end_list();
    json.key("none");
    json.begin_list();
    json.end_list();
    json.end_object();
    let expected = r#"{"values":[-3,18446744073709551615,1.5,true,false,null,"\r\t"],"none":[]}"#;
    assert_eq!(json.finish(), expected);
}

#[test]
fn durations_have_seconds_from_one_second_on() {
    for (milliseconds, text) in [(0, "0s"), (999, "999ms"), (1_000, "1s"), (1_050, "1.05s")] {
        let duration = Duration::from_millis(milliseconds);
        assert_eq!(DurationText(duration).to_string(), text);
    }
    assert_eq!(
        DurationText(Duration::from_micros(1_500)).to_string(),
        "1.5ms"
    );
}

#[test]
fn errors_name_the_problem_and_its_place() {
    let texts: [(&dyn std::fmt::Display, &str); 15] = [
        (&KeyError::NotBase64, "secret is not base64"),
        (&KeyError::Length(5), "secret has 5 bytes instead of 32"),
        (&KeyError::Repeated, "all bytes of the secret are equal"),
        (&KeyError::Example, "secret appears in the documentation"),
        (&KeyRingError::Empty, "no key"),
        (
            &KeyRingError::Secret(KeyError::NotBase64),
            "secret is not base64",
        ),
        (&KeyRingError::SameId(1), "same id as keys[1]"),
        (&KeyRingError::SameSecret(0), "same secret as keys[0]"),
        (
            &CookieFault::HostPrefixPath,
            "host_prefix requires the path /",
        ),
        (&WeightError::NoWeight, "the weights sum to 0"),
        (
            &WeightError::TooMuch,
            "the weights sum to more than 4294967295",
        ),
        (
            &ChainError::PercentAbove100(1),
            "step 1 requires more than 100 percent healthy hosts",
        ),
        (
            &ChainError::LastResortNotLast(0),
            "step 0 is a last resort, but not the last step",
        ),
        (
            &ChainError::NoNextStep(2),
            "retries leave step 2, but it is the last step",
        ),
        (
            &ModelError::AggregateCycle {
                path: ["a", "b", "a"].map(Into::into).into(),
            },
            "clusters form a cycle: a -> b -> a",
        ),
    ];
    for (error, text) in texts {
        assert_eq!(error.to_string(), text);
    }
}
