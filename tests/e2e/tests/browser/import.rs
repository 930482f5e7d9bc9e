//! The import: every format with its faults, and the modules of readers.

use anyhow::{Context as _, Result, ensure};
use fantoccini::key::Key;
use serde_json::json;
use spillgate_e2e::Workdir;
use spillgate_e2e::playground::{BOOTSTRAP, Playground, test};

/// The number of requests for a module of readers.
const FETCHES: &str = "return performance.getEntriesByType('resource')
    .filter((entry) => entry.name.endsWith(arguments[0])).length;";
/// The line and column of the caret in the configuration field.
const CARET: &str = "const area = document.querySelector('[data-test=import-text]');
    if (document.activeElement !== area) return 'the focus is elsewhere';
    const before = area.value.slice(0, area.selectionStart).split('\\n');
    return `${before.length}:${before.at(-1).length + 1}`;";

/// The same as single messages: a cluster, its endpoint assignment, and a route to it.
const MESSAGES: &str = "\
name: shop
type: EDS
eds_cluster_config: {eds_config: {ads: {}}}
---
cluster_name: shop
endpoints:
- priority: 0
  lb_endpoints:
  - endpoint: {address: {socket_address: {address: 10.0.0.1, port_value: 80}}}
  - endpoint: {address: {socket_address: {address: 10.0.0.2, port_value: 80}}}
    health_status: UNHEALTHY
- priority: 1
  lb_endpoints:
  - endpoint: {address: {socket_address: {address: 10.0.1.1, port_value: 80}}}
---
name: routes
virtual_hosts:
- name: all
  domains: [\"*\"]
  routes:
  - match: {prefix: /}
    route: {cluster: shop}
";

/// The same as a `/config_dump`.
fn config_dump() -> Result<String> {
    let host = |address: &str, health: &str| {
        json!({
            "endpoint": {"address": {"socket_address": {"address": address, "port_value": 80}}},
            "health_status": health,
        })
    };
    let cluster = json!({
        "@type": "type.googleapis.com/envoy.config.cluster.v3.Cluster",
        "name": "shop",
        "type": "STATIC",
        "load_assignment": {"cluster_name": "shop", "endpoints": [
            {"lb_endpoints": [host("10.0.0.1", "HEALTHY"), host("10.0.0.2", "UNHEALTHY")]},
            {"priority": 1, "lb_endpoints": [host("10.0.1.1", "HEALTHY")]},
        ]},
    });
    let dump = json!({"configs": [{
        "@type": "type.googleapis.com/envoy.admin.v3.ClustersConfigDump",
        "version_info": "",
        "static_clusters": [{"cluster": cluster, "last_updated": "2026-01-01T00:00:00.000Z"}],
    }]});
    Ok(serde_json::to_string_pretty(&dump)?)
}

#[test]
fn the_reader_is_fetched_on_first_use_and_once() -> Result<()> {
    let workdir = Workdir::new("page_readers")?;
    let page = Playground::open(&workdir)?;
    let fetches = || page.browser.script(FETCHES, vec![json!("/reader.wasm")]);
    ensure!(fetches()? == 0, "the first load fetches the reader");
    page.import(BOOTSTRAP)?;
    page.wait_for_headline(&["P0 takes 70 %", "P1 takes 30 %"])?;
    ensure!(fetches()? == 1, "fetched {} times", fetches()?);
    page.import(&config_dump()?)?;
    ensure!(fetches()? == 1, "fetched {} times", fetches()?);
    page.finish()
}

#[test]
fn a_bootstrap_its_messages_and_its_dump_show_the_same() -> Result<()> {
    let workdir = Workdir::new("page_formats")?;
    let page = Playground::open(&workdir)?;
    for text in [BOOTSTRAP, MESSAGES, &config_dump()?] {
        page.import(text)?;
        page.wait_for_headline(&["P0 takes 70 %", "P1 takes 30 %"])?;
        ensure!(page.shown("hosts-P0")? == "2" && page.shown("healthy-count-P0")? == "1");
        page.click("undo")?;
    }
    page.finish()
}

/// Half of zone-1 is unhealthy, and all of it is below the threshold. `/clusters` sets the health.
const MESH: &str = "\
type: MeshLoadBalancingStrategy
name: local
mesh: default
spec:
  to:
  - targetRef: {kind: Mesh}
    default:
      localityAwareness:
        localZone: {affinityTags: []}
        crossZone: {failover: [{to: {type: Any}}]}
---
- {address: \"10.1.0.1:80\", zone: zone-1, service: shop}
- {address: \"10.1.0.2:80\", zone: zone-1, service: shop}
- {address: \"10.1.0.3:80\", zone: zone-1, service: shop, health: unhealthy}
- {address: \"10.1.0.4:80\", zone: zone-1, service: shop, health: unhealthy}
- {address: \"10.1.0.5:80\", zone: zone-1, service: shop, health: unhealthy}
- {address: \"10.2.0.1:80\", zone: zone-2, service: shop}
";

#[test]
fn a_mesh_policy_is_shown_from_each_zone_by_a_module_of_its_own() -> Result<()> {
    let workdir = Workdir::new("page_mesh")?;
    let page = Playground::open(&workdir)?;
    let fetches = || page.browser.script(FETCHES, vec![json!("/mesh.wasm")]);
    page.import(BOOTSTRAP)?;
    ensure!(fetches()? == 0, "an Envoy configuration fetches mesh.wasm");
    // A factor of 200: two of five healthy hosts take 80 %.
    page.import(MESH)?;
    page.wait_for_headline(&["P0 takes 80 %", "P1 takes 20 %"])?;
    page.paste_configuration(&MESH.replace("zone-1}", "zone-2}"))?;
    ensure!(fetches()? == 1, "fetched {} times", fetches()?);
    page.finish()
}

#[test]
fn without_the_reader_the_text_and_the_result_stay() -> Result<()> {
    let workdir = Workdir::new("page_readers_missing")?;
    let page = Playground::open(&workdir)?;
    let before = page.headline()?;
    let block = |urls: &[&str]| {
        page.browser.devtools("Network.enable", json!({}))?;
        page.browser
            .devtools("Network.setBlockedURLs", json!({"urls": urls}))
    };
    block(&["*/reader.wasm"])?;
    page.paste_configuration(BOOTSTRAP)?;
    page.browser.wait_for("the reason", |_| {
        let said = page.shown("import-summary")?;
        let failed = said.contains("Cannot load the reader") && said.contains("keeps your text");
        Ok(failed.then_some(()).ok_or(said))
    })?;
    let kept = page.browser.property(&test("import-text"), "value")?;
    ensure!(kept.as_deref() == Some(BOOTSTRAP), "the text is {kept:?}");
    ensure!(page.headline()? == before);

    // After a retry, the same text is read.
    block(&[])?;
    page.click("import-retry")?;
    page.apply_import()?;
    page.wait_for_headline(&["P0 takes 70 %"])
}

#[test]
fn the_clusters_of_an_earlier_text_cannot_be_applied_while_the_reader_of_the_next_is_missing()
-> Result<()> {
    let workdir = Workdir::new("page_reader_of_meshes_missing")?;
    let page = Playground::open(&workdir)?;
    page.browser.devtools("Network.enable", json!({}))?;
    page.browser
        .devtools("Network.setBlockedURLs", json!({"urls": ["*/mesh.wasm"]}))?;
    page.paste_configuration(BOOTSTRAP)?;
    let apply = test("import-apply");
    let enabled = format!("{apply}:not([disabled])");
    page.browser.attribute(&enabled, "class")?;
    page.browser.paste(&test("import-text"), MESH)?;
    page.browser.wait_for("the reason", |_| {
        let said = page.shown("import-summary")?;
        Ok(said.contains("Cannot load").then_some(()).ok_or(said))
    })?;
    ensure!(page.browser.attribute(&apply, "disabled")?.is_some());
    Ok(())
}

/// The health check of the host in P1 fails, so no traffic can spill over to it.
const CLUSTERS: &str = "\
shop::10.0.0.1:80::health_flags::healthy
shop::10.0.0.1:80::priority::0
shop::10.0.0.2:80::health_flags::/failed_eds_health
shop::10.0.0.2:80::priority::0
shop::10.0.1.1:80::health_flags::/failed_active_hc
shop::10.0.1.1:80::priority::1
";

#[test]
fn the_output_of_clusters_sets_health() -> Result<()> {
    let workdir = Workdir::new("page_clusters")?;
    let page = Playground::open(&workdir)?;
    page.paste_configuration(BOOTSTRAP)?;
    page.browser.click("dialog details.more summary")?;
    page.browser.paste(&test("import-clusters"), CLUSTERS)?;
    page.apply_import()?;
    page.wait_for_headline(&["hosts available for 70 %"])?;
    ensure!(page.health("P1/0")? == "unhealthy");
    // The dialog opens with both texts again.
    page.click("import")?;
    let kept = page.browser.property(&test("import-clusters"), "value")?;
    ensure!(kept.as_deref() == Some(CLUSTERS), "the text is {kept:?}");
    page.finish()
}

/// Drops a file on the field.
const DROP: &str = "const data = new DataTransfer();
    data.items.add(new File([arguments[0]], 'envoy.yaml'));
    const area = document.querySelector('[data-test=import-text]');
    const fire = (kind) => area.dispatchEvent(
        new DragEvent(kind, {dataTransfer: data, bubbles: true, cancelable: true}));
    return [fire('dragover'), fire('drop')];";

#[test]
fn a_dropped_file_is_read() -> Result<()> {
    let workdir = Workdir::new("page_drop")?;
    let page = Playground::open(&workdir)?;
    page.click("import")?;
    page.browser.text("dialog h2")?;
    let left_to_browser = page.browser.script(DROP, vec![json!(BOOTSTRAP)])?;
    ensure!(
        left_to_browser == json!([false, false]),
        "the browser would open the file: {left_to_browser}"
    );
    page.apply_import()?;
    page.wait_for_headline(&["P0 takes 70 %", "P1 takes 30 %"])?;
    page.finish()
}

/// A misspelled field in line 5 and a misspelled policy in line 6.
fn misspelled() -> String {
    BOOTSTRAP.replace(
        "    type: STATIC\n",
        "    typ: STATIC\n    lb_policy: MAGLEF\n",
    )
}

#[test]
fn faults_link_to_their_positions_and_can_be_fixed() -> Result<()> {
    let workdir = Workdir::new("page_faults")?;
    let page = Playground::open(&workdir)?;
    page.paste_configuration(&misspelled())?;
    let faults = format!("li.error{}", test("import-fault"));
    let count = |expected: usize| {
        page.browser.wait_for("the errors", |browser| {
            let count = browser.count(&faults)?;
            Ok((count == expected)
                .then_some(())
                .ok_or(format!("{count} errors")))
        })
    };
    let caret = |expected: &str| {
        page.browser.wait_for("the caret", |browser| {
            let at = browser.script(CARET, vec![])?;
            Ok((at == expected).then_some(()).ok_or(at.to_string()))
        })
    };
    count(2)?;

    // With the mouse, then with the keyboard only: next, first again, previous.
    page.browser
        .click(&format!("{faults}:nth-child(2) button.go"))?;
    caret("6:16")?;
    let f8 = String::from(char::from(Key::F8));
    let shift_f8 = format!("{}{f8}", char::from(Key::Shift));
    let text = test("import-text");
    for (keys, expected) in [
        (&f8, "5:5"),
        (&f8, "6:16"),
        (&shift_f8, "5:5"),
        (&f8, "6:16"),
    ] {
        page.browser.press(&text, keys)?;
        caret(expected)?;
    }
    let current = page.browser.text(&format!("{faults}[aria-current=true]"))?;
    ensure!(
        current.contains("6:16") && current.contains("error"),
        "{current}"
    );

    // Each suggestion changes the text, and each change is read.
    page.click("import-fix")?;
    count(1)?;
    page.click("import-fix")?;
    count(0)?;
    let fixed = page.browser.property(&text, "value")?;
    let expected = misspelled()
        .replace("typ:", "type:")
        .replace("MAGLEF", "MAGLEV");
    ensure!(fixed.as_deref() == Some(expected.as_str()), "{fixed:?}");
    let control_z = format!("{}z", char::from(Key::Control));
    page.browser.press(&text, &control_z)?;
    count(1)?;
    page.click("import-fix")?;
    count(0)?;
    page.apply_import()?;
    page.wait_for_headline(&["P0 takes 70 %"])?;
    page.finish()
}

/// Without a health signal, no host of P0 can fail.
const FINDING: &str = "failover-no-health-signal";

#[test]
fn findings_appear_next_to_the_result_and_link_to_the_text() -> Result<()> {
    let workdir = Workdir::new("page_findings")?;
    let page = Playground::open(&workdir)?;
    ensure!(
        !page.browser.has(&test("finding"))?,
        "findings without a text"
    );
    page.import(BOOTSTRAP)?;
    let finding = page.browser.text(&test("finding"))?;
    ensure!(
        finding.contains(FINDING) && finding.contains("warning"),
        "{finding}"
    );
    page.browser
        .click(&format!("{} button.go", test("finding")))?;
    let kept = page.browser.property(&test("import-text"), "value")?;
    ensure!(kept.as_deref() == Some(BOOTSTRAP), "the text is {kept:?}");
    let at = page.browser.script(CARET, vec![])?;
    let at = at.as_str().context("no caret")?;
    ensure!(finding.contains(at), "the caret is at {at}: {finding}");
    page.finish()
}
