//! What each click downloads at a first visit: the files of the playground, compressed as its servers send them.

use anyhow::{Context as _, Result};
use serde_json::{Value, json};

use crate::Workdir;
use crate::playground::{Playground, test};

/// The sizes of the files that the playground has requested, once no further one follows for half a second.
const SETTLED: &str = "const files = () => performance.getEntriesByType('resource');
    return (async () => {
        let [count, since] = [-1, 0];
        while (since < 5) {
            await new Promise((done) => setTimeout(done, 100));
            const waits = files().length === count && files().every((file) => file.responseEnd > 0);
            [count, since] = [files().length, waits ? since + 1 : 0];
        }
        const [own] = performance.getEntriesByType('navigation');
        return [own, ...files()].reduce((sum, file) => sum + file.encodedBodySize, 0);
    })();";

/// A configuration with a route, which the module for routes reads on the Trace screen.
const ROUTES: &str = include_str!("../tests/browser/trace_routes.yaml");

/// A document of a mesh, which has a reader of its own.
const MESH: &str =
    "type: MeshLoadBalancingStrategy\nname: a\nmesh: default\nspec: {targetRef: {kind: Mesh}}\n";

/// What a user does.
enum Step {
    /// Clicks the element of a selector.
    Click(String),
    /// Pastes a text into the import dialog.
    Paste(&'static str),
    /// Imports a configuration.
    Import(&'static str),
}

/// The bytes of one click.
struct ClickedBytes {
    name: &'static str,
    /// What happens before it, at the same visit.
    before: Vec<Step>,
    step: Step,
}

fn click(name: &str) -> Step {
    Step::Click(test(name))
}

fn clicks() -> Vec<ClickedBytes> {
    let screen = |name, test| ClickedBytes {
        name,
        before: Vec::new(),
        step: click(test),
    };
    let after = |name, before, step| ClickedBytes { name, before, step };
    let summary = |part| Step::Click(format!("{} summary", test(part)));
    vec![
        screen("What-if", "screen-what-if"),
        after(
            "What-if, then Incident",
            vec![click("screen-what-if")],
            click("part-incident"),
        ),
        after(
            "What-if, then Sessions",
            vec![click("screen-what-if")],
            click("part-timeline"),
        ),
        after(
            "What-if, then Compare",
            vec![click("screen-what-if")],
            click("part-compare"),
        ),
        screen("Trace", "screen-trace"),
        after(
            "Trace with the routes of an import",
            vec![Step::Import(ROUTES)],
            click("screen-trace"),
        ),
        after(
            "Trace, then the shipped filter",
            vec![click("screen-trace")],
            click("trace-filter"),
        ),
        screen("Learn", "screen-learn"),
        screen("Live", "screen-live"),
        screen("Import", "import"),
        after(
            "Import of a mesh document",
            vec![click("import")],
            Step::Paste(MESH),
        ),
        screen("Share", "share"),
        after(
            "Share, then Embed",
            vec![click("share")],
            summary("share-embed"),
        ),
        after(
            "Share, then Files",
            vec![click("share")],
            summary("share-files"),
        ),
        screen("Keys", "keys-open"),
    ]
}

/// Measures everything; `take` gets a line of JSON for each figure.
///
/// # Errors
/// If the playground does not work.
pub fn run(mut take: impl FnMut(Value)) -> Result<()> {
    let workdir = Workdir::new("page_bytes")?;
    let page = Playground::open_compressed(&workdir)?;
    // Its responses have no sizes of what was transferred.
    page.browser.devtools("Network.enable", json!({}))?;
    page.browser
        .devtools("Network.setBypassServiceWorker", json!({"bypass": true}))?;
    take(figure("first load", visit(&page)?));
    for ClickedBytes { name, before, step } in clicks() {
        visit(&page)?;
        for step in &before {
            act(&page, step)?;
        }
        let earlier = loaded(&page)?;
        act(&page, &step)?;
        take(figure(name, loaded(&page)? - earlier));
    }
    // The console is not empty: Live asks the server, which has no Envoy.
    Ok(())
}

/// Opens the playground as if it were never opened: the bytes of its first load.
fn visit(page: &Playground) -> Result<u64> {
    page.forget()?;
    page.browser.open(page.origin())?;
    page.headline()?;
    loaded(page)
}

fn act(page: &Playground, step: &Step) -> Result<()> {
    match step {
        Step::Click(css) => page.browser.click(css),
        Step::Paste(text) => page.browser.paste(&test("import-text"), text),
        Step::Import(text) => page.import(text),
    }
}

fn loaded(page: &Playground) -> Result<u64> {
    let bytes = page.browser.script(SETTLED, vec![])?;
    bytes.as_u64().context("no sizes")
}

fn figure(name: &str, bytes: u64) -> Value {
    json!({"name": name, "median_bytes": bytes, "low_bytes": bytes, "high_bytes": bytes})
}
