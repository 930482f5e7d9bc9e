//! Texts through the reader, as in the dialog.

use spillgate_scenario::{ImportField, ImportResult, ImportTexts, LISTED_FAULTS, import_result};

use super::text::{fixable, quick_fix};

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
