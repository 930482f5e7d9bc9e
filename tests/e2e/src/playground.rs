//! The playground in the browser.
//!
//! A priority is `P0`, or `shop-primary/P0` for a member of an aggregate; a host is `P0/3`.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, anyhow};
use serde_json::json;
use url::Url;

use crate::static_files::compressed;
use crate::{Browser, Need, StaticFiles, Workdir, needed};

/// A configuration of two priorities. Half of P0 is unhealthy, so it takes 70 %; lint finds that nothing detects it.
pub const BOOTSTRAP: &str = "\
# Pasted with its comment.
static_resources:
  clusters:
  - name: shop
    type: STATIC
    load_assignment:
      cluster_name: shop
      endpoints:
      - priority: 0
        lb_endpoints:
        - endpoint: {address: {socket_address: {address: 10.0.0.1, port_value: 80}}}
        - endpoint: {address: {socket_address: {address: 10.0.0.2, port_value: 80}}}
          health_status: UNHEALTHY
      - priority: 1
        lb_endpoints:
        - endpoint: {address: {socket_address: {address: 10.0.1.1, port_value: 80}}}
";

/// Whether the first rendering is complete; it has stages.
const WHOLE: &str = "return performance.getEntriesByName('spillgate-interactive').length === 1;";

/// The built page, served and opened.
#[derive(Debug)]
pub struct Playground {
    /// The browser that shows it.
    pub browser: Browser,
    origin: String,
}

impl Playground {
    /// Serves the built page and opens it with its start scenario.
    ///
    /// # Errors
    /// If the playground was not built, or does not load.
    pub fn open(workdir: &Workdir) -> Result<Self> {
        Self::at(workdir, StaticFiles::serve(&needed(Need::Www)?)?.origin())
    }

    /// Serves a changed copy of the built page, and opens it. `change` gets its folder.
    ///
    /// # Errors
    /// If the playground was not built, or does not load, or `change` fails.
    pub fn open_changed(
        workdir: &Workdir,
        change: impl FnOnce(&Path) -> Result<()>,
    ) -> Result<Self> {
        let folder = Self::copy(workdir)?;
        change(&folder)?;
        Self::at(workdir, StaticFiles::serve(&folder)?.origin())
    }

    /// A copy of the built page that a test may change: its folder.
    ///
    /// # Errors
    /// If the playground was not built, or cannot be copied.
    pub fn copy(workdir: &Workdir) -> Result<PathBuf> {
        let folder = workdir.path().join("www");
        fs::create_dir_all(&folder)?;
        for file in fs::read_dir(needed(Need::Www)?)? {
            let file = file?;
            fs::copy(file.path(), folder.join(file.file_name()))?;
        }
        Ok(folder)
    }

    /// Serves the files of the built page compressed, and opens it.
    ///
    /// # Errors
    /// If the playground was not built, or does not load.
    pub fn open_compressed(workdir: &Workdir) -> Result<Self> {
        let server = StaticFiles::serve(&Self::compressed_copy(workdir)?)?;
        Self::at(workdir, server.origin())
    }

    /// A copy of the built page with its compressed files: its folder.
    ///
    /// # Errors
    /// If the playground was not built, or cannot be copied.
    pub fn compressed_copy(workdir: &Workdir) -> Result<PathBuf> {
        let folder = Self::copy(workdir)?;
        for file in fs::read_dir(&folder)? {
            let path = file?.path();
            let mut packed = Vec::new();
            let mut writer = brotli::CompressorWriter::new(&mut packed, 1 << 16, 11, 22);
            writer.write_all(&fs::read(&path)?)?;
            drop(writer);
            fs::write(compressed(&path), packed)?;
        }
        Ok(folder)
    }

    /// Opens the single-file page from the disk, without a server.
    ///
    /// # Errors
    /// If it was not built, or does not load.
    pub fn open_file(workdir: &Workdir) -> Result<Self> {
        let file = Url::from_file_path(needed(Need::PageFile)?)
            .map_err(|()| anyhow!("the page's file has no absolute path"))?;
        Self::at(workdir, file.into())
    }

    /// Opens the playground of another server.
    ///
    /// # Errors
    /// If it does not load.
    pub fn at(workdir: &Workdir, origin: String) -> Result<Self> {
        Self::in_browser(Browser::start(workdir)?, origin)
    }

    /// Opens the playground of a server in a browser of any engine.
    ///
    /// # Errors
    /// If it does not load.
    pub fn in_browser(browser: Browser, origin: String) -> Result<Self> {
        browser.open(&origin)?;
        let page = Self { browser, origin };
        page.headline()?;
        page.browser.wait_for("the whole screen", |browser| {
            let whole = browser.script(WHOLE, vec![])?;
            Ok((whole == true).then_some(()).ok_or(whole.to_string()))
        })?;
        Ok(page)
    }

    /// Leaves the playground, and makes the browser forget what it stored of it: the next visit is a first one, which
    /// no service worker answers.
    ///
    /// # Errors
    /// If the browser does not respond.
    pub fn forget(&self) -> Result<()> {
        self.browser.open("about:blank")?;
        let stored = json!({"origin": self.origin, "storageTypes": "all"});
        self.browser
            .devtools("Storage.clearDataForOrigin", stored)?;
        self.browser
            .devtools("Network.clearBrowserCache", json!({}))?;
        Ok(())
    }

    /// The address of the playground without a fragment.
    #[must_use]
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// The headline, in one line. After a short name, it has the whole one for screen readers.
    ///
    /// # Errors
    /// If the playground has no such element.
    pub fn headline(&self) -> Result<String> {
        Ok(plain(&self.browser.text(&test("headline"))?).replace('\n', " "))
    }

    /// The text of the element with that `data-test`.
    ///
    /// # Errors
    /// If the playground has no such element.
    pub fn shown(&self, name: &str) -> Result<String> {
        Ok(plain(&self.browser.text(&test(name))?))
    }

    /// Waits until the element with that `data-test` contains a text.
    ///
    /// # Errors
    /// If it does not in time.
    pub fn wait_for_text(&self, name: &str, words: &str) -> Result<()> {
        self.browser.wait_for(&format!("{words:?} in {name}"), |_| {
            let text = self.shown(name)?;
            Ok(text.contains(words).then_some(()).ok_or(text))
        })
    }

    /// Waits until every shown answer is to the present input.
    ///
    /// # Errors
    /// If one is not in time.
    pub fn wait_for_answers(&self) -> Result<()> {
        self.browser.wait_for("answers", |browser| {
            let busy = browser.count("[aria-busy=true]")?;
            Ok((busy == 0).then_some(()).ok_or(format!("{busy} busy")))
        })
    }

    /// Waits until the playground fits a window of 320 pixels without scrolling sideways.
    ///
    /// # Errors
    /// If it does not in time.
    pub fn wait_until_it_fits_a_phone(&self) -> Result<()> {
        let fits = "const width = document.documentElement.clientWidth;
            return width === 320 && document.documentElement.scrollWidth === width;";
        self.browser.wait_for("a page of 320 pixels", |browser| {
            let fits = browser.script(fits, vec![])?;
            Ok((fits == true).then_some(()).ok_or(fits.to_string()))
        })
    }

    /// The load of each of those priorities, in percent.
    ///
    /// # Errors
    /// If a priority is missing or shows no whole percentage.
    pub fn loads(&self, priorities: &[&str]) -> Result<Vec<u32>> {
        let load = |priority: &&str| percentage(&self.shown(&format!("load-{priority}"))?);
        priorities.iter().map(load).collect()
    }

    /// The share of each of those members of the aggregate, in percent.
    ///
    /// # Errors
    /// If a member is missing or shows no whole percentage.
    pub fn member_shares(&self, members: &[&str]) -> Result<Vec<u32>> {
        let share = |member: &&str| percentage(&self.shown(&format!("share-cluster-{member}"))?);
        members.iter().map(share).collect()
    }

    /// Types a number into a field.
    ///
    /// # Errors
    /// If there is no such field.
    pub fn enter(&self, field: &str, number: usize) -> Result<()> {
        self.browser.paste(&test(field), &number.to_string())
    }

    /// Pastes a configuration into the import dialog, without applying it.
    ///
    /// # Errors
    /// If there is no such dialog.
    pub fn paste_configuration(&self, text: &str) -> Result<()> {
        self.browser.click(&test("import"))?;
        self.browser.paste(&test("import-text"), text)
    }

    /// Imports a configuration and shows the cluster that the playground proposes.
    ///
    /// # Errors
    /// If the playground rejects it.
    pub fn import(&self, text: &str) -> Result<()> {
        self.paste_configuration(text)?;
        self.apply_import()?;
        self.browser.wait_for("the end of the import", |browser| {
            Ok(if browser.has("dialog")? {
                Err("the import dialog".into())
            } else {
                Ok(())
            })
        })
    }

    /// Applies the pasted configuration as soon as the playground allows it.
    ///
    /// # Errors
    /// When the playground never does.
    pub fn apply_import(&self) -> Result<()> {
        let apply = format!("{}:not([disabled])", test("import-apply"));
        self.browser.click(&apply)
    }

    /// The health of a host: healthy, degraded or unhealthy.
    ///
    /// # Errors
    /// If there is no such host.
    pub fn health(&self, host: &str) -> Result<String> {
        let health = self.browser.attribute(&cell(host), "data-health")?;
        health.with_context(|| format!("{host} has no health"))
    }

    /// Clicks a host.
    ///
    /// # Errors
    /// If the playground has no such element.
    pub fn click_host(&self, host: &str) -> Result<()> {
        self.browser.click(&cell(host))
    }

    /// Presses keys on a host.
    ///
    /// # Errors
    /// If the playground has no such element.
    pub fn press_on_host(&self, host: &str, keys: &str) -> Result<()> {
        self.browser.press(&cell(host), keys)
    }

    /// Clicks the button of that `data-test`.
    ///
    /// # Errors
    /// If the playground has no such element.
    pub fn click(&self, name: &str) -> Result<()> {
        self.browser.click(&test(name))
    }

    /// Chooses from the list of that `data-test`.
    ///
    /// # Errors
    /// If there is no such list or value.
    pub fn choose(&self, name: &str, value: &str) -> Result<()> {
        self.browser.choose(&test(name), value)
    }

    /// Waits until the headline contains all of those texts.
    ///
    /// # Errors
    /// If it does not in time, with its text.
    pub fn wait_for_headline(&self, words: &[&str]) -> Result<()> {
        self.browser
            .wait_for(&format!("{words:?} in the headline"), |_| {
                let headline = self.headline()?;
                Ok(if words.iter().all(|word| headline.contains(word)) {
                    Ok(())
                } else {
                    Err(headline)
                })
            })
    }

    /// Ends the visit, and checks that the console is empty and no other origin got a request.
    ///
    /// # Errors
    /// If one of these fails.
    pub fn finish(mut self) -> Result<()> {
        self.browser.check_silence(&self.origin)
    }
}

/// The selector of a `data-test`.
#[must_use]
pub fn test(name: &str) -> String {
    format!("[data-test=\"{name}\"]")
}

/// The selector of a host in the figure.
#[must_use]
pub fn cell(host: &str) -> String {
    format!("[data-host=\"{host}\"]")
}

/// Text with ordinary spaces.
fn plain(text: &str) -> String {
    text.replace(['\u{a0}', '\u{202f}'], " ")
}

fn percentage(text: &str) -> Result<u32> {
    let number = text.strip_suffix(" %").and_then(|text| text.parse().ok());
    number.with_context(|| format!("not a whole percentage: `{text}`"))
}
