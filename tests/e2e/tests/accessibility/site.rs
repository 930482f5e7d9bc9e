//! axe-core on each kind of page of the documentation site: light, dark, and on a phone.

use std::fs;

use anyhow::{Result, ensure};
use serde_json::json;
use spillgate_e2e::site::{KINDS_OF_PAGES, with_page};
use spillgate_e2e::{Browser, Need, StaticFiles, Workdir, needed};

use crate::violations;

/// One browser visits all pages in all forms, because starting one takes longer than a visit.
#[test]
fn no_page_of_the_documentation_violates_a_rule() -> Result<()> {
    let workdir = Workdir::new("axe_site")?;
    let origin = StaticFiles::serve(&with_page(&workdir)?)?.origin();
    let axe = fs::read_to_string(needed(Need::Axe)?)?;
    let mut browser = Browser::start(&workdir)?;
    let mut found = Vec::new();
    for (form, scheme, width) in [
        ("light", "light", 1280),
        ("dark", "dark", 1280),
        ("phone", "light", 390),
    ] {
        let media = json!([{"name": "prefers-color-scheme", "value": scheme}]);
        browser.devtools("Emulation.setEmulatedMedia", json!({"features": media}))?;
        let size =
            json!({"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 600});
        browser.devtools("Emulation.setDeviceMetricsOverride", size)?;
        for page in KINDS_OF_PAGES {
            browser.open(&format!("{origin}docs/{page}"))?;
            // A scenario loads when it becomes visible.
            browser.wait_for("the scenarios of the page", |browser| {
                let missing = "return [...document.querySelectorAll('spillgate-split')]
                    .filter((split) => !split.shadowRoot?.querySelector('.headline'))
                    .map((split) => split.scrollIntoView()).length;";
                let missing = browser.script(missing, vec![])?;
                Ok((missing == 0).then_some(()).ok_or(missing.to_string()))
            })?;
            let sideways = "return document.documentElement.scrollWidth
                > document.documentElement.clientWidth;";
            ensure!(
                browser.script(sideways, vec![])? == false,
                "{page}, {form}: the page scrolls sideways"
            );
            browser.script(&axe, vec![])?;
            found.extend(violations(&browser, &format!("{page}, {form}"))?);
        }
    }
    ensure!(found.is_empty(), "{found:#?}");
    browser.check_silence(&origin)
}
