//! The list of clusters in the import dialog: the worst first, with a search, also for ten thousand of them.

use anyhow::{Result, ensure};
use fantoccini::key::Key;
use serde_json::{Value, json};
use spillgate_e2e::Workdir;
use spillgate_e2e::playground::{Playground, test};

/// A cluster of one priority; `h` is a healthy host, `u` an unhealthy one.
fn cluster(name: &str, settings: &str, hosts: &str) -> String {
    let hosts: Vec<String> = hosts
        .chars()
        .enumerate()
        .map(|(at, health)| {
            let status = if health == 'h' { "HEALTHY" } else { "UNHEALTHY" };
            format!(
                "{{health_status: {status}, endpoint: {{address: {{socket_address: {{address: 10.0.0.{at}, \
                 port_value: 80}}}}}}}}"
            )
        })
        .collect();
    format!(
        "- {{name: {name}, {settings}load_assignment: {{cluster_name: {name}, endpoints: [{{lb_endpoints: [{}]}}]}}}}\n",
        hosts.join(", ")
    )
}

const NO_PANIC: &str = "common_lb_config: {healthy_panic_threshold: {value: 0}}, ";

/// The rows of the list: state and name, whether they can be chosen and whether they are.
const ROWS: &str = "return [...document.querySelectorAll('.cluster-row')].map((row) => {
    const [input, text] = [row.querySelector('input'), (part) => row.querySelector(part).textContent];
    return [text('.state'), text('.name'), text('.note'), !input.disabled, input.checked];
});";

fn rows(page: &Playground) -> Result<Vec<Value>> {
    let rows = page.browser.script(ROWS, vec![])?;
    Ok(rows.as_array().cloned().unwrap_or_default())
}

/// Waits until the list has these names.
fn wait_for_names(page: &Playground, expected: &[&str]) -> Result<()> {
    page.browser.wait_for("the clusters", |_| {
        let rows = rows(page)?;
        let names: Vec<&str> = rows.iter().filter_map(|row| row[1].as_str()).collect();
        Ok((names == expected)
            .then_some(())
            .ok_or(format!("{names:?}")))
    })
}

#[test]
fn the_worst_cluster_is_first_and_a_search_finds_the_others() -> Result<()> {
    let workdir = Workdir::new("page_cluster_list")?;
    let page = Playground::open(&workdir)?;
    let text = [
        cluster("well", "", "hh"),
        cluster("panics", "", "huuu"),
        cluster("fails", NO_PANIC, "uu"),
        cluster("well-too", "", "hh"),
    ];
    page.paste_configuration(&text.concat())?;
    wait_for_names(&page, &["fails", "panics", "well", "well-too"])?;
    let states: Vec<Value> = rows(&page)?.into_iter().map(|row| row[0].clone()).collect();
    ensure!(
        states == ["No host", "Panic", "All healthy", "All healthy"],
        "{states:?}"
    );
    ensure!(page.shown("import-cluster-count")? == "4 clusters, the worst first");
    // The choice follows the search, and arrow keys move it.
    page.browser.paste(&test("import-cluster-search"), "WELL")?;
    wait_for_names(&page, &["well", "well-too"])?;
    page.wait_for_text("import-chosen", "well")?;
    page.browser.press(
        ".cluster-row input:checked",
        &String::from(char::from(Key::Down)),
    )?;
    page.wait_for_text("import-chosen", "well-too")?;
    page.browser
        .paste(&test("import-cluster-search"), "nothing")?;
    page.wait_for_text("import-cluster-count", "No cluster has these words.")?;
    let disabled = page.browser.attribute(&test("import-apply"), "disabled")?;
    ensure!(disabled.is_some(), "there is nothing to use");
    page.browser
        .paste(&test("import-cluster-search"), "panic")?;
    page.apply_import()?;
    page.wait_for_headline(&["Panic"])?;
    page.finish()
}

#[test]
fn ten_thousand_clusters_are_found_but_not_all_listed() -> Result<()> {
    let workdir = Workdir::new("page_many_clusters")?;
    let page = Playground::open(&workdir)?;
    let clusters = (0..10_000).map(|at| {
        let hosts = if at % 4_000 == 3_999 { "hu" } else { "h" };
        cluster(&format!("service-{at}"), "", hosts)
    });
    page.paste_configuration(&clusters.collect::<String>())?;
    page.browser.wait_for("the clusters", |_| {
        let rows = rows(&page)?.len();
        Ok((rows == 50).then_some(()).ok_or(format!("{rows} rows")))
    })?;
    let first = &rows(&page)?[0];
    ensure!(
        first[0] == "Overload" && first[1] == "service-3999",
        "{first}"
    );
    let said = page.shown("import-cluster-count")?;
    ensure!(said.contains("9950 more"), "{said}");
    for (name, width, height) in [
        ("import-clusters", 1280, 900),
        ("import-clusters-phone", 320, 640),
    ] {
        let size =
            json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false});
        page.browser
            .devtools("Emulation.setDeviceMetricsOverride", size)?;
        page.browser.screenshot(name)?;
    }
    page.browser
        .paste(&test("import-cluster-search"), "service-9876")?;
    wait_for_names(&page, &["service-9876"])?;
    page.apply_import()?;
    page.wait_for_headline(&["All healthy"])?;
    page.finish()
}

#[test]
fn a_cluster_with_too_large_tables_is_listed_with_its_reason() -> Result<()> {
    let workdir = Workdir::new("page_large_tables")?;
    let page = Playground::open(&workdir)?;
    let endpoints: Vec<String> = (0..4)
        .map(|at| {
            format!(
                "{{priority: {at}, lb_endpoints: [{{endpoint: {{address: {{socket_address: {{address: 10.0.{at}.1, \
                 port_value: 80}}}}}}}}]}}"
            )
        })
        .collect();
    let large = format!(
        "- {{name: large, lb_policy: MAGLEV, maglev_lb_config: {{table_size: 5000011}}, load_assignment: \
         {{cluster_name: large, endpoints: [{}]}}}}\n",
        endpoints.join(", ")
    );
    page.paste_configuration(&[large, cluster("small", "", "hu")].concat())?;
    wait_for_names(&page, &["small", "large"])?;
    let rows = rows(&page)?;
    ensure!(rows[0][3] == true && rows[0][4] == true, "{rows:?}");
    let reason = rows[1][2].as_str().unwrap_or_default();
    ensure!(rows[1][3] == false, "{rows:?}");
    ensure!(
        reason.contains(
            "the hash tables need 20000044 entries; the playground supports at most 16000000"
        ),
        "{reason}"
    );
    let fault = page.shown("import-fault")?;
    ensure!(
        fault.contains("page/hash-tables") && fault.contains("large"),
        "{fault}"
    );
    page.browser.screenshot("import-large-tables")?;
    page.apply_import()?;
    page.wait_for_headline(&["Overload"])?;
    page.finish()
}
