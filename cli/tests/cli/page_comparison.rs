//! The playground compares routes and settings as `diff` does.

use serde_json::{Value, json};
use spillgate_codec::import::ComparisonAnswer;
use spillgate_reader::comparison_answer;

use crate::run::spillgate;

/// Asserts that both agree about two configurations, which are also in two files.
pub(crate) fn assert_page_agrees(sides: [&Value; 2], files: [&str; 2]) {
    let [old, new] = sides.map(Value::to_string);
    let page = comparison_answer(old.as_bytes(), new.as_bytes());
    let page = ComparisonAnswer::from_bytes(&page).unwrap();
    let command = spillgate(&["diff", files[0], files[1], "--format", "json"]);
    if command.status == 2 {
        assert!(page.rejected.is_some(), "{}", command.stderr);
        return;
    }
    assert_eq!(page.rejected, None, "{old}\n{new}");
    let answer: Value = serde_json::from_str(&command.stdout).unwrap();
    let routes = answer["routes"].as_array().unwrap();
    assert_eq!(page.routes.len(), routes.len(), "{old}\n{new}");
    for (of_page, of_command) in page.routes.iter().zip(routes) {
        assert_eq!(of_page.changes, of_command["status"] == "changed");
        for part in ["before", "after"] {
            let outcome = of_command[part].as_str().unwrap();
            assert!(
                !of_page.changes || of_page.heading.contains(outcome),
                "{} has no {outcome}",
                of_page.heading
            );
        }
        let example = serde_json::to_value(&of_page.example).unwrap();
        let expected = match &of_command["example"] {
            Value::Null => json!([]),
            example => example.clone(),
        };
        assert_eq!(example, expected);
    }
    assert_eq!(page.equal_listeners, answer["equal_listeners"]);
    let limits = &answer["limits"];
    let texts = |of: &Value| -> Vec<String> { serde_json::from_value(of.clone()).unwrap() };
    let gone = texts(&limits["gone"]).into_iter();
    let limits: Vec<String> = texts(&limits["new"])
        .into_iter()
        .chain(gone.map(|limit| format!("{limit} (gone)")))
        .collect();
    assert_eq!(page.limits, limits, "{old}\n{new}");
    assert_eq!(page.not_compared, texts(&answer["not_compared"]));
}
