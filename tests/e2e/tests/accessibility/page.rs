//! axe-core on every screen and dialog: light, dark and forced colors, wide and on a phone.

use std::fs;
use std::path::Path;

use anyhow::{Result, ensure};
use serde_json::{Value, json};
use spillgate_e2e::playground::{Playground, test};
use spillgate_e2e::{Need, Workdir, needed};
use spillgate_playground::state::Screen;

use crate::violations;

/// An element that a screen shows when it is ready.
const fn ready(screen: Screen) -> &'static str {
    match screen {
        Screen::Build => "headline",
        Screen::WhatIf => "matrix",
        Screen::Trace => "trace-headline",
        Screen::Learn => "lesson",
        Screen::Live => "live-window",
        Screen::Incident => "incident-answers",
        Screen::Timeline => "timeline-headline",
        Screen::Compare => "compare-headline",
        Screen::Fleet => "fleet-headline",
    }
}

/// What the demo's Envoy serves to the Live screen.
fn serve_live(www: &Path) -> Result<()> {
    fs::create_dir(www.join("live"))?;
    fs::write(
        www.join("live/clusters"),
        include_str!("../live/clusters.json"),
    )?;
    fs::write(www.join("live/stats"), include_str!("../live/stats.txt"))?;
    Ok(())
}

/// A page with the script; the policy of the playground does not apply to the driver's own scripts.
struct Checked {
    page: Playground,
    violations: Vec<String>,
}

impl Checked {
    fn open(name: &str, features: &Value, width: Option<u32>) -> Result<(Workdir, Self)> {
        let workdir = Workdir::new(name)?;
        let page = Playground::open_changed(&workdir, serve_live)?;
        page.browser
            .devtools("Emulation.setEmulatedMedia", json!({"features": features}))?;
        if let Some(width) = width {
            let size =
                json!({"width": width, "height": 800, "deviceScaleFactor": 2, "mobile": true});
            page.browser
                .devtools("Emulation.setDeviceMetricsOverride", size)?;
        }
        let axe = fs::read_to_string(needed(Need::Axe)?)?;
        page.browser.script(&axe, vec![])?;
        let checked = Self {
            page,
            violations: Vec::new(),
        };
        Ok((workdir, checked))
    }

    fn check(&mut self, place: &str) -> Result<()> {
        self.violations
            .extend(violations(&self.page.browser, place)?);
        Ok(())
    }

    fn check_all(&mut self) -> Result<()> {
        for screen in Screen::ALL {
            if screen.tab() != screen {
                self.page
                    .click(&format!("screen-{}", screen.tab().name()))?;
                self.page.browser.text(&test(ready(screen.tab())))?;
            }
            let kind = if screen.tab() == screen {
                "screen"
            } else {
                "part"
            };
            self.page.click(&format!("{kind}-{}", screen.name()))?;
            self.page.browser.text(&test(ready(screen)))?;
            self.check(screen.title())?;
            if screen == Screen::Trace {
                self.page.click("trace-filter")?;
                self.page
                    .wait_for_text("filter-sentence", "makes the same decision")?;
                self.check("the shipped filter")?;
            }
        }
        // The last screen is not the first one.
        self.page
            .click(&format!("screen-{}", Screen::Build.name()))?;
        self.page.click("text-toggle")?;
        self.page
            .wait_for_text("text-summary", "The picture shows")?;
        self.check("the text")?;
        for (button, ready) in [
            ("import", "import-summary"),
            ("share", "share-copy"),
            ("keys-open", "palette-option"),
        ] {
            // A phone has no keys, and no button for their list.
            let shown = format!(
                "return document.querySelector('{}').offsetWidth > 0;",
                test(button)
            );
            if self.page.browser.script(&shown, vec![])? == false {
                continue;
            }
            self.page.click(button)?;
            self.page.browser.wait_for("the dialog", |browser| {
                Ok(browser
                    .has(&test(ready))?
                    .then_some(())
                    .ok_or("no dialog".into()))
            })?;
            self.check(button)?;
            self.page
                .browser
                .script("document.querySelector('dialog').close();", vec![])?;
        }
        Ok(())
    }

    fn finish(self) -> Result<()> {
        let Self { page, violations } = self;
        ensure!(violations.is_empty(), "{violations:#?}");
        page.finish()
    }
}

#[test]
fn nothing_is_violated_in_light_colors() -> Result<()> {
    let light = json!([{"name": "prefers-color-scheme", "value": "light"}]);
    let (_workdir, mut checked) = Checked::open("axe_light", &light, None)?;
    checked.check_all()?;
    checked.finish()
}

#[test]
fn nothing_is_violated_in_dark_colors() -> Result<()> {
    let dark = json!([{"name": "prefers-color-scheme", "value": "dark"}]);
    let (_workdir, mut checked) = Checked::open("axe_dark", &dark, None)?;
    checked.check_all()?;
    checked.finish()
}

#[test]
fn nothing_is_violated_in_forced_colors() -> Result<()> {
    let forced = json!([{"name": "forced-colors", "value": "active"}]);
    let (_workdir, mut checked) = Checked::open("axe_forced", &forced, None)?;
    checked.check_all()?;
    checked.page.browser.screenshot("forced-colors")?;
    checked.finish()
}

#[test]
fn nothing_is_violated_on_a_phone() -> Result<()> {
    let (_workdir, mut checked) = Checked::open("axe_phone", &json!([]), Some(390))?;
    checked.check_all()?;
    checked.finish()
}
