//! The playground compares routes and settings as `diff` does.

use serde_json::{Value, json};
use spillgate_codec::import::{ComparisonAnswer, ImportAnswer, SideRequests};
use spillgate_config::secret_metadata::without_secrets;
use spillgate_diff::one_sided;
use spillgate_reader::{answer as import_answer, comparison_answer};

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
    assert_requests_agree(&page, &answer["clusters"]);
    assert_findings_agree([&old, &new], &answer["findings"]);
}

/// The criteria of the requests to each cluster that changes, and whether they can have sessions.
fn assert_requests_agree(page: &ComparisonAnswer, clusters: &Value) {
    for cluster in clusters.as_array().unwrap() {
        let of = |side: &SideRequests| {
            let mut clusters = side.clusters.iter();
            let found = clusters.find(|of| cluster["name"] == of.cluster.as_str());
            found.cloned().unwrap_or_default()
        };
        let (old, new) = (of(&page.old_requests), of(&page.new_requests));
        for kind in cluster["requests"].as_array().unwrap() {
            let criteria = kind["criteria"].as_str().unwrap_or_default();
            let mut known = old.criteria.iter().chain(&new.criteria);
            let is_alone = old.criteria.is_empty() && new.criteria.is_empty();
            assert!(
                is_alone || known.any(|of| without_secrets(of).to_string() == criteria),
                "{criteria} of {cluster:#}"
            );
            assert_eq!(
                kind["sessions_lost"].is_null(),
                !old.has_sessions,
                "{cluster:#}"
            );
        }
    }
}

/// The lint findings of both imports.
fn assert_findings_agree(sides: [&str; 2], findings: &Value) {
    let [old, new] = sides.map(|text| {
        let answer = ImportAnswer::from_bytes(&import_answer(text.as_bytes(), b"")).unwrap();
        assert_eq!(answer.more, 0);
        let found = answer
            .faults
            .into_iter()
            .filter(|fault| fault.fix.is_some());
        found
            .map(|fault| (fault.code, cause(&fault.message)))
            .collect::<Vec<_>>()
    });
    let page = one_sided(&old, &new, |finding| finding);
    for (page, name) in [(page.new, "new"), (page.gone, "gone")] {
        let command = findings[name].as_array().unwrap().iter();
        let command = command.map(|of| {
            let message = of["message"].as_str().unwrap();
            (of["rule"].as_str().unwrap().to_owned(), cause(message))
        });
        let mut command: Vec<_> = command.collect();
        let mut page: Vec<_> = page.into_iter().cloned().collect();
        command.sort();
        page.sort();
        assert_eq!(page, command, "{name} findings of {sides:?}");
    }
}

fn cause(message: &str) -> String {
    let (cause, _) = message.split_once("; ").unwrap();
    cause.to_owned()
}
