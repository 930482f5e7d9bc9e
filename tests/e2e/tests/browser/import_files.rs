//! The import dialog's search, several files at once, and the list of what was read, ignored and missing.

use std::fs;

use anyhow::{Result, ensure};
use fantoccini::key::Key;
use serde_json::json;
use spillgate_e2e::Workdir;
use spillgate_e2e::playground::{Playground, test};

/// Drops files with these names and texts on the element that a selector finds. Returns whether the browser may
/// open them itself.
const DROP: &str = "const data = new DataTransfer();
    for (const [name, text] of arguments[0]) data.items.add(new File([text], name));
    const drop = new DragEvent('drop', {dataTransfer: data, bubbles: true, cancelable: true});
    return document.querySelector(arguments[1]).dispatchEvent(drop);";
/// The selected text of the configuration field and its line.
const SELECTED: &str = "const area = document.querySelector('[data-test=import-text]');
    if (document.activeElement !== area) return 'the focus is elsewhere';
    const line = area.value.slice(0, area.selectionStart).split('\\n').length;
    return `${line}: ${area.value.slice(area.selectionStart, area.selectionEnd)}`;";

const CLUSTERS: &str = "- {name: shop, type: EDS}\n- {name: pay, type: EDS, preconnect_policy: {predictive_preconnect_ratio: 2}}\n";
const ENDPOINTS: &str = "\
{\"cluster_name\": \"shop\", \"endpoints\": [{\"lb_endpoints\": [
  {\"endpoint\": {\"address\": {\"socket_address\": {\"address\": \"10.0.0.1\", \"port_value\": 80}}}},
  {\"endpoint\": {\"address\": {\"socket_address\": {\"address\": \"10.0.0.2\", \"port_value\": 80}}}}
]}, {\"priority\": 1, \"lb_endpoints\": [
  {\"endpoint\": {\"address\": {\"socket_address\": {\"address\": \"10.0.1.1\", \"port_value\": 80}}}}
]}]}
";
const HEALTH: &str = "shop::10.0.0.1:80::health_flags::/failed_active_hc\nshop::10.0.0.2:80::health_flags::healthy\n\
     shop::10.0.1.1:80::health_flags::healthy\n";

fn wait_for_selection(page: &Playground, expected: &str) -> Result<()> {
    page.browser.wait_for(expected, |browser| {
        let selected = browser.script(SELECTED, vec![])?;
        Ok((selected == expected)
            .then_some(())
            .ok_or(selected.to_string()))
    })
}

/// Pastes a text into the element that a selector finds.
const PASTE: &str = "const data = new DataTransfer();
    data.setData('text/plain', arguments[1]);
    const paste = new ClipboardEvent('paste', {clipboardData: data, bubbles: true, cancelable: true});
    return document.querySelector(arguments[0]).dispatchEvent(paste);";

#[test]
fn a_configuration_pasted_outside_of_a_field_opens_the_import() -> Result<()> {
    let workdir = Workdir::new("import_pasted")?;
    let page = Playground::open(&workdir)?;
    let paste = |into: &str, text: &str| {
        let left = page.browser.script(PASTE, vec![json!(into), json!(text)])?;
        Ok::<bool, anyhow::Error>(left == true)
    };
    ensure!(paste("body", "shop")?, "a word is no configuration");
    ensure!(!page.browser.has("dialog")?);
    let field = test("overprovisioning-number");
    ensure!(paste(&field, CLUSTERS)?, "a field has its own paste");
    ensure!(!page.browser.has("dialog")?);
    ensure!(!paste("body", CLUSTERS)?, "the browser pastes it too");
    page.wait_for_text("import-summary", "2 clusters")?;
    page.finish()
}

#[test]
fn files_dropped_outside_of_the_dialog_open_the_import() -> Result<()> {
    let workdir = Workdir::new("import_dropped")?;
    let page = Playground::open(&workdir)?;
    let files = json!([["clusters.yaml", CLUSTERS], ["endpoints.json", ENDPOINTS]]);
    let left = page.browser.script(DROP, vec![files, json!(".topology")])?;
    ensure!(left == false, "the browser opens them too");
    page.wait_for_text("import-summary", "2 clusters")?;
    page.finish()
}

#[test]
fn several_files_become_one_text_and_clusters_output_goes_to_its_field() -> Result<()> {
    let workdir = Workdir::new("import_files")?;
    let page = Playground::open(&workdir)?;
    page.paste_configuration("")?;
    let files = json!([
        ["clusters.yaml", CLUSTERS],
        ["eds.json", ENDPOINTS],
        ["health.txt", HEALTH]
    ]);
    page.browser
        .script(DROP, vec![files, json!(test("import-text"))])?;
    page.wait_for_text("import-summary", "2 clusters")?;
    let text = page
        .browser
        .property(&test("import-text"), "value")?
        .unwrap_or_default();
    ensure!(
        text.contains("# clusters.yaml\n") && text.contains("# eds.json\n"),
        "{text}"
    );
    let clusters = page.browser.property(&test("import-clusters"), "value")?;
    ensure!(clusters.as_deref() == Some(HEALTH), "{clusters:?}");
    page.apply_import()?;
    page.wait_for_headline(&["P0 takes 70 %"])?;
    page.finish()
}

#[test]
fn a_chosen_file_of_clusters_output_goes_to_its_field() -> Result<()> {
    let workdir = Workdir::new("import_chosen_files")?;
    let page = Playground::open(&workdir)?;
    page.paste_configuration(CLUSTERS)?;
    let folder = workdir.path().join("chosen");
    fs::create_dir_all(&folder)?;
    let file = folder.join("health.json");
    fs::write(&file, "{\"cluster_statuses\": []}")?;
    page.browser
        .press(&test("import-text-file"), &file.display().to_string())?;
    page.browser.wait_for("the field of /clusters", |browser| {
        let shown = browser
            .property(&test("import-clusters"), "value")?
            .unwrap_or_default();
        Ok(shown
            .contains("cluster_statuses")
            .then_some(())
            .ok_or(shown))
    })?;
    let text = page.browser.property(&test("import-text"), "value")?;
    ensure!(text.as_deref() == Some(CLUSTERS), "{text:?}");
    page.finish()
}

#[test]
fn a_report_lists_what_was_read_ignored_and_missing() -> Result<()> {
    let workdir = Workdir::new("import_report")?;
    let page = Playground::open(&workdir)?;
    page.paste_configuration(CLUSTERS)?;
    page.wait_for_text("import-report", "Read 2 clusters")?;
    let report = "return document.querySelector('[data-test=import-report]').textContent;";
    let report = page
        .browser
        .script(report, vec![])?
        .to_string()
        .replace('\u{a0}', " ");
    for part in [
        "2 missing",
        "1 ignored",
        "GET /config_dump?include_eds",
        "preconnect_policy",
    ] {
        ensure!(report.contains(part), "no {part} in {report}");
    }
    let enter = String::from(char::from(Key::Enter));
    page.browser
        .press(&format!("{} summary", test("import-report")), &enter)?;
    page.browser
        .press(&format!("{} button", test("import-ignored")), &enter)?;
    wait_for_selection(&page, "2: ")?;
    page.finish()
}

#[test]
fn a_search_selects_one_place_after_the_other() -> Result<()> {
    let workdir = Workdir::new("import_search")?;
    let page = Playground::open(&workdir)?;
    page.paste_configuration(ENDPOINTS)?;
    let key = |key: Key| String::from(char::from(key));
    let control_f = format!("{}f{}", key(Key::Control), key(Key::Null));
    page.browser.press(&test("import-text"), &control_f)?;
    page.browser.press(&test("import-search"), "PORT_value")?;
    page.wait_for_text("import-places", "3 found")?;
    // The caret is at the end of the pasted text, so that the first place is next.
    page.browser
        .press(&test("import-search"), &key(Key::Enter))?;
    wait_for_selection(&page, "2: port_value")?;
    page.wait_for_text("import-places", "1 of 3")?;
    page.browser.press(&test("import-text"), &key(Key::F3))?;
    wait_for_selection(&page, "3: port_value")?;
    let back = format!("{}{}{}", key(Key::Shift), key(Key::F3), key(Key::Null));
    for line in ["2", "5"] {
        page.browser.press(&test("import-text"), &back)?;
        wait_for_selection(&page, &format!("{line}: port_value"))?;
    }
    page.finish()
}

/// A file with priorities has no health checks, so lint reports them.
const RULE: &str = "failover-no-health-signal";

/// Waits until the findings have a rule or not. A long list is closed, so its text is not visible.
fn wait_for_rule(page: &Playground, rule: &str, expected: bool) -> Result<()> {
    let text = "return document.querySelector('[data-test=findings]')?.textContent ?? '';";
    page.browser.wait_for(rule, |browser| {
        let text = browser.script(text, vec![])?.to_string();
        let is = text.contains(rule) == expected && !text.contains("Check it as text");
        Ok(is.then_some(()).ok_or(text))
    })
}

#[test]
fn a_drawn_or_edited_scenario_is_checked_as_text() -> Result<()> {
    let workdir = Workdir::new("import_checked")?;
    let page = Playground::open(&workdir)?;
    page.wait_for_text("findings", "drawn here")?;
    page.click("check-scenario")?;
    page.wait_for_text("import-report", "Read 1 cluster")?;
    page.apply_import()?;
    wait_for_rule(&page, RULE, true)?;

    // Without lower priorities, lint has nothing to say.
    page.click("remove-priority")?;
    page.click("remove-priority")?;
    page.wait_for_text("findings", "You edited the scenario")?;
    page.click("check-scenario")?;
    page.apply_import()?;
    wait_for_rule(&page, RULE, false)?;
    page.finish()
}
