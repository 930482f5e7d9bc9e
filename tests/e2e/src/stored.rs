//! What the service worker of the playground has stored for visits without a network.

use anyhow::{Context as _, Result};
use serde_json::Value;

use crate::playground::Playground;

/// The names of the files in all caches.
const STORED: &str = "return caches.keys().then(async (names) => {
    const files = [];
    for (const name of names) {
        for (const request of await (await caches.open(name)).keys()) {
            files.push(new URL(request.url).pathname.slice(1));
        }
    }
    return files.sort();
});";

impl Playground {
    /// The names of the stored files, in order.
    ///
    /// # Errors
    /// If the browser has no caches.
    pub fn stored(&self) -> Result<Vec<String>> {
        let files = self.browser.script(STORED, vec![])?;
        let files = files.as_array().context("no list of files")?;
        Ok(files
            .iter()
            .filter_map(Value::as_str)
            .map(Into::into)
            .collect())
    }

    /// Waits until the stored files are as expected.
    ///
    /// # Errors
    /// If they are not in time.
    pub fn wait_for_stored(&self, what: &str, expected: impl Fn(&[String]) -> bool) -> Result<()> {
        self.browser.wait_for(what, |_| {
            let files = self.stored()?;
            Ok(expected(&files).then_some(()).ok_or(files.join(", ")))
        })
    }
}
