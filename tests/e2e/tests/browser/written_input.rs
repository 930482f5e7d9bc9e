//! The input of a screen in the address, which the playground writes a moment after a change.

use anyhow::Result;
use spillgate_e2e::playground::Playground;
use spillgate_scenario::link;

/// Waits until the address has these words in the input of a screen: a reload before that loses the change.
pub(crate) fn wait_for_input(page: &Playground, screen: &str, words: &str) -> Result<()> {
    page.browser.wait_for("the written address", |browser| {
        let url = browser.url()?;
        let input = input_of(&url, screen).unwrap_or_default();
        Ok(input.contains(words).then_some(()).ok_or(url))
    })
}

fn input_of(address: &str, screen: &str) -> Option<String> {
    let (_, fragment) = address.split_once('#')?;
    let view = link::read_view(fragment).ok()?;
    let found = view.into_iter().find(|(name, _)| name == screen);
    found.map(|(_, input)| input)
}
