//! The Trace screen with the routes of an imported configuration.

use std::fs;

use anyhow::{Context as _, Result, ensure};
use serde_json::Value;
use spillgate_e2e::playground::{Playground, test};
use spillgate_e2e::{Workdir, spillgate};

/// A listener whose routes go to two clusters, with a hash policy each.
const CONFIG: &str = include_str!("trace_routes.yaml");

/// All findings of the import dialog.
const FAULTS: &str = "return [...document.querySelectorAll('[data-test=import-fault]')]
    .map((fault) => fault.textContent).join('\\n');";

fn open(workdir: &Workdir) -> Result<Playground> {
    let page = Playground::open(workdir)?;
    page.import(CONFIG)?;
    page.click("screen-trace")?;
    page.wait_for_text("trace-step-route", "virtual host shop")?;
    Ok(page)
}

/// The decision of the command for a request.
fn explained(workdir: &Workdir, options: &[&str]) -> Result<Value> {
    let file = workdir.path().join("envoy.yaml");
    fs::write(&file, CONFIG)?;
    let words = ["explain", "--format", "json"].iter().chain(options);
    let words = words.map(Into::into).chain([file.into_os_string()]);
    Ok(serde_json::from_str(&spillgate(words)?.output)?)
}

/// Checks that the screen has the host and the sentences of the command for a path and a header.
fn agrees(page: &Playground, workdir: &Workdir, path: &str, header: &str) -> Result<Value> {
    let options = ["--host", "shop.example", "--path", path, "--header", header];
    let answer = explained(workdir, &options)?;
    let endpoint = answer["endpoint"].as_str().context("no host")?;
    page.wait_for_text("trace-headline", endpoint)?;
    for step in answer["steps"].as_array().context("no steps")? {
        let what = step["what"].as_str().context("a step without a sentence")?;
        page.wait_for_text("trace-steps", what)?;
    }
    Ok(answer)
}

#[test]
fn expressions_match_as_in_the_command() -> Result<()> {
    let workdir = Workdir::new("page_trace_expressions")?;
    let page = open(&workdir)?;
    page.browser.paste(&test("trace-path-of"), "/Item/42?x=1")?;
    page.wait_for_text("trace-steps", "route item")?;
    for user in ["ann-1", "u3-2", "u3"] {
        page.browser.paste(&test("trace-header-x-user"), user)?;
        agrees(&page, &workdir, "/Item/42?x=1", &format!("x-user: {user}"))?;
    }
    // The whole path must match.
    page.browser
        .paste(&test("trace-path-of"), "/item/42/more")?;
    page.wait_for_text("trace-headline", "No route matches the request (404).")?;
    page.finish()
}

#[test]
fn a_response_of_envoy_itself_has_its_reason() -> Result<()> {
    let workdir = Workdir::new("page_trace_replies")?;
    let page = Playground::open(&workdir)?;
    let gone = CONFIG.replace(
        "route: {cluster: stock,",
        "direct_response: {status: 404} #",
    );
    page.import(&gone)?;
    page.click("screen-trace")?;
    page.browser.paste(&test("trace-path-of"), "/stock")?;
    let direct = "The matched route answers the request itself with 404 (responded).";
    page.wait_for_text("trace-headline", direct)?;
    page.wait_for_text("trace-step-route", "route stock")?;
    page.browser.paste(&test("trace-path-of"), "/cart#top")?;
    let refused = "Envoy answers with 400 (refused): the path has a fragment (#).";
    page.wait_for_text("trace-headline", refused)?;
    page.finish()
}

#[test]
fn an_invalid_expression_is_a_warning_of_the_import() -> Result<()> {
    let workdir = Workdir::new("page_trace_invalid_expression")?;
    let page = Playground::open(&workdir)?;
    let wrong = CONFIG.replace(r"(?i)/items?/\d+", "(?i)/items?/(");
    let line = wrong.lines().position(|line| line.contains("/items?/("));
    let line = line.context("no such line")? + 1;
    page.paste_configuration(&wrong)?;
    let message = "Envoy rejects the configuration: invalid regular expression";
    page.browser.wait_for("the warning", |browser| {
        let faults = browser.script(FAULTS, vec![])?;
        let faults = faults.as_str().unwrap_or_default().to_owned();
        let has = faults.contains(message) && faults.contains(&format!("{line}:"));
        Ok(has.then_some(()).ok_or(faults))
    })?;
    page.apply_import()?;
    page.finish()
}

#[test]
fn the_route_of_the_request_has_its_hash_policy_and_cluster() -> Result<()> {
    let workdir = Workdir::new("page_trace_routes")?;
    let page = open(&workdir)?;
    // The fields are those that the hash policy of the route names.
    page.browser.paste(&test("trace-path-of"), "/cart")?;
    page.wait_for_text("trace-steps", "route cart")?;
    page.browser.text(&test("trace-header-x-user"))?;
    ensure!(
        !page.browser.has(&test("trace-cookie-session"))?,
        "a cookie of another route"
    );
    for user in ["ann", "bob", "u3"] {
        page.browser.paste(&test("trace-header-x-user"), user)?;
        let answer = agrees(&page, &workdir, "/cart", &format!("x-user: {user}"))?;
        let steps = answer["steps"].as_array().context("no steps")?;
        for step in steps.iter().filter(|step| step["step"] == "priority") {
            let text = format!("hash modulo 100 = {}, ", step["values"]["roll"]);
            page.wait_for_text("trace-step-priority-arithmetic", &text)?;
        }
        page.wait_for_text("trace-step-host-arithmetic", "hash modulo 65537 = ")?;
    }
    page.wait_for_text(
        "trace-command",
        "--host shop.example --path /cart --header 'x-user: u3'",
    )?;
    // Another path leads to another cluster, whose policy reads a cookie.
    page.browser.paste(&test("trace-path-of"), "/stock")?;
    page.browser.paste(&test("trace-cookie-session"), "s1")?;
    agrees(&page, &workdir, "/stock", "cookie: session=s1")?;
    page.wait_for_text("trace-step-host-arithmetic", "ring")?;
    page.browser.screenshot("trace-routes")?;
    page.browser
        .paste(&test("trace-authority"), "other.example")?;
    page.wait_for_text("trace-headline", "No route matches the request (404).")?;
    // Straight to the shown cluster, as without routes.
    page.choose("trace-to", "cluster")?;
    page.browser.text(&test("trace-key"))?;
    page.wait_for_text("trace-headline", "The request goes to")?;
    page.finish()
}
