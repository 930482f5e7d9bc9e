//! The Trace screen with the routes of an imported configuration.

use std::fs;

use anyhow::{Context as _, Result, ensure};
use serde_json::Value;
use spillgate_e2e::playground::{Playground, test};
use spillgate_e2e::{Workdir, spillgate};

/// A listener whose routes go to two clusters, with a hash policy each.
const CONFIG: &str = include_str!("trace_routes.yaml");

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
        let header = format!("x-user: {user}");
        let options = [
            "--host",
            "shop.example",
            "--path",
            "/cart",
            "--header",
            &header,
        ];
        let answer = explained(&workdir, &options)?;
        let endpoint = answer["endpoint"].as_str().context("no host")?;
        page.wait_for_text("trace-headline", endpoint)?;
        let steps = answer["steps"].as_array().context("no steps")?;
        for step in steps {
            let name = step["step"].as_str().context("a step without a name")?;
            let what = step["what"].as_str().context("a step without a sentence")?;
            page.wait_for_text("trace-steps", what)?;
            let roll = &step["values"]["roll"];
            if name == "priority" {
                let text = format!("hash modulo 100 = {roll}, ");
                page.wait_for_text("trace-step-priority-arithmetic", &text)?;
            }
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
    let options = [
        "--host",
        "shop.example",
        "--path",
        "/stock",
        "--header",
        "cookie: session=s1",
    ];
    let answer = explained(&workdir, &options)?;
    page.wait_for_text(
        "trace-headline",
        answer["endpoint"].as_str().context("no host")?,
    )?;
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
