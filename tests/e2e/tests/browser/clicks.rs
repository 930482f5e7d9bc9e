//! How many clicks common tasks take. Each test does a task as a user does, counts the clicks, and holds its target
//! (`tests/bench/measurements.md`). Keys are not clicks: a field is clicked once, then typed into.

use anyhow::{Context as _, Result, ensure};
use fantoccini::key::Key;
use serde_json::json;
use spillgate_e2e::Workdir;
use spillgate_e2e::playground::{Playground, test};

/// Two clusters with a route each.
const ROUTES: &str = include_str!("trace_routes.yaml");

/// Counts from now on.
const COUNT: &str = "globalThis.clicks = 0;
    addEventListener('pointerdown', (event) => { if (event.isTrusted) clicks += 1; }, true);";

/// Pastes a text outside of fields, as Ctrl+V does.
const PASTE: &str = "const data = new DataTransfer();
    data.setData('text/plain', arguments[0]);
    document.body.dispatchEvent(new ClipboardEvent('paste', {clipboardData: data, bubbles: true, cancelable: true}));";

/// A task of a user.
struct Task {
    page: Playground,
    name: &'static str,
}

impl Task {
    /// A visit; `prepare` is not part of the task.
    fn start(
        name: &'static str,
        workdir: &Workdir,
        prepare: impl FnOnce(&Playground) -> Result<()>,
    ) -> Result<Self> {
        let page = Playground::open(workdir)?;
        prepare(&page)?;
        page.browser.script(COUNT, vec![])?;
        Ok(Self { page, name })
    }

    /// Clicks a field and replaces its text.
    fn type_into(&self, field: &str, text: &str) -> Result<()> {
        self.page.click(field)?;
        let all = format!("{}a{}", char::from(Key::Control), char::from(Key::Null));
        self.page.browser.press(&test(field), &(all + text))
    }

    fn paste(&self, text: &str) -> Result<()> {
        self.page.browser.script(PASTE, vec![json!(text)])?;
        self.page.browser.text(&test("import-text"))?;
        Ok(())
    }

    /// Checks the number of clicks until now.
    fn takes_at_most(&self, target: u64) -> Result<()> {
        let clicks = self.page.browser.script("return clicks;", vec![])?;
        let clicks = clicks.as_u64().context("the clicks are not counted")?;
        println!("{}: {clicks} clicks, at most {target}", self.name);
        ensure!(
            clicks > 0 && clicks <= target,
            "{}: {clicks} clicks",
            self.name
        );
        Ok(())
    }
}

fn cluster(name: &str, hosts: usize) -> String {
    let hosts: String = (0..hosts)
        .map(|at| {
            let [high, low] = [at / 250, at % 250];
            format!(
                "      - endpoint: {{address: {{socket_address: {{address: 10.0.{high}.{low}, port_value: 80}}}}}}\n"
            )
        })
        .collect();
    format!(
        "- name: {name}\n  lb_policy: MAGLEV\n  load_assignment:\n    cluster_name: {name}\n    endpoints:\n    - lb_endpoints:\n{hosts}"
    )
}

#[test]
fn p0_loses_three_of_ten_hosts() -> Result<()> {
    let workdir = Workdir::new("clicks_loss")?;
    let task = Task::start("P0 loses 3 of 10 hosts", &workdir, |_| Ok(()))?;
    task.type_into("healthy-P0-number", "7")?;
    task.page.wait_for_headline(&["P0 takes 98 %"])?;
    task.takes_at_most(2)?;
    task.page.finish()
}

#[test]
fn import_find_fail_share_and_reopen() -> Result<()> {
    let workdir = Workdir::new("clicks_import")?;
    let task = Task::start("import, find, fail, share, reopen", &workdir, |_| Ok(()))?;
    let page = &task.page;
    task.paste(
        &["cart", "checkout", "stock"]
            .map(|name| cluster(name, 4))
            .concat(),
    )?;
    task.type_into("import-cluster-search", "checkout")?;
    page.wait_for_text("import-chosen", "checkout")?;
    page.apply_import()?;
    page.click_host("P0/0")?;
    page.browser.wait_for("the failed host", |_| {
        let health = page.health("P0/0")?;
        Ok((health == "unhealthy").then_some(()).ok_or(health))
    })?;
    page.click("share")?;
    // The link is selected, so Ctrl+C copies it.
    let selected = "const field = document.querySelector('[data-test=share-link]');
        return field === document.activeElement && field.selectionEnd === field.value.length && field.selectionStart === 0;";
    page.browser.wait_for("the selected link", |browser| {
        let is = browser.script(selected, vec![])?;
        Ok((is == true).then_some(()).ok_or(is.to_string()))
    })?;
    task.takes_at_most(4)?;
    let link = page.browser.property(&test("share-link"), "value")?;
    page.browser.open("about:blank")?;
    page.browser.open(&link.context("no link")?)?;
    page.browser.wait_for("the failed host", |_| {
        let health = page.health("P0/0")?;
        Ok((health == "unhealthy").then_some(()).ok_or(health))
    })?;
    task.page.finish()
}

#[test]
fn why_a_user_went_to_a_host() -> Result<()> {
    let workdir = Workdir::new("clicks_why")?;
    let task = Task::start("why did u3 go there", &workdir, |page| page.import(ROUTES))?;
    let page = &task.page;
    page.click("screen-trace")?;
    page.browser.text(&test("trace-header-x-user"))?;
    task.type_into("trace-header-x-user", "u3")?;
    page.wait_for_text("trace-step-priority-arithmetic", "hash modulo 100 = 76")?;
    task.takes_at_most(3)?;
    task.page.finish()
}

#[test]
fn which_member_takes_over_when() -> Result<()> {
    let workdir = Workdir::new("clicks_member")?;
    let task = Task::start("which member takes over when", &workdir, |page| {
        page.choose("preset", "aggregate")?;
        page.wait_for_headline(&["primary"])
    })?;
    task.page.click("screen-what-if")?;
    task.page
        .wait_for_text("what-if-headline", "secondary takes 30 %")?;
    task.takes_at_most(2)?;
    task.page.finish()
}

#[test]
fn embed_the_scenario() -> Result<()> {
    let workdir = Workdir::new("clicks_embed")?;
    let task = Task::start("embed", &workdir, |page| {
        let permissions = ["clipboardReadWrite", "clipboardSanitizedWrite"];
        let parameters = json!({"permissions": permissions});
        page.browser
            .devtools("Browser.grantPermissions", parameters)?;
        Ok(())
    })?;
    let page = &task.page;
    page.click("share")?;
    page.browser
        .click(&format!("{} summary", test("share-embed")))?;
    page.click("embed-code-copy")?;
    page.browser.wait_for("the snippet", |browser| {
        let text = browser.script("return navigator.clipboard.readText();", vec![])?;
        let text = text.as_str().unwrap_or_default();
        Ok(text
            .contains("<spillgate-split")
            .then_some(())
            .ok_or(text.to_owned()))
    })?;
    task.takes_at_most(3)?;
    task.page.finish()
}

#[test]
fn broken_yaml_is_fixed() -> Result<()> {
    let workdir = Workdir::new("clicks_broken")?;
    let task = Task::start("broken YAML", &workdir, |_| Ok(()))?;
    let page = &task.page;
    // The last bracket of the first host is missing.
    let text = cluster("shop", 3).replacen("}}}", "}}", 1);
    task.paste(&text)?;
    page.wait_for_text("import-summary", "error")?;
    // A click on the error goes to its place; the bracket belongs to the end of the line before.
    page.browser
        .click(&format!("{} button", test("import-fault")))?;
    let keys = format!("{}{}}}", char::from(Key::Up), char::from(Key::End));
    page.browser.press(":focus", &keys)?;
    page.wait_for_text("import-summary", "Found 1 cluster")?;
    task.takes_at_most(1)?;
    task.page.finish()
}

#[test]
fn ten_thousand_hosts() -> Result<()> {
    let workdir = Workdir::new("clicks_many_hosts")?;
    let task = Task::start("10,000 hosts", &workdir, |_| Ok(()))?;
    task.paste(&cluster("many", 10_000).replace("MAGLEV", "ROUND_ROBIN"))?;
    task.page.apply_import()?;
    task.page.wait_for_headline(&["All healthy"])?;
    task.type_into("healthy-P0-number", "5000")?;
    task.page.wait_for_headline(&["70 %"])?;
    task.takes_at_most(2)?;
    task.page.finish()
}
