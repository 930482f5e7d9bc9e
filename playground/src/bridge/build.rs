//! What the playground's HTML says about its build.

use web_sys::window;

/// The commit that the playground was built from. Only builds of a release name it.
#[must_use]
pub fn build_commit() -> Option<String> {
    let document = window()?.document()?;
    let named = document.query_selector("meta[name=\"spillgate-commit\"]");
    let commit = named.ok()??.get_attribute("content")?;
    (!commit.is_empty()).then_some(commit)
}
