//! axe-core in the playground and on the documentation site.

mod page;
mod site;

use anyhow::{Context as _, Result};
use spillgate_e2e::Browser;

/// The rules of WCAG 2.2 AA, and the best practices.
const RUN: &str = "return axe.run(document, {
        runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
        resultTypes: ['violations'],
    }).then((found) => found.violations.map((rule) =>
        `${rule.id}: ${rule.nodes.map((node) => node.target.join(' ')).join(', ')}`));";

/// What axe-core, which the playground has loaded, finds there.
fn violations(browser: &Browser, place: &str) -> Result<Vec<String>> {
    let found = browser.script(RUN, vec![])?;
    let found = found.as_array().context("no list")?;
    Ok(found
        .iter()
        .map(|rule| format!("{place}: {rule}"))
        .collect())
}
