//! Texts through the reader, as in the dialog.

use spillgate_scenario::{ImportField, ImportResult, ImportTexts, LISTED_FAULTS, import_result};

use spillgate_codec::import::{RouteAnswer, RouteQuestion};

use super::text::{fixable, has_expressions, quick_fix, with_rejected};

fn read(texts: &ImportTexts) -> ImportResult {
    let answer = spillgate_reader::answer(texts.config.as_bytes(), texts.clusters.as_bytes());
    import_result(texts.clone(), &answer)
}

#[test]
fn wrong_names_have_fixes() {
    let config = "static_resources:\n  clusters:\n  - name: a\n    lb_policy: MAGLEF\n  - name: b\n    \
                  lb_policy: RANDON\n";
    let texts = ImportTexts {
        config: config.into(),
        clusters: String::new(),
    };
    let result = read(&texts);
    let fixes = result.faults.iter().filter_map(|f| quick_fix(config, f));
    let fixes: Vec<String> = fixes.map(|fix| fix.replacement).collect();
    assert_eq!(fixes, ["MAGLEV", "RANDOM"]);
}

#[test]
fn the_fixes_of_many_faults_are_found_in_one_pass() {
    // Each line has a fault that can be fixed.
    let wrong = "  - name: a\n    lb_policy: RANDON\n";
    let text = format!("static_resources:\n  clusters:\n{}", wrong.repeat(300));
    let texts = ImportTexts {
        config: text.clone(),
        clusters: String::new(),
    };
    let result = read(&texts);
    let listed = &result.faults[..LISTED_FAULTS];
    let fixes: Vec<bool> = listed
        .iter()
        .map(|fault| quick_fix(&text, fault).is_some())
        .collect();
    assert_eq!(fixable(&texts, listed), fixes);
    assert!(fixes.contains(&true) && fixes.len() == LISTED_FAULTS);
    assert_eq!(texts.lines(ImportField::Config), 603);
    assert_eq!(texts.size(), "11\u{a0}kB");
}

#[test]
fn an_invalid_expression_is_a_warning_with_its_place() {
    let config = include_str!("../../../../tests/e2e/tests/browser/trace_routes.yaml");
    let checked = |config: &str| {
        let texts = ImportTexts {
            config: config.into(),
            clusters: String::new(),
        };
        assert!(has_expressions(&texts));
        let answer = spillgate_reader::answer(config.as_bytes(), b"");
        let question = RouteQuestion::default().to_bytes();
        let routes = spillgate_reader::route_answer(config.as_bytes(), &question);
        let rejected = RouteAnswer::from_bytes(&routes).unwrap().rejected;
        let before = import_result(texts.clone(), &answer);
        let after = import_result(texts, &with_rejected(answer, rejected));
        (before, after)
    };
    let (before, after) = checked(config);
    assert_eq!(before.faults, after.faults);
    let wrong = config.replace(r"(?i)/items?/\d+", "(?i)/items?/(");
    assert_ne!(wrong, config);
    let (before, after) = checked(&wrong);
    assert_eq!(before.faults.len() + 1, after.faults.len());
    let mut found = after.faults.iter();
    let found = found.find(|fault| fault.message.contains("invalid regular expression"));
    let line = wrong.lines().position(|line| line.contains("/items?/("));
    let place = found.unwrap().position.unwrap();
    assert_eq!(place.line as usize, line.unwrap() + 1);
    // The import keeps it, also over a reload.
    let origin = after.imported.unwrap().origin;
    assert_eq!(origin.faults, after.faults);
    let kept = spillgate_scenario::KeptImport::of(&origin);
    assert_eq!(kept.import().unwrap().origin.faults, after.faults);
}
